//! The lines that are shown, and those that a search finds.

use yew::AttrValue;

use super::lines::Line;
use crate::case;

/// The filter and the search text of the user.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Filter {
    /// Only lines of one sort, with the keys they lie under.
    pub(super) only: Option<Only>,
    /// A text to find: it marks, it does not hide.
    pub(super) find: AttrValue,
}

/// A sort of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Only {
    /// Another file had set another value.
    Overridden,
    /// No file sets it.
    Inferred,
}

impl Filter {
    /// The lines that are shown, by their place. A line brings the keys it lies under along, so that it can
    /// be read.
    pub(super) fn keep(&self, lines: &[Line]) -> Vec<usize> {
        let Some(only) = self.only else { return (0..lines.len()).collect() };
        let wanted = |line: &Line| match only {
            Only::Overridden => line.is_overridden(),
            Only::Inferred => line.is_inferred(),
        };
        let mut keep = Vec::new();
        let mut above = Vec::<(usize, &str)>::new();
        let mut last = None::<&str>;
        for (at, line) in lines.iter().enumerate() {
            above.retain(|(_, pointer)| is_under(&line.pointer, pointer));
            if wanted(line) || line.continued && last == Some(&line.pointer) {
                keep.extend(above.drain(..).map(|(at, _)| at));
                keep.push(at);
                last = Some(&line.pointer);
            } else if !line.scalar && !line.continued {
                above.push((at, &line.pointer));
            }
        }
        keep
    }

    /// The text that is shown when no line is left.
    pub(super) fn nothing(&self) -> &'static str {
        match self.only {
            Some(Only::Overridden) => "No value is overridden: the files do not contradict one another.",
            Some(Only::Inferred) => "No value is inferred: everything is written down.",
            None => "",
        }
    }
}

fn is_under(pointer: &str, parent: &str) -> bool {
    pointer.strip_prefix(parent).is_some_and(|rest| rest.starts_with('/'))
}

/// The lines that hold a text in their key or value, in order. Case does not matter.
pub(super) fn find(lines: &[Line], text: &str) -> Vec<usize> {
    let text = case::lower(text);
    if text.is_empty() {
        return Vec::new();
    }
    let has = |line: &Line| {
        let key = line.key.as_ref().is_some_and(|key| case::lower(key).contains(&text));
        key || case::lower(&line.text).contains(&text) || case::lower(&line.pointer).ends_with(&text)
    };
    lines.iter().enumerate().filter(|(_, line)| has(line)).map(|(at, _)| at).collect()
}

/// The hit after a line, or before it; round at the ends.
pub(super) fn next_hit(hits: &[usize], from: Option<usize>, back: bool) -> Option<usize> {
    let found = match from {
        Some(from) if back => hits.iter().rev().find(|hit| **hit < from),
        Some(from) => hits.iter().find(|hit| **hit > from),
        None => None,
    };
    found.or(if back { hits.last() } else { hits.first() }).copied()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use workspace::view::MergeView;

    use super::{super::lines::lines, Filter, Only, find, next_hit};

    fn view() -> MergeView {
        let origin = |rule: &str, shadowed: serde_json::Value| {
            json!({"file": "a", "line": 1, "column": 1, "end_line": 1, "end_column": 1, "rule": rule,
            "shadowed": shadowed})
        };
        let old = json!([{"file": "b", "line": 1, "column": 1, "end_line": 1, "end_column": 1, "rule": "set",
            "value": 1}]);
        serde_json::from_value(json!({
            "format": "", "diagnostics": [], "inferred": [],
            "document": {"a": {"b": {"c": 1, "d": 2}, "e": 3}, "f": {"g": "Text"}, "h": "x\ny"},
            "origins": {"/a/b/d": origin("override", old), "/f/g": origin("inferred", json!([]))}
        }))
        .expect("a view")
    }

    #[test]
    fn lines_bring_their_keys_along() {
        let lines = lines(&view());
        let keep = |only| {
            let filter = Filter { only, ..Filter::default() };
            filter.keep(&lines).into_iter().map(|at| lines[at].pointer.clone()).collect::<Vec<_>>()
        };
        assert_eq!(keep(Some(Only::Overridden)), ["/a", "/a/b", "/a/b/d"]);
        assert_eq!(keep(Some(Only::Inferred)), ["/f", "/f/g"]);
        assert_eq!(keep(None).len(), lines.len());
    }

    #[test]
    fn hits_go_round() {
        let hits = find(&lines(&view()), "T");
        assert_eq!(hits.len(), 1);
        assert_eq!(next_hit(&[3, 7], Some(3), false), Some(7));
        assert_eq!(next_hit(&[3, 7], Some(7), false), Some(3));
        assert_eq!(next_hit(&[3, 7], Some(3), true), Some(7));
        assert_eq!(next_hit(&[], Some(3), true), None);
        assert!(find(&lines(&view()), "").is_empty());
    }
}
