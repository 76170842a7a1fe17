//! The words of the code editor and of the elements of the npm package: `web/editor/src/values.ts` is generated from the table in
//! `words`. After a change of that table, `UPDATE_EXPECT=1 cargo test -p planloom-view` writes the file again.

use expect_test::expect_file;
use planloom_view::{Action, EdgeKind, MergeRule, words::ActionWords};

#[test]
fn the_editor_and_the_elements_have_the_words_of_the_table() {
    let file = [
        "// Generated from `crates/view/src/words.rs` by a test of that crate; do not edit.\n".to_owned(),
        union("MergeRule", MergeRule::WORDS),
        record("MergeRule", "rules", "The effect of a merge rule.", texts(MergeRule::ALL, MergeRule::phrase)),
        union("EdgeKind", EdgeKind::WORDS),
        record(
            "EdgeKind",
            "edges",
            "The phrase between a dependent and its dependency.",
            texts(EdgeKind::ALL, EdgeKind::phrase),
        ),
        union("Action", Action::WORDS),
        by_risk(),
        action("actions", "The symbol of a planned action.", |it| it.symbol),
        action("actionLabels", "The label of an action.", |it| it.word),
        action("actionHeadings", "The heading of a list of such actions.", |it| it.heading),
        action("actionsPast", "The description of a completed action.", |it| it.past),
        action("actionsFuture", "The description of a planned action.", |it| it.future),
        action("actionTones", "The name of the colour of an action.", |it| {
            it.tone.token().trim_start_matches('-')
        }),
    ];
    expect_file!["../../../web/editor/src/values.ts"].assert_eq(&file.concat());
}

fn action(constant: &str, doc: &str, text: impl Fn(ActionWords) -> &'static str) -> String {
    record("Action", constant, doc, texts(Action::ALL, |it| text(it.words())))
}

fn texts<T: Copy + ToString>(all: &[T], text: impl Fn(T) -> &'static str) -> Vec<(String, &'static str)> {
    all.iter().map(|it| (it.to_string(), text(*it))).collect()
}

/// A union of words.
fn union(name: &str, words: &[&str]) -> String {
    let words: String = words.iter().map(|word| format!("\n  | \"{word}\"")).collect();
    format!("\nexport type {name} ={words};\n")
}

/// A constant that has a text for each word of a union.
fn record(union: &str, constant: &str, doc: &str, texts: Vec<(String, &str)>) -> String {
    let rows: String = texts.iter().map(|(word, text)| format!("  {word}: \"{text}\",\n")).collect();
    format!("\n/** {doc} */\nexport const {constant}: Record<{union}, string> = {{\n{rows}}};\n")
}

fn by_risk() -> String {
    let rows: String = Action::BY_RISK.iter().map(|it| format!("  \"{it}\",\n")).collect();
    format!(
        "\n/** What loses something comes first. */\nexport const actionsByRisk: readonly Action[] = [\n{rows}];\n"
    )
}
