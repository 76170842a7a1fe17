//! The other places that a change of one value affects.

use workspace::view::OriginView;

use super::lines::Line;

/// The places that depend on the value of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Affected {
    /// Places that the same bytes wrote: through an alias, or as instances.
    pub(super) same_bytes: Vec<String>,
    /// Places that were inferred from it.
    pub(super) inferred: Vec<String>,
    /// Places whose `${…}` takes it.
    pub(super) references: Vec<String>,
}

impl Affected {
    /// All in a sentence; `None` when it is nobody.
    pub(super) fn sentence(&self) -> Option<String> {
        let parts = [
            ("also sets", &self.same_bytes),
            ("determines", &self.inferred),
            ("is used by", &self.references),
        ];
        let said: Vec<String> = parts
            .into_iter()
            .filter(|(_, places)| !places.is_empty())
            .map(|(verb, places)| format!("{verb} {}", listed(places)))
            .collect();
        (!said.is_empty()).then(|| format!("This value {}.", said.join(", and ")))
    }
}

fn listed(places: &[String]) -> String {
    let named: Vec<&str> = places.iter().take(3).map(String::as_str).collect();
    match places.len().saturating_sub(named.len()) {
        0 => named.join(", "),
        left => format!("{} and {left} more", named.join(", ")),
    }
}

/// Searches the document for the places that a line's value affects.
pub(super) fn affected(lines: &[Line], line: &Line) -> Affected {
    let mut found = Affected::default();
    let path = dotted(&line.pointer);
    for other in lines.iter().filter(|other| other.pointer != line.pointer && !other.continued) {
        match (&line.origin, &other.origin) {
            (Some(mine), Some(theirs)) if line.scalar && other.scalar && mine.location == theirs.location => {
                if other.is_inferred() {
                    found.inferred.push(dotted(&other.pointer))
                } else {
                    found.same_bytes.push(dotted(&other.pointer))
                }
            }
            (Some(mine), Some(theirs)) if other.is_inferred() && contains(theirs, mine) => {
                found.inferred.push(dotted(&other.pointer))
            }
            _ if takes(&other.text, &path) => found.references.push(dotted(&other.pointer)),
            _ => {}
        }
    }
    found
}

fn contains(outer: &OriginView, inner: &OriginView) -> bool {
    let (outer, inner) = (&outer.location, &inner.location);
    outer.file == inner.file && (outer.line, outer.column) == (inner.line, inner.column)
}

/// True if a text has a `${…}` of a path or of something below it.
fn takes(text: &str, path: &str) -> bool {
    !path.is_empty()
        && text.split("${").skip(1).filter_map(|part| part.split('}').next()).any(|inside| {
            inside
                .trim()
                .strip_prefix(path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
}

/// `/services/web/ports/0` as `services.web.ports[0]`.
pub(super) fn dotted(pointer: &str) -> String {
    let mut text = String::new();
    for part in pointer.split('/').skip(1).map(|part| part.replace("~1", "/").replace("~0", "~")) {
        match part.parse::<u32>() {
            Ok(_) if !text.is_empty() => text.push_str(&format!("[{part}]")),
            _ if text.is_empty() => text.push_str(&part),
            _ => text.push_str(&format!(".{part}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use workspace::view::MergeView;

    use super::{super::lines::lines, affected, dotted};

    #[test]
    fn a_value_reaches_aliases_inferences_and_references() {
        let at = |line: u32, rule: &str| {
            json!({"file": "a", "line": line, "column": 1, "end_line": line,
            "end_column": 9, "rule": rule, "shadowed": []})
        };
        let view: MergeView = serde_json::from_value(json!({
            "format": "", "diagnostics": [], "inferred": [],
            "document": {"x": {"port": 80}, "y": {"port": 80, "url": "http://h:${x.port}/"}, "z":
                {"port": 80}, "w": "${x.portal}"},
            "origins": {"/x/port": at(1, "set"), "/y/port": at(1, "set"), "/y/url": at(2, "set"), "/z/port":
                at(1, "inferred"), "/w": at(3, "set")}
        }))
        .expect("a view");
        let lines = lines(&view);
        let line = lines.iter().find(|line| line.pointer == "/x/port").expect("the line");
        let found = affected(&lines, line);
        assert_eq!(
            (found.same_bytes.join(" "), found.inferred.join(" "), found.references.join(" ")),
            ("y.port".into(), "z.port".into(), "y.url".into())
        );
        assert_eq!(
            found.sentence().as_deref(),
            Some("This value also sets y.port, and determines z.port, and is used by y.url.")
        );
    }

    #[test]
    fn pointers_read_as_paths() {
        assert_eq!(dotted("/services/web/ports/0"), "services.web.ports[0]");
        assert_eq!(dotted("/a~1b"), "a/b");
        assert_eq!(dotted(""), "");
    }
}
