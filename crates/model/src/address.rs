use std::{fmt, str::FromStr, sync::Arc};

/// Names a resource everywhere: `services.web`, or `services.web[0]` where the service says `instances`.
///
/// Names may hold anything a YAML key may; a name with `.`, `[`, `]`, `"` or white space is written
/// `services."a.b"`, and so is every name in a collection with a dot: `iam.example.com/Role."projects/p/roles/admin"`. So the
/// first `."` ends a collection, or else the first dot. Ordered by collection, name, then instance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// The map the resource is declared in, e.g. `services`.
    pub collection: Arc<str>,
    /// Its key there.
    pub name: Arc<str>,
    /// The index of the instance, from 0, if the resource has a number of instances.
    pub instance: Option<u32>,
}

impl Address {
    /// `collection.name`.
    pub fn new(collection: impl Into<Arc<str>>, name: impl Into<Arc<str>>) -> Self {
        Self { collection: collection.into(), name: name.into(), instance: None }
    }

    /// The same resource's instance `n`.
    #[must_use]
    pub fn instance(&self, n: u32) -> Self {
        Self { instance: Some(n), ..self.clone() }
    }

    /// The address without its instance.
    #[must_use]
    pub fn declaration(&self) -> Self {
        Self { instance: None, ..self.clone() }
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(|c: char| matches!(c, '.' | '[' | ']' | '"' | '\\') || c.is_whitespace())
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_plain(&self.name) && !self.collection.contains('.') {
            write!(f, "{}.{}", self.collection, self.name)?;
        } else {
            let quoted = self.name.replace('\\', "\\\\").replace('"', "\\\"");
            write!(f, "{}.\"{quoted}\"", self.collection)?;
        }
        match self.instance {
            Some(n) => write!(f, "[{n}]"),
            None => Ok(()),
        }
    }
}

/// The text is not an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressError;

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an address is `collection.name` or `collection.name[0]`")
    }
}

impl std::error::Error for AddressError {}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let (collection, (name, rest)) = if let Some((collection, quoted)) = text.split_once(".\"") {
            (collection, unquote(quoted).ok_or(AddressError)?)
        } else {
            let (collection, rest) = text.split_once('.').ok_or(AddressError)?;
            let end = rest.find('[').unwrap_or(rest.len());
            (collection, (rest[..end].to_owned(), &rest[end..]))
        };
        let instance = match rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(digits) => Some(digits.parse().map_err(|_| AddressError)?),
            None if rest.is_empty() => None,
            None => return Err(AddressError),
        };
        if collection.is_empty() {
            return Err(AddressError);
        }
        Ok(Self { collection: collection.into(), name: name.into(), instance })
    }
}

/// The text up to the closing quote, in which `\` takes the next character as it is, and what follows it.
pub fn unquote(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((name, &text[at + 1..])),
            '\\' => name.push(chars.next()?.1),
            _ => name.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_reads_back_as_written() {
        for text in [
            "services.web",
            "services.db-main[12]",
            "networks.\"a.b c\"",
            "x.\"q\\\"\\\\\"[0]",
            "services.\"\"",
            "iam.example.com/Role.\"projects/p/roles/a.b\"",
            "iam.example.com/Role.\"admin\"",
        ] {
            assert_eq!(text.parse::<Address>().map(|it| it.to_string()).as_deref(), Ok(text));
        }
        for text in ["", "web", "services.web[", "services.web[x]", "services.\"web", ".web"] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
