//! The reasons for a version.

use expect_test::expect;

use super::check::check_reasons;

#[test]
fn reasons_for_excluded_candidates() {
    check_reasons(
        r#"
a! stable
a@3.0.0{ch:beta}, a@2.1.0{rep:a@2.0.0, req:[b ">=3.0.0"]}, a@2.0.0{rep:a@1.0.0, max:4.20}, a@1.0.0{req:[b "<2.0.0"]}
b@2.0.0{rep:b@1.0.0}, b@1.0.0
cluster 4.21
require a "<2.1.0" ch:stable
"#,
        expect![[r#"
            catalog:b:1.0.0:stable
              2.0.0
                2.0.0 is not in <2.0.0, which a 1.0.0 needs (catalog.yaml:49)
              1.0.0
            catalog:a:1.0.0:stable
              3.0.0
                3.0.0 is not in channel stable (wanted.yaml:6)
              2.1.0
                2.1.0 is not in <2.1.0 (wanted.yaml:6)
              2.0.0
                the cluster has OpenShift 4.21 (wanted.yaml:7)
                a 2.0.0 runs on OpenShift up to 4.20 (catalog.yaml:41)
              1.0.0
        "#]],
    );
}

#[test]
fn reasons_for_earlier_choices() {
    check_reasons(
        r#"
a@1.0.0{req:[b "<2.0.0"]}
c@2.0.0{rep:c@1.0.0, req:[b ">=2.0.0"]}, c@1.0.0
b@2.0.0{rep:b@1.0.0}, b@1.0.0
require a
require c
"#,
        expect![[r#"
            catalog:b:1.0.0:stable
              2.0.0
                2.0.0 is not in <2.0.0, which a 1.0.0 needs (catalog.yaml:18)
              1.0.0
            catalog:a:1.0.0:stable
              1.0.0
            catalog:c:1.0.0:stable
              2.0.0
                a 1.0.0 is chosen already (catalog.yaml:14)
                a 1.0.0 needs b <2.0.0 (catalog.yaml:18)
                c 2.0.0 needs b >=2.0.0 (catalog.yaml:62)
                only one version of package b can be installed (catalog.yaml:21)
              1.0.0
        "#]],
    );
}

#[test]
fn newer_but_deprecated() {
    check_reasons(
        r#"
profile v1
a@2.0.0{rep:a@1.0.0, dep}, a@1.0.0
require a
"#,
        expect![[r#"
            catalog:a:1.0.0:stable
              2.0.0
                2.0.0 is deprecated: 2.0.0 is no longer supported (catalog.yaml:30)
              1.0.0
        "#]],
    );
}

#[test]
fn newer_but_in_another_channel() {
    check_reasons(
        "a! stable\na@2.0.0{ch:beta}, a@1.0.0\nrequire a",
        expect![[r#"
        catalog:a:1.0.0:stable
          2.0.0
            channel stable is preferred to beta (catalog.yaml:20)
          1.0.0
    "#]],
    );
}
