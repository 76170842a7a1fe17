//! Files of one zip package have no order.

use crate::descriptors::with_packages;
use types::Types;

const ZIP: Option<&str> = Some("app.zip");

#[track_caller]
fn check(texts: &[(&str, Option<&str>)], value: &str, reported: &expect_test::Expect) {
    let files = with_packages(texts, &Types::builtin());
    assert_eq!(files.value(), value);
    reported.assert_eq(&files.reported());
}

#[test]
fn files_of_a_package_add_up() {
    check(
        &[
            ("{networks: {d: {}}}", ZIP),
            ("{services: {a: {payload: p}}, meta: {name: x}}", ZIP),
            ("{meta: {name: x}}", ZIP),
        ],
        "{networks: {d: {}}, services: {a: {payload: p}}, meta: {name: x}}",
        &expect_test::expect![[""]],
    );
}

#[test]
fn they_must_not_disagree() {
    check(
        &[
            ("{meta: {name: a}}", None),
            ("{meta: {name: b}}", ZIP),
            ("{meta: {name: c}}", ZIP),
            ("{meta: {name: d}}", None),
        ],
        "{meta: {name: d}}",
        &expect_test::expect![[r#"
            error merge/package-conflict: two files of one package disagree about `meta.name`, and they have no order @ c.yaml:1:15 c
              the other value @ b.yaml:1:15 b
              help: set it in one of them only, or add one as a separate file after the package
        "#]],
    );
    check(
        &[("{a: {b: 1}}", ZIP), ("{a: [1]}", ZIP)],
        "{a: {b: 1}}",
        &expect_test::expect![[r#"
            error merge/kind-mismatch: `a` is a list here and a map in another file of the package @ b.yaml:1:2 a
              a map here @ a.yaml:1:2 a
              help: write a map; until then this value is ignored
        "#]],
    );
    check(
        &[("{a: {b: 1}}", ZIP), ("{a: null}", ZIP)],
        "{a: {b: 1}}",
        &expect_test::expect![[r#"
        error merge/package-conflict: two files of one package disagree about `a`, and they have no order @ b.yaml:1:5 null
          the other value @ a.yaml:1:2 a
          help: set it in one of them only, or add one as a separate file after the package
    "#]],
    );
    check(
        &[("{a: null}", ZIP), ("{a: {b: 1}}", ZIP)],
        "{a: null}",
        &expect_test::expect![[r#"
            error merge/package-conflict: two files of one package disagree about `a`, and they have no order @ b.yaml:1:2 a
              the other value @ a.yaml:1:5 null
              help: set it in one of them only, or add one as a separate file after the package
        "#]],
    );
    check(
        &[("{a: {b: 1}}", None), ("{a: {c: 2}}", ZIP), ("{a: !override {d: 3}}", ZIP)],
        "{a: {b: 1, c: 2}}",
        &expect_test::expect![[r#"
            error merge/package-conflict: two files of one package disagree about `a`, and they have no order @ c.yaml:1:2 a
              the other value @ b.yaml:1:2 a
              help: set it in one of them only, or add one as a separate file after the package
        "#]],
    );
    check(
        &[("{a: 1}", None), ("{a: !reset }", ZIP), ("{a: 3}", ZIP)],
        "{}",
        &expect_test::expect![[r#"
        error merge/package-conflict: two files of one package disagree about `a`, and they have no order @ c.yaml:1:5 3
          the other value @ b.yaml:1:2 a
          help: set it in one of them only, or add one as a separate file after the package
    "#]],
    );
}

#[test]
fn tags_of_one_package_must_agree() {
    check(
        &[("{a: 1}", None), ("{a: !reset }", ZIP), ("{a: !reset []}", ZIP)],
        "{}",
        &expect_test::expect![[""]],
    );
    check(
        &[("{a: {b: 1}}", None), ("{a: !override {d: 3}}", ZIP), ("{a: !reset }", ZIP)],
        "{a: {d: 3}}",
        &expect_test::expect![[r#"
            error merge/package-conflict: two files of one package disagree about `a`, and they have no order @ c.yaml:1:2 a
              the other value @ b.yaml:1:2 a
              help: set it in one of them only, or add one as a separate file after the package
        "#]],
    );
    check(
        &[("{a: !override {b: 1}}", ZIP), ("{a: [1]}", ZIP)],
        "{a: {b: 1}}",
        &expect_test::expect![[r#"
            hint merge/tag-without-effect: `!override` replaces nothing: no earlier file sets `a` @ a.yaml:1:2 a
              help: remove the tag, or move the file further down
            error merge/package-conflict: two files of one package disagree about `a`, and they have no order @ b.yaml:1:2 a
              the other value @ a.yaml:1:2 a
              help: set it in one of them only, or add one as a separate file after the package
        "#]],
    );
}

#[test]
fn a_list_set_by_two_layers_of_a_package_is_reported() {
    check(
        &[("{l: [a]}", ZIP), ("{l: [a]}", ZIP)],
        "{l: [a, a]}",
        &expect_test::expect![[r#"
            warning merge/list-without-order: two files of one package add to the list `l`, and they have no order @ b.yaml:1:2 l
              the other items; they come first because the name of their file does @ a.yaml:1:2 l
              help: keep the list in one file, or add one as a separate file after the package
            hint merge/repeated-list: `l` has these items twice: a later file's list is appended to the earlier one @ b.yaml:1:2 l
              the same items @ a.yaml:1:2 l
              help: remove one of them; or put `!override` before a list to replace what is there
        "#]],
    );
    check(
        &[("{l: [a]}", ZIP), ("{l: [b]}", ZIP), ("{l: []}", ZIP)],
        "{l: [a, b]}",
        &expect_test::expect![[r#"
            warning merge/list-without-order: two files of one package add to the list `l`, and they have no order @ b.yaml:1:2 l
              the other items; they come first because the name of their file does @ a.yaml:1:2 l
              help: keep the list in one file, or add one as a separate file after the package
        "#]],
    );
    check(
        &[("{l: [a]}", ZIP), ("{l: []}", ZIP), ("{l: [b]}", ZIP)],
        "{l: [a, b]}",
        &expect_test::expect![[r#"
            warning merge/list-without-order: two files of one package add to the list `l`, and they have no order @ c.yaml:1:2 l
              the other items; they come first because the name of their file does @ a.yaml:1:2 l
              help: keep the list in one file, or add one as a separate file after the package
        "#]],
    );
    check(
        &[("{services: {a: {depends_on: [x]}}}", ZIP), ("{services: {a: {depends_on: [y]}}}", ZIP)],
        "{services: {a: {depends_on: [x, y]}}}",
        &expect_test::expect![[""]],
    );
}

#[test]
fn another_package_has_an_order() {
    check(&[("{a: 1}", ZIP), ("{a: 2}", Some("other.zip"))], "{a: 2}", &expect_test::expect![[""]]);
}
