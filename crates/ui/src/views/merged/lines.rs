//! The merged document as lines of YAML, each with its place and its origin.

use serde_json::Value as Json;
use workspace::view::{LocationView, MergeView, OriginView};

use super::weave::{Woven, weave};
use crate::views::value::{self, Token};

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// Spaces before it.
    pub(super) indent: usize,
    /// Begins with `- `, once for every list that begins here.
    pub(super) dashes: usize,
    /// The key, quoted where YAML asks for it.
    pub(super) key: Option<String>,
    /// The value on this line; empty when it follows on the next ones.
    pub(super) text: String,
    /// The kind of the value.
    pub(super) token: Token,
    /// The place in the document.
    pub(super) pointer: String,
    /// It is the value's last line, and the value fits on a line: it can be changed here.
    pub(super) scalar: bool,
    /// Not the first line of its value.
    pub(super) continued: bool,
    /// The origin: of this place, or else of the nearest one around it.
    pub(super) origin: Option<OriginView>,
    /// The reason for a value that no file sets.
    pub(super) because: Option<String>,
}

impl Line {
    /// The file that wrote it.
    pub(super) fn file(&self) -> Option<&str> {
        self.origin.as_ref().map(|origin| origin.location.file.as_str())
    }

    /// The place that wrote it.
    pub(super) fn place(&self) -> Option<&LocationView> {
        self.origin.as_ref().map(|origin| &origin.location)
    }

    /// True if another file had set another value.
    pub(super) fn is_overridden(&self) -> bool {
        !self.continued && self.origin.as_ref().is_some_and(|origin| !origin.shadowed.is_empty())
    }

    /// True if nobody wrote it.
    pub(super) fn is_inferred(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.rule.is_inferred())
    }

    /// Its width in characters.
    pub(super) fn width(&self) -> usize {
        let key = self.key.as_ref().map_or(0, |key| key.chars().count() + 2);
        self.indent + self.dashes * 2 + key + self.text.chars().count()
    }

    /// Its value as it would be typed.
    pub(super) fn value(&self) -> &str {
        &self.text
    }
}

/// The lines of a document. Maps and lists that are empty, and short lists of plain values, take one line.
pub(super) fn lines(merge: &MergeView) -> Vec<Line> {
    let woven = weave(merge);
    let mut writer = Writer { woven: &woven, lines: Vec::new() };
    match &woven.document {
        Json::Null => {}
        Json::Object(map) if map.is_empty() => {}
        document => writer
            .value(Place { pointer: String::new(), indent: 0, dashes: 0, key: None, origin: None }, document),
    }
    writer.lines
}

/// The line of a place, or of the nearest one around it.
pub(super) fn line_of(lines: &[Line], pointer: &str) -> Option<usize> {
    let mut pointer = pointer;
    loop {
        if let Some(at) = lines.iter().position(|line| line.pointer == pointer) {
            return Some(at);
        }
        pointer = pointer.rsplit_once('/')?.0;
    }
}

/// The place of a value, and the text before it on its line.
struct Place<'a> {
    pointer: String,
    indent: usize,
    dashes: usize,
    key: Option<String>,
    origin: Option<&'a OriginView>,
}

struct Writer<'a> {
    woven: &'a Woven,
    lines: Vec<Line>,
}

impl<'a> Writer<'a> {
    fn value(&mut self, place: Place<'a>, value: &Json) {
        let place = Place { origin: self.woven.origins.get(&place.pointer).or(place.origin), ..place };
        match value {
            Json::Object(map) if !map.is_empty() => self.map(place, map),
            Json::Array(items) if !items.is_empty() => self.list(place, items),
            Json::String(text) if is_block(text) => self.block(&place, text),
            value => self.line(&place, value::flow(value), Token::of(value), true, false),
        }
    }

    /// The first key of a map that stands in a list shares the line of the dash.
    fn map(&mut self, place: Place<'a>, map: &serde_json::Map<String, Json>) {
        let (indent, mut dashes) = self.open(&place);
        for (key, value) in map {
            let below = Place {
                pointer: format!("{}/{}", place.pointer, key.replace('~', "~0").replace('/', "~1")),
                indent: if dashes > 0 { place.indent } else { indent },
                dashes,
                key: Some(value::quoted(key)),
                origin: place.origin,
            };
            self.value(below, value);
            dashes = 0;
        }
    }

    fn list(&mut self, place: Place<'a>, items: &[Json]) {
        let (indent, mut dashes) = self.open(&place);
        for (at, item) in items.iter().enumerate() {
            let below = Place {
                pointer: format!("{}/{at}", place.pointer),
                indent: if dashes > 0 { place.indent } else { indent },
                dashes: dashes + 1,
                key: None,
                origin: place.origin,
            };
            self.value(below, item);
            dashes = 0;
        }
    }

    /// Writes the line that a map or list begins with, when it has a key; returns the indentation of its members and
    /// the number of dashes that the first of them inherits.
    fn open(&mut self, place: &Place<'a>) -> (usize, usize) {
        let within = place.indent + place.dashes * 2;
        if place.key.is_none() {
            return (within, place.dashes);
        }
        self.line(place, String::new(), Token::Mark, false, false);
        (within + 2, 0)
    }

    /// A text of several lines, as a literal block.
    fn block(&mut self, place: &Place<'a>, text: &str) {
        let end = if text.ends_with('\n') { "|" } else { "|-" };
        self.line(place, end.into(), Token::Mark, false, false);
        let indent = place.indent + place.dashes * 2 + if place.key.is_some() { 2 } else { 0 };
        let token = Token::of(&Json::String(text.to_owned()));
        for line in text.lines() {
            let below =
                Place { pointer: place.pointer.clone(), indent, dashes: 0, key: None, origin: place.origin };
            self.line(&below, line.to_owned(), token, false, true);
        }
    }

    fn line(&mut self, place: &Place<'a>, text: String, token: Token, scalar: bool, continued: bool) {
        self.lines.push(Line {
            indent: place.indent,
            dashes: place.dashes,
            key: place.key.clone(),
            text,
            token,
            pointer: place.pointer.clone(),
            scalar,
            continued,
            origin: place.origin.cloned(),
            because: self.woven.because.get(&place.pointer).cloned(),
        });
    }
}

/// Texts of several lines that a block can hold as they are.
fn is_block(text: &str) -> bool {
    let fits = |c: char| c == '\n' || !c.is_control();
    text.trim_end_matches('\n').contains('\n')
        && !text.starts_with([' ', '\n'])
        && !text.ends_with("\n\n")
        && text.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use workspace::view::{InferredView, LocationView, MergeRule, MergeView, OriginView, ShadowedView};

    use super::{Line, line_of, lines};

    fn merge(document: Json) -> MergeView {
        MergeView { format: String::new(), document, origins: None, inferred: vec![], diagnostics: vec![] }
    }

    fn shown(line: &Line) -> String {
        let key = line.key.as_ref().map(|key| format!("{key}:")).unwrap_or_default();
        let space = if key.is_empty() || line.text.is_empty() { "" } else { " " };
        format!("{}{}{key}{space}{}", " ".repeat(line.indent), "- ".repeat(line.dashes), line.text)
    }

    #[track_caller]
    fn check(document: Json, expected: &[&str]) {
        let all = lines(&merge(document));
        assert_eq!(all.iter().map(shown).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn maps_and_lists() {
        check(
            json!({"a": {"b": 1, "no": []}, "c": ["x", {"d": 1, "e": {"f": null}}, ["k", ["z"]], {}]}),
            &[
                "a:",
                "  b: 1",
                "  \"no\": []",
                "c:",
                "  - x",
                "  - d: 1",
                "    e:",
                "      f: null",
                "  - - k",
                "    - - z",
                "  - {}",
            ],
        );
        check(json!({}), &[]);
        check(json!(null), &[]);
        check(json!([1]), &["- 1"]);
    }

    #[test]
    fn texts_of_several_lines_are_blocks() {
        check(
            json!({"a": "x\ny\n", "b": "x\ny", "c": " x\ny"}),
            &["a: |", "  x", "  y", "b: |-", "  x", "  y", "c: \" x\\ny\""],
        );
        check(json!(["x\ny"]), &["- |-", "  x", "  y"]);
    }

    #[test]
    fn inferred_values_have_a_reason() {
        let mut view = merge(json!({"services": {"web": {"payload": "x"}}}));
        let origin = LocationView { file: "base".into(), line: 3, column: 1, end_line: 3, end_column: 4 };
        view.inferred = vec![InferredView {
            pointer: "/services/web/instances".into(),
            value: json!(1),
            rule: MergeRule::Default,
            because: "one is the default".into(),
            origin,
        }];
        let all = lines(&view);
        let last = all.last().expect("a line");
        assert_eq!((shown(last).as_str(), last.is_inferred()), ("    instances: 1", true));
        assert_eq!(last.because.as_deref(), Some("one is the default"));
    }

    #[test]
    fn a_line_knows_who_wrote_it() {
        let place = |file: &str, line| LocationView {
            file: file.into(),
            line,
            column: 1,
            end_line: line,
            end_column: 2,
        };
        let origin = |file, line, rule: MergeRule, shadowed| OriginView {
            location: place(file, line),
            rule,
            shadowed,
        };
        let shadowed =
            vec![ShadowedView { location: place("base", 2), rule: MergeRule::Set, value: json!(1) }];
        let mut view = merge(json!({"a": {"b": 2, "c~/": 3}, "d": 4}));
        view.origins = Some(
            [
                ("/a".to_owned(), origin("base", 1, MergeRule::Set, vec![])),
                ("/a/b".to_owned(), origin("prod", 2, MergeRule::Override, shadowed)),
                ("/a/c~0~1".to_owned(), origin("base", 3, MergeRule::Inferred, vec![])),
            ]
            .into(),
        );
        let all = lines(&view);
        let files: Vec<_> =
            all.iter().map(|line| (line.file(), line.is_overridden(), line.is_inferred())).collect();
        assert_eq!(
            files,
            [
                (Some("base"), false, false),
                (Some("prod"), true, false),
                (Some("base"), false, true),
                (None, false, false)
            ]
        );
        assert_eq!(line_of(&all, "/a/b/deeper"), Some(1));
        assert_eq!(line_of(&all, "/nowhere"), None);
    }
}
