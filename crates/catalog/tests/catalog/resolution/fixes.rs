//! Fixes, each verified.

use expect_test::expect;

use super::check::check;

const PAIR: &str = r#"
a@2.0.0{rep:a@1.0.0, req:[b ">=2.0.0"]}, a@1.0.0{req:[b "<2.0.0"]}
b@2.0.0{rep:b@1.0.0}, b@1.5.0{rep:b@1.0.0, ch:old}, b@1.0.0
"#;

#[test]
fn either_gets_wider() {
    check(
        &format!("{PAIR}require a \">=2.0.0\"\nrequire b \"<2.0.0\""),
        expect![[r#"
            a and b cannot both be satisfied: they need different versions of b
              package a in >=2.0.0 is required (wanted.yaml:6)
              a 2.0.0 needs b >=2.0.0 (catalog.yaml:19)
              package b in <2.0.0 is required (wanted.yaml:7)
              only one version of package b can be installed (catalog.yaml:30)
            * Widen the range of a to `>=1.0.0` -> catalog:b:1.0.0:stable catalog:a:1.0.0:stable
            * Widen the range of b to `<=2.0.0` -> catalog:b:2.0.0:stable catalog:a:2.0.0:stable
            * Remove the requirement of a -> catalog:b:1.0.0:stable
            * Remove the requirement of b -> catalog:b:2.0.0:stable catalog:a:2.0.0:stable
        "#]],
    );
}

#[test]
fn both_get_wider() {
    check(
        r#"
a@2.0.0{req:[b ">=2.0.0"]}, a@1.0.0{req:[b ">=3.0.0"]}
b@2.0.0, b@1.0.0
require a "<2.0.0"
require b "<2.0.0"
"#,
        expect![[r#"
            a cannot be satisfied: no catalog has b >=3.0.0
              package a in <2.0.0 is required (wanted.yaml:6)
              a 1.0.0 needs b >=3.0.0 (catalog.yaml:27)
            * Widen the range of a to `<=2.0.0`, and widen the range of b to `<=2.0.0` -> catalog:b:2.0.0:stable catalog:a:2.0.0:stable
            * Remove the requirement of a -> catalog:b:1.0.0:stable
        "#]],
    );
}

#[test]
fn another_channel() {
    check(
        "a@2.0.0{ch:beta}, a@1.0.0{ch:stable, req:[gvk K]}\nrequire a ch:stable",
        expect![[r#"
            a cannot be satisfied: no catalog has an API K (example.com/v1)
              package a from channel stable is required (wanted.yaml:6)
              a 1.0.0 needs an API K (example.com/v1) (catalog.yaml:31)
            * Take a from channel `beta` -> catalog:a:2.0.0:beta
        "#]],
    );
}

#[test]
fn a_newer_cluster() {
    check(
        "a@1.0.0{kube:1.32.0}, a@1.1.0{kube:1.33.0}\ncluster kube:1.30.0\nrequire a",
        expect![[r#"
            a cannot be satisfied: the cluster has Kubernetes 1.30.0, and no candidate runs there
              package a is required (wanted.yaml:6)
              a 1.1.0 needs Kubernetes 1.33.0 or later (catalog.yaml:27)
              a 1.0.0 needs Kubernetes 1.32.0 or later (catalog.yaml:19)
              the cluster has Kubernetes 1.30.0 (wanted.yaml:7)
            * Upgrade the cluster to Kubernetes 1.32.0 -> catalog:a:1.0.0:stable
        "#]],
    );
}

#[test]
fn upgrades_go_step_by_step() {
    check(
        r#"
profile v1
a@3.0.0{rep:a@2.0.0}, a@2.0.0{rep:a@1.0.0}, a@1.0.0
installed a@1.0.0
require a ">=3.0.0"
"#,
        expect![[r#"
            error upgrading from currently installed version "1.0.0": no bundles found for package "a" matching version ">=3.0.0"
              package a in >=3.0.0 is required (wanted.yaml:7)
              no upgrade leads from 1.0.0, which is installed, to 3.0.0 (wanted.yaml:8)
              2.0.0 and 1.0.0 are not in >=3.0.0 (wanted.yaml:7)
            * Widen the range of a to `>=2.0.0` -> catalog:a:2.0.0:stable
            * Upgrade a to 2.0.0 first -> catalog:a:3.0.0:stable
            * Allow versions of a that no upgrade leads to -> catalog:a:3.0.0:stable
            * Remove the requirement of a -> catalog:a:1.0.0:stable
        "#]],
    );
}

#[test]
fn several_conflicts() {
    check(
        &format!(
            "{PAIR}c@1.0.0{{req:[gvk K]}}\nd@1.0.0\nrequire a \">=2.0.0\"\nrequire b \"<2.0.0\"\nrequire c\nrequire d"
        ),
        expect![[r#"
            a and b cannot both be satisfied: they need different versions of b
              package a in >=2.0.0 is required (wanted.yaml:6)
              a 2.0.0 needs b >=2.0.0 (catalog.yaml:19)
              package b in <2.0.0 is required (wanted.yaml:7)
              only one version of package b can be installed (catalog.yaml:30)
            c cannot be satisfied: no catalog has an API K (example.com/v1)
              package c is required (wanted.yaml:8)
              c 1.0.0 needs an API K (example.com/v1) (catalog.yaml:83)
            * Widen the range of a to `>=1.0.0` -> catalog:b:1.0.0:stable catalog:a:1.0.0:stable catalog:d:1.0.0:stable
            * Widen the range of b to `<=2.0.0` -> catalog:b:2.0.0:stable catalog:a:2.0.0:stable catalog:d:1.0.0:stable
            * Remove the requirement of a -> catalog:b:1.0.0:stable catalog:d:1.0.0:stable
            * Remove the requirement of b -> catalog:b:2.0.0:stable catalog:a:2.0.0:stable catalog:d:1.0.0:stable
            * Remove the requirement of c -> catalog:d:1.0.0:stable
        "#]],
    );
}

#[test]
fn fixes_for_outdated_installed_bundles() {
    check(
        r#"
a@2.0.0{rep:a@1.0.0, req:[b ">=2.0.0"]}
b@2.0.0{rep:b@1.5.0}, b@1.5.0{rep:b@1.0.0}, b@1.0.0
installed b@1.0.0
require a
"#,
        expect![[r#"
            a and b 1.0.0, which is installed, cannot both be satisfied: they need different versions of b
              package a is required (wanted.yaml:6)
              a 2.0.0 needs b >=2.0.0 (catalog.yaml:18)
              b 1.0.0 is installed (wanted.yaml:7)
              b 1.0.0 can be upgraded to 1.5.0 only (wanted.yaml:7)
              only one version of package b can be installed (catalog.yaml:21)
            * Upgrade b to 1.5.0 first -> catalog:b:2.0.0:stable catalog:a:2.0.0:stable
            * Remove the requirement of a -> catalog:b:1.5.0:stable
            * Remove b 1.0.0, which is installed -> catalog:b:2.0.0:stable catalog:a:2.0.0:stable
        "#]],
    );
}

#[test]
fn many_versions_in_few_words() {
    let versions: Vec<String> =
        (0..30).map(|it| format!("a@1.{it}.0{{req:[b \">={}.0.0\"]}}", it / 10 + 2)).collect();
    check(
        &format!("{}\nb@1.0.0\nrequire a", versions.join(", ")),
        expect![[r#"
            a cannot be satisfied: no catalog has b >=2.0.0, b >=3.0.0 and b >=4.0.0
              package a is required (wanted.yaml:6)
              a 1.29.0, 1.28.0, 1.27.0, 1.26.0, 1.25.0 and 5 more need b >=4.0.0 (catalog.yaml:279)
              a 1.19.0, 1.18.0, 1.17.0, 1.16.0, 1.15.0 and 5 more need b >=3.0.0 (catalog.yaml:199)
              a 1.9.0, 1.8.0, 1.7.0, 1.6.0, 1.5.0 and 5 more need b >=2.0.0 (catalog.yaml:119)
        "#]],
    );
    let versions: Vec<String> = (0..30).map(|it| format!("a@1.{it}.0{{req:[b \"{it}.0.1\"]}}")).collect();
    check(
        &format!("{}\nb@1.0.0\nrequire a", versions.join(", ")),
        expect![[r#"
            a cannot be satisfied: no catalog has b 0.0.1, b 1.0.1 and 28 more
              package a is required (wanted.yaml:6)
              a 1.29.0 needs b 29.0.1 (catalog.yaml:279)
              a 1.28.0 needs b 28.0.1 (catalog.yaml:271)
              a 1.27.0 needs b 27.0.1 (catalog.yaml:263)
              27 more are excluded for similar reasons (catalog.yaml:255)
        "#]],
    );
}
