use serde_json::Value;

/// A resource as a service returned it.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource {
    /// Its JSON.
    pub value: Value,
    /// Its version, if the service has versions.
    pub version: Option<Version>,
}

/// The version of a resource; it changes whenever the resource does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The text, without quotes.
    pub text: String,
    /// True if it is compared by the field `etag` (AIP-154), not by the header `If-Match`.
    pub is_field: bool,
}

impl Resource {
    /// A resource with its version: the field `etag`, or what the header `ETag` said, or `metadata.resourceVersion`.
    pub fn new(value: Value, header: Option<&str>) -> Self {
        let field = value.get("etag").and_then(Value::as_str).filter(|it| !it.is_empty());
        let counted = value.pointer("/metadata/resourceVersion").and_then(Value::as_str);
        let version = match (field, header.or(counted.filter(|it| !it.is_empty()))) {
            (Some(text), _) => Some(Version { text: text.to_owned(), is_field: true }),
            (None, Some(text)) => Some(Version { text: unquoted(text).to_owned(), is_field: false }),
            (None, None) => None,
        };
        Self { value, version }
    }

    /// Its name; empty if it has none.
    pub fn name(&self) -> &str {
        self.value.get("name").and_then(Value::as_str).unwrap_or_default()
    }
}

/// A version without its quotes. Weak ones are compared by their text, too.
fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let text = text.strip_prefix("W/").unwrap_or(text);
    text.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn versions_are_found_where_servers_have_them() {
        let counted = json!({"metadata": {"resourceVersion": "7"}});
        for (value, header, text, is_field) in [
            (json!({"etag": "\"a\""}), Some("\"b\""), "\"a\"", true),
            (json!({}), Some("W/\"b\""), "b", false),
            (counted.clone(), Some("\"8\""), "8", false),
            (counted, None, "7", false),
        ] {
            let version = Resource::new(value.clone(), header).version;
            assert_eq!(version, Some(Version { text: text.into(), is_field }), "{value} {header:?}");
        }
        assert_eq!(Resource::new(json!({"etag": ""}), None).version, None);
    }
}
