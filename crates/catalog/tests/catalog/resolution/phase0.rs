//! The first proposal: the constraints that it generates (source: deppy's generators for OLM, OLM's first proposal).

use expect_test::expect;

use super::check::{check, check_reasons};

#[test]
fn a_required_package_in_a_range_and_a_channel() {
    let packages =
        "a! stable\na@3.0.0{ch:fast}, a@2.1.0{ch:[stable, fast]}, a@2.0.0{ch:stable}, a@1.0.0{ch:old}";
    check(
        &format!("{packages}\nrequire a"),
        expect![[r#"
        catalog:a:2.1.0:stable for a
    "#]],
    );
    check(
        &format!("{packages}\nrequire a \">=2.0.0 <2.1.0\""),
        expect![[r#"
        catalog:a:2.0.0:stable for a
    "#]],
    );
    check(
        &format!("{packages}\nrequire a ch:fast"),
        expect![[r#"
            catalog:a:3.0.0:fast for a
        "#]],
    );
    check(
        &format!("{packages}\nrequire a \">=3.0.0\""),
        expect![[r#"
        catalog:a:3.0.0:fast for a
    "#]],
    );
    check(
        &format!("{packages}\nrequire a \">=3.0.0\" ch:stable"),
        expect![[r#"
            no package "a" matching version ">=3.0.0" found in channel "stable"
              package a in >=3.0.0 from channel stable is required (wanted.yaml:6)
              2.1.0 and 2.0.0 are not in >=3.0.0 (wanted.yaml:6)
              3.0.0 and 1.0.0 are not in channel stable (wanted.yaml:6)
            * Widen the range of a to `>=2.1.0` -> catalog:a:2.1.0:stable
            * Take a from channel `fast` -> catalog:a:3.0.0:fast
        "#]],
    );
}

/// A requirement without candidates must not count as met.
#[test]
fn a_required_package_that_there_is_not() {
    check(
        "a@1.0.0\nrequire b",
        expect![[r#"
            no package "b" found
              package b is required (wanted.yaml:6)
              no catalog has a package b (wanted.yaml:6)
        "#]],
    );
    check(
        "a@1.0.0\nrequire a \">=2.0.0\"",
        expect![[r#"
            no package "a" matching version ">=2.0.0" found
              package a in >=2.0.0 is required (wanted.yaml:6)
              1.0.0 is not in >=2.0.0 (wanted.yaml:6)
            * Widen the range of a to `>=1.0.0` -> catalog:a:1.0.0:stable
        "#]],
    );
    check(
        "a@1.0.0\nrequire a ch:beta",
        expect![[r#"
            no package "a" found in channel "beta"
              package a from channel beta is required (wanted.yaml:6)
              1.0.0 is not in channel beta (wanted.yaml:6)
            * Take a from channel `stable` -> catalog:a:1.0.0:stable
        "#]],
    );
}

/// The default channel, then channels by name; in a channel the highest version.
#[test]
fn the_order_of_candidates() {
    check_reasons(
        r#"
a! m
a@1.0.0{ch:m}, a@1.1.0{ch:m, req:[gvk K]}, a@1.2.0{ch:m, req:[gvk K]}
a@9.0.0{ch:a, req:[gvk K]}, a@8.0.0{ch:b}
require a
"#,
        expect![[r#"
            catalog:a:1.0.0:m
              9.0.0
                channel m is preferred to a (catalog.yaml:51)
              8.0.0
                channel m is preferred to b (catalog.yaml:59)
              1.2.0
                a 1.2.0 needs an API K (example.com/v1) (catalog.yaml:47)
              1.1.0
                a 1.1.0 needs an API K (example.com/v1) (catalog.yaml:39)
              1.0.0
        "#]],
    );
    check_reasons(
        r#"
a! m
a@1.0.0{ch:m, req:[gvk K]}
a@9.0.0{ch:z}, a@8.0.0{ch:b}
require a
"#,
        expect![[r#"
            catalog:a:8.0.0:b
              9.0.0
                channel b is preferred to z (catalog.yaml:34)
              1.0.0
                a 1.0.0 needs an API K (example.com/v1) (catalog.yaml:30)
              8.0.0
        "#]],
    );
}

#[test]
fn installed_packages_are_upgraded() {
    let packages = r#"
a! stable
a@1.3.0{ch:fast, rep:a@1.0.0}, a@1.2.0{ch:stable, rep:a@1.1.0}, a@1.1.0{ch:stable, rep:a@1.0.0}, a@1.0.0{ch:[stable, fast]}
"#;
    check(
        &format!("{packages}\ninstalled a@1.0.0{{ch:stable}}"),
        expect![[r#"
        catalog:a:1.1.0:stable instead of 1.0.0 (in channel stable 1.1.0 replaces 1.0.0)
    "#]],
    );
    check(
        &format!("{packages}\ninstalled a@1.0.0{{ch:fast}}"),
        expect![[r#"
        catalog:a:1.3.0:fast instead of 1.0.0 (in channel fast 1.3.0 replaces 1.0.0)
    "#]],
    );
    check(
        &format!("{packages}\ninstalled a@1.0.0"),
        expect![[r#"
        catalog:a:1.1.0:stable instead of 1.0.0 (in channel stable 1.1.0 replaces 1.0.0)
    "#]],
    );
    check(
        &format!("{packages}\ninstalled a@1.2.0{{ch:stable}}"),
        expect![[r#"
        catalog:a:1.2.0:stable (installed)
    "#]],
    );
    check(
        &format!("{packages}\ninstalled a@0.1.0"),
        expect![[r#"
        :a:0.1.0: (installed)
    "#]],
    );
}

#[test]
fn installed_packages_constrain_requirements() {
    let packages = "a@3.0.0{rep:a@2.0.0}, a@2.0.0{rep:a@1.0.0}, a@1.0.0";
    check(
        &format!("{packages}\ninstalled a@1.0.0\nrequire a"),
        expect![[r#"
        catalog:a:2.0.0:stable instead of 1.0.0 (in channel stable 2.0.0 replaces 1.0.0) for a
    "#]],
    );
    check(
        &format!("{packages}\ninstalled a@1.0.0\nrequire a \">=3.0.0\""),
        expect![[r#"
            a and a 1.0.0, which is installed, cannot both be satisfied: they need different versions of a
              package a in >=3.0.0 is required (wanted.yaml:6)
              a 1.0.0 is installed (wanted.yaml:7)
              a 1.0.0 can be upgraded to 2.0.0 only (wanted.yaml:7)
              only one version of package a can be installed (catalog.yaml:3)
            * Widen the range of a to `>=2.0.0` -> catalog:a:2.0.0:stable
            * Upgrade a to 2.0.0 first -> catalog:a:3.0.0:stable
            * Remove the requirement of a -> catalog:a:2.0.0:stable
            * Remove a 1.0.0, which is installed -> catalog:a:3.0.0:stable
        "#]],
    );
    check_reasons(
        &format!("{packages}\ninstalled a@1.0.0\nrequire a"),
        expect![[r#"
        catalog:a:2.0.0:stable
          3.0.0
            a 1.0.0 is installed (wanted.yaml:7)
            a 1.0.0 can be upgraded to 2.0.0 only (wanted.yaml:7)
            only one version of package a can be installed (catalog.yaml:3)
          2.0.0
    "#]],
    );
}

#[test]
fn the_preferred_catalog_counts_more_than_a_version() {
    check(
        "catalog A 1\na@1.0.0\ncatalog B 0\na@2.0.0\nrequire a",
        expect![[r#"
        A:a:1.0.0:stable for a
    "#]],
    );
    check(
        "catalog A 1\na@1.0.0\ncatalog B 0\na@2.0.0\nrequire a from:B",
        expect![[r#"
        B:a:2.0.0:stable for a
    "#]],
    );
    check(
        "catalog A 1\na@1.0.0{req:[gvk K]}\ncatalog B 0\na@2.0.0\nrequire a",
        expect![[r#"
        B:a:2.0.0:stable for a
    "#]],
    );
}

#[test]
fn two_requirements_for_one_package() {
    check(
        "a@1.0.0, a@1.1.0, a@2.0.0\nrequire a \"<2.0.0\"\nrequire a \">=1.1.0\"",
        expect![[r#"
        catalog:a:1.1.0:stable for a, a (2)
    "#]],
    );
    check(
        "a@1.0.0, a@2.0.0\nrequire a \"<2.0.0\"\nrequire a \">=2.0.0\"",
        expect![[r#"
            a and a (2) cannot both be satisfied: they need different versions of a
              package a in <2.0.0 is required (wanted.yaml:6)
              a (2) requires package a in >=2.0.0 (wanted.yaml:7)
              only one version of package a can be installed (catalog.yaml:3)
            * Widen the range of a to `<=2.0.0` -> catalog:a:2.0.0:stable
            * Widen the range of a (2) to `>=1.0.0` -> catalog:a:1.0.0:stable
            * Remove the requirement of a -> catalog:a:2.0.0:stable
            * Remove the requirement of a (2) -> catalog:a:1.0.0:stable
        "#]],
    );
}

#[test]
fn the_cluster_may_have_two_versions_to_look_at() {
    let packages = "a@3.0.0{max:4.20}, a@2.0.0{kube:1.33.0}, a@1.0.0{max:4.21, kube:1.30.0}";
    check(
        &format!("{packages}\ncluster 4.21 kube:1.32.1\nrequire a"),
        expect![[r#"
        catalog:a:1.0.0:stable for a
    "#]],
    );
    check(
        &format!("{packages}\ncluster kube:1.33.0\nrequire a \">=2.0.0\""),
        expect![[r#"
        catalog:a:3.0.0:stable for a
    "#]],
    );
    check(
        "a@1.0.0{max:4.22}\ncluster 4.23\nrequire a",
        expect![[r#"
            a cannot be satisfied: the cluster has OpenShift 4.23, and no candidate runs there
              package a is required (wanted.yaml:6)
              a 1.0.0 runs on OpenShift up to 4.22 (catalog.yaml:18)
              the cluster has OpenShift 4.23 (wanted.yaml:7)
            * Stay on OpenShift 4.22 -> catalog:a:1.0.0:stable
        "#]],
    );
    check(
        "a@1.0.0{max:5.0}\ncluster 4.23\nrequire a",
        expect![[r#"
        catalog:a:1.0.0:stable for a
    "#]],
    );
}
