//! Lines inside quotes and brackets, indented as libyaml allows and YAML 1.2 does not.

use diag::{FileId, Severity, TextEdit, apply_edits};
use planloom_syntax::edit::{remove, rename_key, set};
use planloom_syntax::{Limits, Node, Parse, parse};
use proptest::prelude::*;

use crate::lenient::check_fixes;

const FILE: FileId = FileId(0);

/// More cases than usual, as they are quick; `PROPTEST_CASES` still counts.
fn many() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases.saturating_mul(4), failure_persistence: None, ..usual }
}

/// Values whose lines after the first can be indented in any way.
const VALUES: [&[&str]; 9] = [
    &["\"one", "two", "three\""],
    &["'one", "", "it''s two'"],
    &["\"one\\", "two é 日本", "# three\""],
    &["[one,", "'two", "three'", "]"],
    &["{one: 1,", "two: [", "\"x", "y\"", "]", "}"],
    &["[", "one two", "three,", "# comment", "four#five]"],
    &["- \"one", "two\""],
    &["- a: [one,", "two]"],
    &["&a [", "one,", "\ttwo", "]# comment"],
];

/// A document in which each line of these values but the first is indented by the next of these numbers.
fn document(values: &[usize], indents: &[usize]) -> String {
    let mut out = String::from("first: 1\nservices:\n  web:\n    before: 2\n");
    let mut indents = indents.iter().cycle();
    for (idx, value) in values.iter().enumerate() {
        let (first, rest) = VALUES[*value].split_first().expect("a line");
        let blank = if first.starts_with('-') { "\n    " } else { " " };
        out += &format!("    k{idx}:{blank}{first}\n");
        for line in rest {
            let indent = if line.is_empty() { 0 } else { *indents.next().expect("a number") };
            out += &format!("{}{line}\n", " ".repeat(indent));
        }
    }
    out + "    after: 3 # comment\nlast: 4\n"
}

fn read(text: &str) -> Parse {
    parse(FILE, text, &Limits::default())
}

fn root(text: &str) -> Result<Node, TestCaseError> {
    let parse = read(text);
    let errors: Vec<_> = parse.diagnostics.iter().filter(|it| it.severity == Severity::Error).collect();
    prop_assert!(errors.is_empty() && !parse.document.partial, "{errors:#?}\n{text}");
    Ok(parse.document.root.expect("a value"))
}

fn path(keys: &[&str]) -> Vec<String> {
    keys.iter().map(|it| (*it).to_owned()).collect()
}

proptest! {
    #![proptest_config(many())]

    #[test]
    fn indentation_changes_no_value(
        values in prop::collection::vec(0..VALUES.len(), 1..6),
        indents in prop::collection::vec(0_usize..10, 1..12),
    ) {
        let text = document(&values, &indents);
        let regular = root(&document(&values, &[12]))?;
        prop_assert!(root(&text)?.same_value(&regular), "{text}");
        check_fixes(&text, &read(&text)).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn edits_elsewhere_keep_the_bytes(
        values in prop::collection::vec(0..VALUES.len(), 1..6),
        indents in prop::collection::vec(0_usize..10, 1..12),
    ) {
        let text = document(&values, &indents);
        let changed = |from: &str, to: &str| text.replacen(from, to, 1);
        let edited = |edits: Vec<TextEdit>| apply_edits(&text, &edits);
        let web = |key: &str| path(&["services", "web", key]);
        let changes = [
            (edited(set(FILE, &text, &path(&["first"]), "9").expect("an edit")), changed("first: 1", "first: 9")),
            (edited(set(FILE, &text, &web("after"), "9").expect("an edit")), changed("after: 3", "after: 9")),
            (edited(remove(FILE, &text, &web("before")).expect("an edit")), changed("    before: 2\n", "")),
            (edited(rename_key(FILE, &text, &web("after"), "z").expect("an edit")), changed("after:", "z:")),
            (edited(set(FILE, &text, &web("new"), "9").expect("an edit")), changed("# comment\nlast", "# comment\n    new: 9\nlast")),
        ];
        for (edited, expected) in changes {
            prop_assert_eq!(edited, expected);
        }
    }
}

/// The time of each is seconds where something is done again for each line or bracket.
#[test]
fn long_texts_are_read_in_one_go() {
    let lines = 40_000;
    let texts = [
        "a: [\n]\n".repeat(lines),
        format!("a: [\n{}]\n", "x,\n".repeat(lines)),
        format!("a: \"\n{}\"\n", "x\n".repeat(lines)),
        format!("a: \"\n{}\"\n", "\n".repeat(lines)),
        format!("{}\"x\ny\"\n", "- ".repeat(lines)),
        format!("{}[x\n{}]\n", " ".repeat(lines), "y\n".repeat(lines)),
        format!("a: {}\n", "[\n".repeat(lines)),
        format!("a: {}\n{}", "[\n".repeat(lines), "]\n".repeat(lines)),
        "\"a\"#\n".repeat(lines),
        "a:\tb\n".repeat(lines),
        format!("a: {}", "\"\n".repeat(lines)),
        format!("a: [{}", "\t\n".repeat(lines)),
        "a:\n|\n b\n".repeat(lines),
        "a: [\n@]\n".repeat(lines),
    ];
    for text in texts {
        let parse = read(&text);
        assert!(parse.diagnostics.len() < 2_000);
    }
}
