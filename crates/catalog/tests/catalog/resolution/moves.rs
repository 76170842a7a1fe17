//! The changes required for a bundle to be chosen.

use expect_test::expect;

use super::check::check_move;

const CASE: &str = r#"
a@3.0.0{rep:a@2.0.0, req:[b ">=2.0.0"]}, a@2.0.0{rep:a@1.0.0}, a@1.0.0{req:[gvk Missing]}
b@2.0.0{rep:b@1.0.0}, b@1.0.0
c@1.0.0
"#;

#[test]
fn an_older_one_will_do() {
    check_move(
        &format!("{CASE}require a"),
        "catalog:a:2.0.0:stable",
        expect![[r#"
        catalog:a:2.0.0:stable for a
    "#]],
    );
}

#[test]
fn out_of_range() {
    check_move(
        &format!("{CASE}require a \"<3.0.0\""),
        "catalog:a:3.0.0:stable",
        expect![[r#"
            a 3.0.0 cannot be chosen: 3.0.0 is not in <3.0.0
              package a in <3.0.0 is required (wanted.yaml:6)
              3.0.0 is not in <3.0.0 (wanted.yaml:6)
              a 3.0.0 is required (catalog.yaml:16)
              only one version of package a can be installed (catalog.yaml:3)
            * Widen the range of a to `<=3.0.0` -> catalog:b:2.0.0:stable catalog:a:3.0.0:stable
        "#]],
    );
    check_move(
        &format!("{CASE}require a \"<3.0.0\"\nrequire b \"<2.0.0\""),
        "catalog:a:3.0.0:stable",
        expect![[r#"
            a 3.0.0 cannot be chosen: 3.0.0 is not in <3.0.0
              package a in <3.0.0 is required (wanted.yaml:6)
              3.0.0 is not in <3.0.0 (wanted.yaml:6)
              a 3.0.0 is required (catalog.yaml:16)
              only one version of package a can be installed (catalog.yaml:3)
            * Widen the range of a to `<=3.0.0`, and widen the range of b to `<=2.0.0` -> catalog:b:2.0.0:stable catalog:a:3.0.0:stable
        "#]],
    );
}

#[test]
fn moves_to_impossible_versions() {
    check_move(
        &format!("{CASE}require a"),
        "catalog:a:1.0.0:stable",
        expect![[r#"
            a 1.0.0 cannot be chosen: no catalog has an API Missing (example.com/v1)
              a 1.0.0 is required (catalog.yaml:31)
              a 1.0.0 needs an API Missing (example.com/v1) (catalog.yaml:35)
        "#]],
    );
}

#[test]
fn moves_of_packages_without_a_requirement() {
    check_move(
        &format!("{CASE}require a"),
        "catalog:c:1.0.0:stable",
        expect![[r#"
            catalog:b:2.0.0:stable for catalog:a:3.0.0:stable
            catalog:a:3.0.0:stable for a
            catalog:c:1.0.0:stable
        "#]],
    );
    check_move(
        &format!("{CASE}require a"),
        "catalog:d:1.0.0:stable",
        expect![[r#"
        unknown
    "#]],
    );
}
