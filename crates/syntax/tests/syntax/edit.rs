//! Edits of texts, one line a case.

use diag::{FileId, TextEdit, apply_edits};
use planloom_syntax::edit::{EditError, insert, remove, rename_key, set};
use planloom_syntax::{Limits, parse};

const FILE: FileId = FileId(0);

fn path(path: &str) -> Vec<String> {
    path.split('/').filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

#[track_caller]
fn check(text: &str, edits: Result<Vec<TextEdit>, EditError>, expected: &str) {
    let edited = apply_edits(text, &edits.expect("an edit"));
    assert_eq!(edited, expected);
    assert!(!parse(FILE, &edited, &Limits::default()).document.partial);
}

#[track_caller]
fn check_set(text: &str, at: &str, value: &str, expected: &str) {
    check(text, set(FILE, text, &path(at), value), expected);
}

#[track_caller]
fn check_remove(text: &str, at: &str, expected: &str) {
    check(text, remove(FILE, text, &path(at)), expected);
}

#[test]
fn a_scalar_is_replaced_in_place() {
    check_set("a: 1 # one\nb: 2\n", "a", "3", "a: 3 # one\nb: 2\n");
    check_set("a: 'x'\n", "a", "\"y\"", "a: \"y\"\n");
    check_set("a:\nb: 2\n", "a", "3", "a: 3\nb: 2\n");
    check_set("a: # one\nb: 2\n", "a", "3", "a: 3 # one\nb: 2\n");
    check_set("a: &x 1\nb: *x\n", "a", "3", "a: &x 3\nb: *x\n");
    check_set("a: !reset\nb: 2\n", "a", "3", "a: !reset 3\nb: 2\n");
    check_set("- 1\n-\n- 3\n", "1", "2", "- 1\n- 2\n- 3\n");
    check_set("a: |  # header\n  text\n  more\nb: 1\n", "a", "x", "a: x # header\nb: 1\n");
    check_set("a: \"x\n  y\" # c\n", "a", "1", "a: 1 # c\n");
    check_set("a: {b: 1, c: [1, 2]} # c\n", "a/c/1", "x y", "a: {b: 1, c: [1, x y]} # c\n");
    check_set("a: {b, c: }\n", "a/b", "1", "a: {b: 1, c: }\n");
    check_set("a: {b, c: }\n", "a/c", "1", "a: {b, c: 1 }\n");
    check_set("é: ü # ö\n", "é", "ä", "é: ä # ö\n");
    check_set("x", "", "y", "y");
}

#[test]
fn blocks_and_brackets_replace_each_other() {
    check_set("a:\n  b: 1 # gone\n  # gone\n  c: 2\nd: 3\n", "a", "1", "a: 1\nd: 3\n");
    check_set("a: # kept\n  b: 1\nd: 3\n", "a", "[x, y]", "a: [x, y] # kept\nd: 3\n");
    check_set("a: 1 # kept\nd: 3\n", "a", "b: 1\nc: 2", "a: # kept\n  b: 1\n  c: 2\nd: 3\n");
    check_set(
        "a:\n    x: 1\nd: 3\n",
        "d",
        "- 1\n- b: 2\n  c: 3\n",
        "a:\n    x: 1\nd:\n    - 1\n    - b: 2\n      c: 3\n",
    );
    check_set("- 1\n- 2", "1", "b: 1\nc: 2", "- 1\n- b: 1\n  c: 2");
    check_set("- b: 1\n  c: 2\n- 2\n", "0", "x", "- x\n- 2\n");
    check_set("a: [1, 2]\n", "a/0", "b: 1\nc: 2", "a: [{b: 1, c: 2}, 2]\n");
    check_set("a:\n  b: 1\n", "a/b", "|\n  x\n  y\n", "a:\n  b: |\n    x\n    y\n");
    check_set("a: [b]\n", "a/0", "|\n  x\n  y\n", "a: [\"x\\ny\\n\"]\n");
    check_set("a: 1\r\nb: 2\r\n", "a", "c: 1\nd: 2", "a:\r\n  c: 1\r\n  d: 2\r\nb: 2\r\n");
}

#[test]
fn missing_parents_are_added() {
    check_set("a: 1\n# end\n", "b", "2", "a: 1\nb: 2\n# end\n");
    check_set("a: 1", "b/c/d", "2", "a: 1\nb:\n  c:\n    d: 2");
    check_set(
        "a:\n    b: 1 # one\n\nz: 1\n",
        "a/c/d",
        "2",
        "a:\n    b: 1 # one\n    c:\n      d: 2\n\nz: 1\n",
    );
    check_set("a: {b: 1}\n", "a/c/d", "2", "a: {b: 1, c: {d: 2}}\n");
    check_set("a: {}\n", "a/c", "0x10", "a: {c: 0x10}\n");
    check_set("a: []\n", "a/0", "1", "a: [1]\n");
    check_set("a:\nb: 1\n", "a/c", "1", "a:\n  c: 1\nb: 1\n");
    check_set("a:\n  - 1\n  - x: 1\nb: 1\n", "a/2", "3", "a:\n  - 1\n  - x: 1\n  - 3\nb: 1\n");
    check_set("a:\n- 1\nb: 1\n", "a/1", "x: 1\ny: 2", "a:\n- 1\n- x: 1\n  y: 2\nb: 1\n");
    check_set("a:\n  - x: 1\n", "a/0/z", "2", "a:\n  - x: 1\n    z: 2\n");
    check_set("", "a/b", "1", "a:\n  b: 1\n");
    check_set("# only\n", "a", "1", "# only\na: 1\n");
    check_set("# only", "a", "1", "# only\na: 1");
    check_set("a: |+\n  x\n\n", "b", "1", "a: |+\n  x\n\nb: 1\n");
    check_set("a: 1\r\n", "b", "2", "a: 1\r\nb: 2\r\n");
    check_set("base: &b {x: 1}\na:\n  <<: *b\n", "a/x", "2", "base: &b {x: 1}\na:\n  <<: *b\n  x: 2\n");
    check_set("a: 1\n", "no: way", "2", "a: 1\n'no: way': 2\n");
    check_set("a: {b: 1}\n", "a/x,y", "2", "a: {b: 1, \"x,y\": 2}\n");
}

#[test]
fn items_are_inserted() {
    let check_insert = |text: &str, at: &str, value: &str, expected: &str| {
        check(text, insert(FILE, text, &path(at), value), expected);
    };
    check_insert("- a # a\n# of b\n- b\n", "1", "x", "- a # a\n- x\n# of b\n- b\n");
    check_insert("a:\n  - b\n", "a/0", "x: 1\ny: 2", "a:\n  - x: 1\n    y: 2\n  - b\n");
    check_insert("a: [b, c]\n", "a/1", "x", "a: [b, x, c]\n");
    check_insert("a: [b, c]\n", "a/2", "x", "a: [b, c, x]\n");
    check_insert("- - a\n  - b\n", "0/0", "x", "- - x\n  - a\n  - b\n");
}

#[test]
fn entries_go_with_their_comments() {
    check_remove("# head\n\n# of a\n# too\na: 1 # one\n# of b\nb: 2\n", "a", "# head\n\n# of b\nb: 2\n");
    check_remove("a: 1\nb: 2", "b", "a: 1");
    check_remove("a: 1\r\nb: 2\r\nc: 3\r\n", "b", "a: 1\r\nc: 3\r\n");
    check_remove("a:\n  x: 1\n  y: 2\nb: 2\n", "a", "b: 2\n");
    check_remove("a: # c\n  x: 1\nb: 2\n", "a/x", "a: {} # c\nb: 2\n");
    check_remove("a:\n- 1\nb: 2\n", "a/0", "a: []\nb: 2\n");
    check_remove("a: 1\n", "a", "{}\n");
    check_remove("- a\n# of b\n- b\n- c\n", "1", "- a\n- c\n");
    check_remove("- a: 1\n  b: 2\n", "0/a", "- b: 2\n");
    check_remove("- a: 1\n  # of b\n  b: 2\n", "0/a", "-\n  # of b\n  b: 2\n");
    check_remove("- - a\n  - b\n", "0/0", "- - b\n");
    check_remove("a: {b: 1, c: 2, d: 3}\n", "a/b", "a: {c: 2, d: 3}\n");
    check_remove("a: {b: 1, c: 2, d: 3}\n", "a/d", "a: {b: 1, c: 2}\n");
    check_remove("a: {b: 1}\n", "a/b", "a: {}\n");
    check_remove("a: [1, [2], 3]\n", "a/1", "a: [1, 3]\n");
    check_remove("a: |\n  x\n\nb: 1\n", "a", "\nb: 1\n");
    check_remove("? a\n: 1\n? b\n: 2\n", "b", "? a\n: 1\n");
}

#[test]
fn keys_are_renamed_in_place() {
    let check_rename = |text: &str, at: &str, key: &str, expected: &str| {
        check(text, rename_key(FILE, text, &path(at), key), expected);
    };
    check_rename("nodes: # old\n  a: 1\n", "nodes", "services", "services: # old\n  a: 1\n");
    check_rename("a: {'b': 1}\n", "a/b", "x, y", "a: {\"x, y\": 1}\n");
    check_rename("a: 1\n", "a", "no", "\"no\": 1\n");
    check_rename("a: 1\n", "a", "", "\"\": 1\n");
    // A name has no line break in it.
    assert_eq!(rename_key(FILE, "a: 1\n", &path("a"), "x\ny"), Err(EditError::WouldBreak));
}

#[test]
fn impossible_edits_are_refused() {
    let refused = |edits: Result<Vec<TextEdit>, EditError>| edits.unwrap_err();
    assert_eq!(refused(set(FILE, "a: [\n", &path("a"), "1")), EditError::Unreadable);
    assert_eq!(refused(set(FILE, "a: 1\n", &path("a"), "[")), EditError::Unreadable);
    assert_eq!(refused(set(FILE, "a: 1\n", &path("a/b"), "1")), EditError::NoSuchPlace);
    assert_eq!(refused(set(FILE, "a: [1]\n", &path("a/5"), "1")), EditError::NoSuchPlace);
    assert_eq!(refused(remove(FILE, "a: 1\n", &path("b"))), EditError::NoSuchPlace);
    assert_eq!(refused(remove(FILE, "a: 1\n", &[])), EditError::NoSuchPlace);
    assert_eq!(refused(rename_key(FILE, "a: 1\nb: 2\n", &path("a"), "b")), EditError::KeyExists);
    assert_eq!(refused(rename_key(FILE, "- 1\n", &path("0"), "b")), EditError::NoSuchPlace);
    // Through an alias, and without what an alias needs.
    let text = "a: &x {b: 1}\nc: *x\n";
    assert_eq!(refused(set(FILE, text, &path("c/b"), "1")), EditError::NoSuchPlace);
    assert_eq!(refused(remove(FILE, text, &path("a"))), EditError::WouldBreak);
    check_set(text, "c", "1", "a: &x {b: 1}\nc: 1\n");
}
