//! Documents as `opm` writes them in YAML, without the parts that are not used, which are most of a catalog.
//!
//! Only lines are examined, and only where their meaning is certain: a line at the left edge is never inside
//! of a value, and neither is a line of a list's item that starts where the item's keys do.

use diag::FileId;

use super::{
    bulk::{DocumentPart, MIN_KUBE, UNUSED},
    source_map::SourceMap,
};

/// The part of a document that is used, and its place in the file.
#[derive(Debug)]
pub(super) struct Condensed {
    pub(super) text: String,
    pub(super) place: SourceMap,
    /// True if anything was left out.
    pub(super) is_shorter: bool,
}

/// Leaves out the large parts that are not used.
pub(super) fn condense(file: FileId, text: &str, start: usize) -> Condensed {
    let place = SourceMap::at(file, start);
    let mut lines = Lines {
        condensed: Condensed { text: String::with_capacity(text.len() / 8), place, is_shorter: false },
        start,
        gap: false,
    };
    let mut state = State::Top;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (next, kept) = state.next(line);
        state = next;
        lines.add(line, at, kept);
        at += line.len();
    }
    lines.condensed
}

struct Lines {
    condensed: Condensed,
    start: usize,
    gap: bool,
}

impl Lines {
    fn add(&mut self, line: &str, at: usize, kept: bool) {
        let condensed = &mut self.condensed;
        if !kept {
            self.gap = true;
            condensed.is_shorter = true;
            return;
        }
        if std::mem::take(&mut self.gap) {
            condensed.place.jump(condensed.text.len(), self.start + at);
        }
        condensed.text.push_str(line);
    }
}

/// The blocks that are open at a line.
#[derive(Clone, Copy, Debug)]
enum State {
    /// Nothing that can be left out.
    Top,
    /// A value at the left edge that is not used.
    Unused,
    /// The properties; the dashes of the items are in this column, once there is one.
    Properties { dash: Option<usize>, part: DocumentPart },
    /// The value of a property; its keys are in this column, once there is one.
    Value { dash: usize, part: DocumentPart, keys: Option<usize> },
}

impl State {
    /// The state after a line, and whether the line is kept.
    fn next(self, line: &str) -> (Self, bool) {
        let content = line.trim_start_matches(' ');
        let indent = line.len() - content.len();
        let content = content.trim_end();
        if content.is_empty() {
            return (self, !matches!(self, Self::Unused | Self::Value { .. }));
        }
        let is_item = content == "-" || content.starts_with("- ");
        match self {
            Self::Unused if indent > 0 || is_item => (self, false),
            Self::Value { dash, part, keys } if indent > dash + 2 => {
                let keys = keys.unwrap_or(indent);
                let counts =
                    part == DocumentPart::Metadata && indent == keys && key(content) == Some(MIN_KUBE);
                (Self::Value { dash, part, keys: Some(keys) }, counts)
            }
            Self::Properties { dash, part } if indent > 0 || is_item => {
                (Self::in_properties(dash, part, indent, content, is_item), true)
            }
            Self::Value { dash, part, .. } if indent > 0 || is_item => {
                (Self::in_properties(Some(dash), part, indent, content, is_item), true)
            }
            Self::Top if indent > 0 => (self, true),
            _ => (Self::top(content), true),
        }
    }

    /// The state after a line at the left edge.
    fn top(content: &str) -> Self {
        match content.strip_suffix(':') {
            Some(key) if UNUSED.contains(&key) => Self::Unused,
            Some("properties") => Self::Properties { dash: None, part: DocumentPart::Other },
            _ => Self::Top,
        }
    }

    fn in_properties(
        dash: Option<usize>,
        part: DocumentPart,
        indent: usize,
        content: &str,
        is_item: bool,
    ) -> Self {
        match dash {
            None if is_item => Self::item(indent, content),
            Some(dash) if is_item && dash == indent => Self::item(indent, content),
            Some(dash) if indent == dash + 2 && content == "value:" && part != DocumentPart::Other => {
                Self::Value { dash, part, keys: None }
            }
            _ => Self::Properties { dash, part },
        }
    }

    fn item(dash: usize, content: &str) -> Self {
        let part = content.strip_prefix("- type: ").map_or(DocumentPart::Other, DocumentPart::of_type);
        Self::Properties { dash: Some(dash), part }
    }
}

fn key(content: &str) -> Option<&str> {
    content.split_once(':').map(|(key, _)| key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_bulky_is_left_out() {
        let bundle = "properties:\n- type: olm.csv.metadata\n  value:\n";
        let cases = [
            ("description: |\n  icon:\n    x\nname: p\n", "description: |\n  icon:\n    x\nname: p\n"),
            ("icon: {a: 1}\nname: p\n", "icon: {a: 1}\nname: p\n"),
            ("icon:\n  a: b\n\n  c: d\nname: p\n", "icon:\nname: p\n"),
            ("relatedImages:\n- a\n-\n  b\nname: p\n", "relatedImages:\nname: p\n"),
            ("relatedImages:\n  - a\n", "relatedImages:\n"),
            ("a:\n  properties:\n  - type: olm.bundle.object\n    value:\n      b: c\n", ""),
            ("properties:\n- value:\n    a: b\n  type: olm.bundle.object\n", ""),
            (
                "properties:\n- type: olm.bundle.object\n  value:\n    data: x\n- type: a\n  value:\n    b: c\n",
                "properties:\n- type: olm.bundle.object\n  value:\n- type: a\n  value:\n    b: c\n",
            ),
            (
                "properties:\n  - type: olm.bundle.object\n    value:\n      data: x\nname: p\n",
                "properties:\n  - type: olm.bundle.object\n    value:\nname: p\n",
            ),
            (
                &format!(
                    "{bundle}    a:\n      minKubeVersion: no\n\n    minKubeVersion: 1.0.0\n    b: |\n\n      c\n- type: a\n"
                ),
                &format!("{bundle}    minKubeVersion: 1.0.0\n- type: a\n"),
            ),
            ("properties:\n- type: olm.bundle.object\n  other:\n    data: x\n  value: {data: x}\n", ""),
        ];
        for (text, expected) in cases {
            let expected = if expected.is_empty() { text } else { expected };
            let condensed = condense(FileId(0), text, 0);
            assert_eq!(condensed.text, expected, "{text}");
            assert_eq!(condensed.is_shorter, text != expected, "{text}");
        }
    }
}
