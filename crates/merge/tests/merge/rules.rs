//! The rules of type definitions.

use crate::descriptors::{files, with_packages};
use diag::FileId;
use types::Types;

const KINDS: &str = "
format: planloom.types/1
kinds:
  thing:
    collection: things
    doc: For tests.
    fields:
      tags: {doc: Told once., type: {list: text}, merge: unique}
      whole: {doc: Replaced., type: any, merge: replace}
      ports:
        doc: Merged by name.
        merge: {by_key: name}
        type:
          list:
            open: true
            fields: {}
";

fn types() -> Types {
    let document = syntax::parse(FileId(900), KINDS, &syntax::Limits::default()).document;
    let (types, diagnostics) = types::read(&Types::default(), &document);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    types
}

#[track_caller]
fn check(texts: &[&str], value: &str, reported: &expect_test::Expect, history: &expect_test::Expect) {
    let texts: Vec<String> = texts.iter().map(|text| format!("{{things: {{a: {text}}}}}")).collect();
    let layers: Vec<_> = texts.iter().map(|text| (text.as_str(), None)).collect();
    let files = with_packages(&layers, &types());
    assert_eq!(files.value(), format!("{{things: {{a: {value}}}}}"));
    reported.assert_eq(&files.reported());
    history.assert_eq(&files.history());
}

#[test]
fn unique_lists_hold_nothing_twice() {
    check(
        &["{tags: [a, b, a]}", "{tags: [b, c, c, {x: 1}, {x: 1}, 1, \"1\"]}"],
        "{tags: [a, b, a, c, {x: 1}, 1, \"1\"]}",
        &expect_test::expect![[""]],
        &expect_test::expect![[r#"
            (root) deep @ a.yaml:1:1 {things: {a: {tags: [a, b, a]}}}
              + a.yaml:1:1 {things: {a: {tags: [a, b, a]}}}
              + b.yaml:1:1 {things: {a: {tags: [b, c, c, {x: 1}, {x: 1}, 1, "1"]}}}
            /things deep @ a.yaml:1:10 {a: {tags: [a, b, a]}}
              + a.yaml:1:10 {a: {tags: [a, b, a]}}
              + b.yaml:1:10 {a: {tags: [b, c, c, {x: 1}, {x: 1}, 1, "1"]}}
            /things/a deep @ a.yaml:1:14 {tags: [a, b, a]}
              + a.yaml:1:14 {tags: [a, b, a]}
              + b.yaml:1:14 {tags: [b, c, c, {x: 1}, {x: 1}, 1, "1"]}
            /things/a/tags unique @ a.yaml:1:21 [a, b, a]
              + a.yaml:1:21 [a, b, a]
              + b.yaml:1:21 [b, c, c, {x: 1}, {x: 1}, 1, "1"]
        "#]],
    );
    check(
        &["{tags: [a, b]}", "{tags: [!reset a, b, c]}", "{tags: [a]}"],
        "{tags: [b, c, a]}",
        &expect_test::expect![[""]],
        &expect_test::expect![[r#"
            (root) deep @ a.yaml:1:1 {things: {a: {tags: [a, b]}}}
              + a.yaml:1:1 {things: {a: {tags: [a, b]}}}
              + b.yaml:1:1 {things: {a: {tags: [!reset a, b, c]}}}
              + c.yaml:1:1 {things: {a: {tags: [a]}}}
            /things deep @ a.yaml:1:10 {a: {tags: [a, b]}}
              + a.yaml:1:10 {a: {tags: [a, b]}}
              + b.yaml:1:10 {a: {tags: [!reset a, b, c]}}
              + c.yaml:1:10 {a: {tags: [a]}}
            /things/a deep @ a.yaml:1:14 {tags: [a, b]}
              + a.yaml:1:14 {tags: [a, b]}
              + b.yaml:1:14 {tags: [!reset a, b, c]}
              + c.yaml:1:14 {tags: [a]}
            /things/a/tags unique @ a.yaml:1:21 [a, b]
              + a.yaml:1:21 [a, b]
              + b.yaml:1:21 [!reset a, b, c]
              + c.yaml:1:21 [a]
              - a (set) @ a.yaml:1:22 a
        "#]],
    );
}

#[test]
fn replaced_fields_hold_what_the_last_file_says() {
    check(
        &["{whole: {a: 1}}", "{whole: {b: 2}}", "{whole: [1]}"],
        "{whole: [1]}",
        &expect_test::expect![[""]],
        &expect_test::expect![[r#"
            (root) deep @ a.yaml:1:1 {things: {a: {whole: {a: 1}}}}
              + a.yaml:1:1 {things: {a: {whole: {a: 1}}}}
              + b.yaml:1:1 {things: {a: {whole: {b: 2}}}}
              + c.yaml:1:1 {things: {a: {whole: [1]}}}
            /things deep @ a.yaml:1:10 {a: {whole: {a: 1}}}
              + a.yaml:1:10 {a: {whole: {a: 1}}}
              + b.yaml:1:10 {a: {whole: {b: 2}}}
              + c.yaml:1:10 {a: {whole: [1]}}
            /things/a deep @ a.yaml:1:14 {whole: {a: 1}}
              + a.yaml:1:14 {whole: {a: 1}}
              + b.yaml:1:14 {whole: {b: 2}}
              + c.yaml:1:14 {whole: [1]}
            /things/a/whole replace @ c.yaml:1:22 [1]
              - {b: 2} (replace) @ b.yaml:1:22 {b: 2}
              - {a: 1} (set) @ a.yaml:1:22 {a: 1}
        "#]],
    );
}

#[test]
fn items_merge_by_their_key() {
    check(
        &[
            "{ports: [{name: web, n: 80}, {name: db, n: 1}]}",
            "{ports: [{name: db, n: 2, x: [1]}, {name: new}, text]}",
        ],
        "{ports: [{name: web, n: 80}, {name: db, n: 2, x: [1]}, {name: new}, text]}",
        &expect_test::expect![[""]],
        &expect_test::expect![[r#"
            (root) deep @ a.yaml:1:1 {things: {a: {ports: [{name: web, n: 80}, {name: db, n: 1}]}}}
              + a.yaml:1:1 {things: {a: {ports: [{name: web, n: 80}, {name: db, n: 1}]}}}
              + b.yaml:1:1 {things: {a: {ports: [{name: db, n: 2, x: [1]}, {name: new}, text]}}}
            /things deep @ a.yaml:1:10 {a: {ports: [{name: web, n: 80}, {name: db, n: 1}]}}
              + a.yaml:1:10 {a: {ports: [{name: web, n: 80}, {name: db, n: 1}]}}
              + b.yaml:1:10 {a: {ports: [{name: db, n: 2, x: [1]}, {name: new}, text]}}
            /things/a deep @ a.yaml:1:14 {ports: [{name: web, n: 80}, {name: db, n: 1}]}
              + a.yaml:1:14 {ports: [{name: web, n: 80}, {name: db, n: 1}]}
              + b.yaml:1:14 {ports: [{name: db, n: 2, x: [1]}, {name: new}, text]}
            /things/a/ports by_key @ a.yaml:1:22 [{name: web, n: 80}, {name: db, n: 1}]
              + a.yaml:1:22 [{name: web, n: 80}, {name: db, n: 1}]
              + b.yaml:1:22 [{name: db, n: 2, x: [1]}, {name: new}, text]
            /things/a/ports/1 deep @ a.yaml:1:43 {name: db, n: 1}
              + a.yaml:1:43 {name: db, n: 1}
              + b.yaml:1:23 {name: db, n: 2, x: [1]}
            /things/a/ports/1/n override @ b.yaml:1:37 2
              - 1 (set) @ a.yaml:1:57 1
            /things/a/ports/1/name override @ b.yaml:1:30 db
              - db (set) @ a.yaml:1:50 db
        "#]],
    );
    check(
        &[
            "{ports: [{name: a, n: 1}, {name: b, n: 1}]}",
            "{ports: [!reset {name: a}, !override {name: b, m: 2}]}",
        ],
        "{ports: [{name: b, m: 2}]}",
        &expect_test::expect![[""]],
        &expect_test::expect![[r#"
            (root) deep @ a.yaml:1:1 {things: {a: {ports: [{name: a, n: 1}, {name: b, n: 1}]}}}
              + a.yaml:1:1 {things: {a: {ports: [{name: a, n: 1}, {name: b, n: 1}]}}}
              + b.yaml:1:1 {things: {a: {ports: [!reset {name: a}, !override {name: b, m: 2}]}}}
            /things deep @ a.yaml:1:10 {a: {ports: [{name: a, n: 1}, {name: b, n: 1}]}}
              + a.yaml:1:10 {a: {ports: [{name: a, n: 1}, {name: b, n: 1}]}}
              + b.yaml:1:10 {a: {ports: [!reset {name: a}, !override {name: b, m: 2}]}}
            /things/a deep @ a.yaml:1:14 {ports: [{name: a, n: 1}, {name: b, n: 1}]}
              + a.yaml:1:14 {ports: [{name: a, n: 1}, {name: b, n: 1}]}
              + b.yaml:1:14 {ports: [!reset {name: a}, !override {name: b, m: 2}]}
            /things/a/ports by_key @ a.yaml:1:22 [{name: a, n: 1}, {name: b, n: 1}]
              + a.yaml:1:22 [{name: a, n: 1}, {name: b, n: 1}]
              + b.yaml:1:22 [!reset {name: a}, !override {name: b, m: 2}]
              - {name: a, n: 1} (set) @ a.yaml:1:23 {name: a, n: 1}
            /things/a/ports/0 replace @ b.yaml:1:51 {name: b, m: 2}
              - {name: b, n: 1} (set) @ a.yaml:1:40 {name: b, n: 1}
        "#]],
    );
    check(
        &["{ports: [{name: a, n: 1}, {name: a, n: 2}]}", "{ports: [{name: a, n: 3}, {name: a, n: 4}]}"],
        "{ports: [{name: a, n: 3}, {name: a, n: 2}, {name: a, n: 4}]}",
        &expect_test::expect![[""]],
        &expect_test::expect![[r#"
            (root) deep @ a.yaml:1:1 {things: {a: {ports: [{name: a, n: 1}, {name: a, n: 2}]}}}
              + a.yaml:1:1 {things: {a: {ports: [{name: a, n: 1}, {name: a, n: 2}]}}}
              + b.yaml:1:1 {things: {a: {ports: [{name: a, n: 3}, {name: a, n: 4}]}}}
            /things deep @ a.yaml:1:10 {a: {ports: [{name: a, n: 1}, {name: a, n: 2}]}}
              + a.yaml:1:10 {a: {ports: [{name: a, n: 1}, {name: a, n: 2}]}}
              + b.yaml:1:10 {a: {ports: [{name: a, n: 3}, {name: a, n: 4}]}}
            /things/a deep @ a.yaml:1:14 {ports: [{name: a, n: 1}, {name: a, n: 2}]}
              + a.yaml:1:14 {ports: [{name: a, n: 1}, {name: a, n: 2}]}
              + b.yaml:1:14 {ports: [{name: a, n: 3}, {name: a, n: 4}]}
            /things/a/ports by_key @ a.yaml:1:22 [{name: a, n: 1}, {name: a, n: 2}]
              + a.yaml:1:22 [{name: a, n: 1}, {name: a, n: 2}]
              + b.yaml:1:22 [{name: a, n: 3}, {name: a, n: 4}]
            /things/a/ports/0 deep @ a.yaml:1:23 {name: a, n: 1}
              + a.yaml:1:23 {name: a, n: 1}
              + b.yaml:1:23 {name: a, n: 3}
            /things/a/ports/0/n override @ b.yaml:1:36 3
              - 1 (set) @ a.yaml:1:36 1
            /things/a/ports/0/name override @ b.yaml:1:30 a
              - a (set) @ a.yaml:1:30 a
        "#]],
    );
}

#[test]
fn dependencies_are_named_once() {
    let files = files(&["{services: {a: {depends_on: [x]}}}", "{services: {a: {depends_on: [y, x]}}}"]);
    assert_eq!(files.value(), "{services: {a: {depends_on: [x, y]}}}");
}

#[test]
fn files_of_a_package_may_say_the_same_where_the_later_one_replaces() {
    let check = |texts: [&str; 2], reported: &str| {
        let texts = texts.map(|text| format!("{{things: {{a: {{whole: {text}}}}}}}"));
        let layers = texts.each_ref().map(|text| (text.as_str(), Some("app.zip")));
        let files = with_packages(&layers, &types());
        assert_eq!(files.value(), texts[0]);
        assert_eq!(files.diagnostics.iter().map(|it| it.code.as_str()).collect::<String>(), reported);
    };
    check(["[a]", "[a]"], "");
    check(["{b: 1}", "{b: 1}"], "");
    check(["[a]", "[b]"], "merge/package-conflict");
    check(["{b: 1}", "{c: 1}"], "merge/package-conflict");
}
