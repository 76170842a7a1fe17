//! The allowed differences between our reading and that of PyYAML, each with its reason.

use diag::Diagnostic;
use planloom_syntax::{Node, NodeData, Style};
use serde_json::Value as Json;

/// The characters that are line breaks in YAML 1.1 and text in YAML 1.2.
const OTHER_BREAKS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];
const BREAKS: &str = "NEL, LS and PS are text in YAML 1.2, and line breaks in YAML 1.1";
const LAST_LINE: &str =
    "the last line of a text block ends with the file, with or without a line break behind it";

/// The reason why we may refuse a text that PyYAML reads.
pub(crate) fn refusal(text: &str, error: &Diagnostic) -> Option<&'static str> {
    match error.code.as_str() {
        _ if text.contains(OTHER_BREAKS) => Some(BREAKS),
        _ if text.contains('\u{feff}') => {
            Some("refused: a byte order mark inside the text, which nobody can see")
        }
        "syntax/duplicate-key" => Some("refused: a key that is there twice, which hides a value"),
        "syntax/recursive-alias" => Some("refused: an alias inside what it stands for, which has no end"),
        "syntax/invisible-character" => {
            Some("refused: a key with a character that nobody can see, which may look like another key")
        }
        "syntax/key-not-text" => Some("refused: a key that is not text"),
        _ => None,
    }
}

/// An allowed difference of a scalar: its reason, and the condition on the scalar as it is written, on its kind in YAML 1.1 and
/// on our value.
type Row = (&'static str, fn(text: &str, kind: &str, ours: &NodeData) -> bool);

/// The unquoted scalars that YAML 1.1 and the core schema of YAML 1.2 read differently.
const SCALARS: [Row; 7] = [
    ("`yes`, `no`, `on` and `off` are text", |text, kind, ours| kind == "bool" && is_text(ours, text)),
    ("`2024-01-01` is text", |text, kind, ours| kind == "other" && is_text(ours, text)),
    ("`0b1` is text", |text, kind, ours| {
        kind == "int" && digits(text).starts_with("0b") && is_text(ours, text)
    }),
    ("`1_000` and `1:30` are text", |text, kind, ours| {
        matches!(kind, "int" | "float") && text.contains(['_', ':']) && is_text(ours, text)
    }),
    (
        "`0755` is decimal",
        |text, kind, ours| matches!(ours, NodeData::Int(it) if kind == "int" && digits(text).starts_with('0') && text.parse() == Ok(*it)),
    ),
    ("`0o17` is octal", |text, kind, ours| {
        let octal = digits(text).strip_prefix("0o").and_then(|it| i64::from_str_radix(it, 8).ok());
        matches!(ours, NodeData::Int(it) if kind == "text" && octal == Some(it.abs()))
    }),
    (
        "`1e3` is a number",
        |text, kind, ours| matches!(ours, NodeData::Float(it) if kind == "text" && text.parse() == Ok(*it)),
    ),
];

fn digits(text: &str) -> &str {
    text.trim_start_matches(['-', '+'])
}

fn is_text(ours: &NodeData, text: &str) -> bool {
    matches!(ours, NodeData::String(it, _) if **it == *text)
}

/// Checks that both read the same, and returns the reasons of the known differences.
///
/// # Errors
///
/// The difference, if its reason is not known.
pub(crate) fn compare(ours: Option<&Node>, theirs: &Json, text: &str) -> Result<Vec<&'static str>, String> {
    let is_nothing = theirs[0] == "nothing" || theirs[1] == "null";
    let mut known = Vec::new();
    let same = match ours {
        Some(ours) => Comparison { text, known: &mut known }.nodes(ours, theirs),
        None => is_nothing,
    };
    match ours {
        _ if same => Ok(known),
        _ if text.contains(OTHER_BREAKS) => Ok(vec![BREAKS]),
        Some(ours) => Err(format!("they read {theirs}\nwe read\n{}", planloom_syntax::emit(ours))),
        None => Err(format!("they read {theirs}\nwe read nothing")),
    }
}

struct Comparison<'a> {
    text: &'a str,
    known: &'a mut Vec<&'static str>,
}

impl Comparison<'_> {
    fn nodes(&mut self, ours: &Node, theirs: &Json) -> bool {
        match (&ours.data, theirs[0].as_str()) {
            (NodeData::Sequence(items), Some("list")) => {
                let list = theirs[1].as_array().expect("a list");
                items.len() == list.len()
                    && items.iter().zip(list).all(|(ours, theirs)| self.nodes(ours, theirs))
            }
            (NodeData::Mapping(mapping), Some("map")) => {
                let mut theirs: Vec<(&str, &Json)> = theirs[1]
                    .as_array()
                    .expect("a list")
                    .iter()
                    .map(|it| (field(&it[0], 3), &it[1]))
                    .collect();
                let mut ours: Vec<(&str, &Node)> =
                    mapping.entries.iter().map(|it| (&*it.key, &it.value)).collect();
                theirs.sort_by_key(|it| it.0);
                ours.sort_by_key(|it| it.0);
                ours.len() == theirs.len()
                    && ours
                        .iter()
                        .zip(theirs)
                        .all(|(ours, theirs)| ours.0 == theirs.0 && self.nodes(ours.1, theirs.1))
            }
            (_, Some("scalar")) => self.scalars(ours, theirs),
            _ => false,
        }
    }

    fn scalars(&mut self, ours: &Node, theirs: &Json) -> bool {
        let (kind, value, text) = (field(theirs, 1), field(theirs, 2), field(theirs, 3));
        let same = match &ours.data {
            NodeData::Null => kind == "null",
            NodeData::Bool(it) => kind == "bool" && value == it.to_string(),
            NodeData::Int(it) => kind == "int" && value == it.to_string(),
            NodeData::Float(it) if it.is_nan() => kind == "float" && value == "nan",
            NodeData::Float(it) => kind == "float" && value == format!("{:016x}", it.to_bits()),
            NodeData::String(it, _) => kind == "text" && **it == *value,
            NodeData::Sequence(_) | NodeData::Mapping(_) => return false,
        };
        let is_plain = theirs[4] == true;
        let reason = match &ours.data {
            _ if same => return true,
            NodeData::String(it, Style::Literal | Style::Folded)
                if !self.text.ends_with(['\n', '\r']) && it.strip_suffix('\n') == Some(value) =>
            {
                Some(LAST_LINE)
            }
            data if is_plain => SCALARS.iter().find(|(_, holds)| holds(text, kind, data)).map(|it| it.0),
            _ => None,
        };
        self.known.extend(reason);
        reason.is_some()
    }
}

fn field(scalar: &Json, at: usize) -> &str {
    scalar[at].as_str().unwrap_or_default()
}
