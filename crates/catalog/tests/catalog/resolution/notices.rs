//! Diagnostics besides conflicts.

use expect_test::expect;

use super::check::check_diagnostics;

#[test]
fn names_that_there_are_not() {
    check_diagnostics(
        "rabbit@1.0.0\nrequire rabit",
        expect![[r#"
            error catalog/unknown-package wanted.yaml:6 no catalog has a package `rabit`
              fix: Change to `rabbit`: "rabit" becomes "rabbit"
        "#]],
    );
    check_diagnostics(
        "rabbit@1.0.0{ch:stable}\nrequire rabbit ch:stabel",
        expect![[r#"
        error catalog/unknown-channel wanted.yaml:6 package `rabbit` has no channel `stabel`
          fix: Take it from `stable`: "stabel" becomes "stable"
    "#]],
    );
    check_diagnostics(
        "rabbit@1.0.0\nrequire rabbit from:community",
        expect![[r#"
        error catalog/unknown-catalog wanted.yaml:6 there is no catalog `community` to take rabbit from
    "#]],
    );
}

#[test]
fn notices_for_deprecated_bundles() {
    check_diagnostics(
        "profile v1\na@1.0.0{dep}\nrequire a",
        expect![[r#"
        warning catalog/deprecated-in-use wanted.yaml:7 a 1.0.0 is deprecated: 1.0.0 is no longer supported
    "#]],
    );
}

#[test]
fn unsatisfiable_requirements_are_reported_with_fixes() {
    check_diagnostics(
        "a@2.0.0{req:[b \">=2.0.0\"]}, a@1.0.0{rep:a@2.0.0, req:[b \"<2.0.0\"]}, b@2.0.0, b@1.0.0\nrequire a \">=2.0.0\"\nrequire b \"<2.0.0\"",
        expect![[r#"
            error catalog/unsolvable wanted.yaml:6 a and b cannot both be satisfied: they need different versions of b
              fix: Widen the range of a to `>=1.0.0`: "\">=2.0.0\"" becomes ">=1.0.0"
              fix: Widen the range of b to `<=2.0.0`: "\"<2.0.0\"" becomes "<=2.0.0"
        "#]],
    );
}
