//! The words of the code editor: `web/editor/src/values.ts` is generated from the table in `words`. After a change of
//! that table, `UPDATE_EXPECT=1 cargo test -p planloom-view` writes the file again.

use expect_test::expect_file;
use planloom_view::{Action, MergeRule};

#[test]
fn the_editor_has_the_words_of_the_table() {
    let rules = MergeRule::ALL.iter().map(|it| (it.as_str(), it.phrase()));
    let actions = Action::ALL.iter().map(|it| (it.as_str(), it.words().symbol));
    let file = format!(
        "// Generated from `crates/view/src/words.rs` by a test of that crate; do not edit.\n{}{}",
        record("MergeRule", "rules", "The effect of a merge rule.", rules),
        record("Action", "actions", "The symbol of a planned action.", actions)
    );
    expect_file!["../../../web/editor/src/values.ts"].assert_eq(&file);
}

/// A union of words, and a constant that has a text for each.
fn record<'a>(
    union: &str,
    constant: &str,
    doc: &str,
    texts: impl Iterator<Item = (&'a str, &'a str)>,
) -> String {
    let texts: Vec<_> = texts.collect();
    let words: String = texts.iter().map(|(word, _)| format!("\n  | \"{word}\"")).collect();
    let rows: String = texts.iter().map(|(word, text)| format!("  {word}: \"{text}\",\n")).collect();
    format!(
        "\nexport type {union} ={words};\n\n/** {doc} */\nexport const {constant}: Record<{union}, string> = {{\n{rows}}};\n"
    )
}
