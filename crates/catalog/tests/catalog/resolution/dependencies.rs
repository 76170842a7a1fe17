//! D01 to D17.

use expect_test::expect;

use super::check::check;

#[test]
fn d01_exact_versions() {
    check(
        r#"
x@1.0.0{req:[c "1.0.1", d "1.0.1"]}, c@1.0.0, c@1.0.1{rep:c@1.0.0}, d@1.0.1, d@1.0.2{rep:d@1.0.1}
require x
"#,
        expect![[r#"
            catalog:c:1.0.1:stable for catalog:x:1.0.0:stable
            catalog:d:1.0.1:stable for catalog:x:1.0.0:stable
            catalog:x:1.0.0:stable for x
        "#]],
    );
}

#[test]
fn d02_an_older_provider() {
    check(
        "a@1.0.0{gvk:K}, a@2.0.0{rep:a@1.0.0}, b@1.0.0{req:[gvk K]}\nrequire b",
        expect![[r#"
            catalog:a:1.0.0:stable for catalog:b:1.0.0:stable
            catalog:b:1.0.0:stable for b
        "#]],
    );
}

#[test]
fn d04_no_provider() {
    check(
        "a@1.0.0{req:[gvk g/v/k]}\nrequire a",
        expect![[r#"
            a cannot be satisfied: no catalog has an API k (g/v)
              package a is required (wanted.yaml:6)
              a 1.0.0 needs an API k (g/v) (catalog.yaml:18)
        "#]],
    );
}

#[test]
fn d05_each_requirement_counts() {
    check(
        "x@1.0.0{req:[c \">=1.0.0\", d \">=1.0.0\"]}, c@1.0.0\nrequire x",
        expect![[r#"
            x cannot be satisfied: no catalog has d >=1.0.0
              package x is required (wanted.yaml:6)
              x 1.0.0 needs d >=1.0.0 (catalog.yaml:36)
        "#]],
    );
}

#[test]
fn d06_an_older_version_needs_less() {
    check(
        r#"
a@2.0.0{rep:a@1.0.0, req:[b ">=2.0.0"]}, a@1.0.0{req:[b "<2.0.0"]}, b@1.5.0
require a
"#,
        expect![[r#"
            catalog:b:1.5.0:stable for catalog:a:1.0.0:stable
            catalog:a:1.0.0:stable for a
        "#]],
    );
}

#[test]
fn d07_two_require_different_versions() {
    check(
        r#"
a@1.0.0{req:[b "<2.0.0"]}, c@1.0.0{req:[b ">=2.0.0"]}, b@1.0.0, b@2.0.0{rep:b@1.0.0}
require a
require c
"#,
        expect![[r#"
            a and c cannot both be satisfied: they need different versions of b
              package a is required (wanted.yaml:6)
              a 1.0.0 needs b <2.0.0 (catalog.yaml:18)
              package c is required (wanted.yaml:7)
              c 1.0.0 needs b >=2.0.0 (catalog.yaml:61)
              only one version of package b can be installed (catalog.yaml:21)
            * Remove the requirement of a -> catalog:b:2.0.0:stable catalog:c:1.0.0:stable
            * Remove the requirement of c -> catalog:b:1.0.0:stable catalog:a:1.0.0:stable
        "#]],
    );
}

#[test]
fn d08_two_provide_the_same() {
    check(
        "a@1.0.0{gvk:K}, b@1.0.0{gvk:K}\nrequire a\nrequire b",
        expect![[r#"
            a and b cannot both be satisfied: they need different providers of K (example.com/v1)
              package a is required (wanted.yaml:6)
              package b is required (wanted.yaml:7)
              a 1.0.0 and b 1.0.0 both provide K (example.com/v1), and only one bundle can (catalog.yaml:18)
            * Remove the requirement of a -> catalog:b:1.0.0:stable
            * Remove the requirement of b -> catalog:a:1.0.0:stable
        "#]],
    );
}

#[test]
fn d09_the_package_name_comes_before_the_version() {
    check(
        "x@1.0.0{req:[gvk K]}, p@1.0.0{gvk:K}, q@2.0.0{gvk:K}\nrequire x",
        expect![[r#"
            catalog:p:1.0.0:stable for catalog:x:1.0.0:stable
            catalog:x:1.0.0:stable for x
        "#]],
    );
}

#[test]
fn d17_the_cluster() {
    check(
        "a@2.0.0{rep:a@1.0.0, max:4.20}, a@1.0.0\ncluster 4.21\nrequire a",
        expect![[r#"
        catalog:a:1.0.0:stable for a
    "#]],
    );
    check(
        "a@2.0.0{max:4.20}\ncluster 4.21\nrequire a",
        expect![[r#"
            a cannot be satisfied: the cluster has OpenShift 4.21, and no candidate runs there
              package a is required (wanted.yaml:6)
              a 2.0.0 runs on OpenShift up to 4.20 (catalog.yaml:18)
              the cluster has OpenShift 4.21 (wanted.yaml:7)
            * Stay on OpenShift 4.20 -> catalog:a:2.0.0:stable
        "#]],
    );
    check(
        "a@2.0.0{max:4.21}\ncluster 4.21\nrequire a",
        expect![[r#"
        catalog:a:2.0.0:stable for a
    "#]],
    );
    check(
        "a@2.0.0{max:4.20.1}\ncluster 4.21\nrequire a",
        expect![[r#"
        error catalog/invalid-property catalog.yaml:18 `olm.maxOpenShiftVersion` must be text with a major and a minor version only
        catalog:a:2.0.0:stable for a
    "#]],
    );
}

/// Bundles that one constraint is about (upstream's tests of `all`, `any` and `not`).
fn compound(needs: &str, offers: &str) -> String {
    format!("bar@1.0.0{{req:[{needs}]}}\n{offers}\nrequire bar")
}

#[test]
fn d12_all_of_one_bundle() {
    let offers =
        "foo@0.99.0{gvk:[A, B]}, foo@1.0.0{gvk:B, rep:foo@0.99.0}, foo@1.0.1{gvk:[A, B], rep:foo@1.0.0}";
    check(
        &compound("all[package foo \">=1.0.0\", gvk A, gvk B]", offers),
        expect![[r#"
            catalog:foo:1.0.1:stable for catalog:bar:1.0.0:stable
            catalog:bar:1.0.0:stable for bar
        "#]],
    );
}

#[test]
fn d13_any_of_one_bundle() {
    let offers =
        "foo@0.99.0{gvk:Z}, foo@1.0.0{gvk:[A, B], rep:foo@0.99.0}, foo@1.0.1{gvk:[A, B], rep:foo@1.0.0}";
    check(
        &compound("any[gvk A, gvk B]", offers),
        expect![[r#"
            catalog:foo:1.0.1:stable for catalog:bar:1.0.0:stable
            catalog:bar:1.0.0:stable for bar
        "#]],
    );
}

#[test]
fn d14_none_of_one_bundle() {
    let offers =
        "foo@0.99.0{gvk:Z}, foo@1.0.0{gvk:[Z, A, B], rep:foo@0.99.0}, foo@1.0.1{gvk:[Z, A], rep:foo@1.0.0}";
    check(
        &compound("all[gvk Z, not[gvk A, gvk B]]", offers),
        expect![[r#"
            catalog:foo:0.99.0:stable for catalog:bar:1.0.0:stable
            catalog:bar:1.0.0:stable for bar
        "#]],
    );
}

#[test]
fn d15_one_bundle_cannot_be_two() {
    check(
        &compound("all[package b \">=1.0.0\", package c \">=1.0.0\"]", "b@1.0.0, c@1.0.0"),
        expect![[r#"
            warning catalog/impossible-constraint catalog.yaml:35 no bundle satisfies this: none belongs to the packages `b` and `c` at once
            bar cannot be satisfied: no catalog has a bundle with package: b and with version in range: >=1.0.0 and with package: c and with version in range: >=1.0.0
              package bar is required (wanted.yaml:6)
              bar 1.0.0 needs a bundle with package: b and with version in range: >=1.0.0 and with package: c and with version in range: >=1.0.0 (catalog.yaml:35)
        "#]],
    );
}

#[test]
fn d16_a_constraint_that_there_is_not() {
    check(
        &compound("constraint \"{unknown: {}}\"", "b@1.0.0"),
        expect![[r#"
            error catalog/invalid-constraint catalog.yaml:35 json: unknown field "unknown"
            bar cannot be satisfied: no catalog has a bundle with a constraint that cannot be read: json: unknown field "unknown"
              package bar is required (wanted.yaml:6)
              bar 1.0.0 needs a bundle with a constraint that cannot be read: json: unknown field "unknown" (catalog.yaml:35)
        "#]],
    );
    check(
        &compound("constraint \"{package: {name: b}}\"", "b@1.0.0"),
        expect![[r#"
            error catalog/invalid-constraint catalog.yaml:35 json: unknown field "name"
              fix: Rename to `packageName`: "name" becomes packageName
            bar cannot be satisfied: no catalog has a bundle with a constraint that cannot be read: json: unknown field "name"
              package bar is required (wanted.yaml:6)
              bar 1.0.0 needs a bundle with a constraint that cannot be read: json: unknown field "name" (catalog.yaml:35)
        "#]],
    );
}

#[test]
fn expressions() {
    let version = "properties.exists(p, p.type == 'olm.package' && p.value.packageName == 'b' && semver_compare(p.value.version, '1.0.1') == 0)";
    check(
        &compound(&format!("cel \"{version}\""), "b@1.0.0, b@1.0.1{rep:b@1.0.0}, b@1.0.2{rep:b@1.0.1}"),
        expect![[r#"
            catalog:b:1.0.1:stable for catalog:bar:1.0.0:stable
            catalog:bar:1.0.0:stable for bar
        "#]],
    );
    let api = "properties.exists(p, p.type == 'olm.gvk' && p.value.kind == 'K')";
    check(
        &compound(&format!("cel \"{api}\""), "b@1.0.0, c@1.0.0{gvk:K}"),
        expect![[r#"
            catalog:c:1.0.0:stable for catalog:bar:1.0.0:stable
            catalog:bar:1.0.0:stable for bar
        "#]],
    );
}

#[test]
fn labels() {
    check(
        "a@1.0.0{req:[label blue]}, b@1.0.0{label:blue}, c@1.0.0{label:red}\nrequire a",
        expect![[r#"
            catalog:b:1.0.0:stable for catalog:a:1.0.0:stable
            catalog:a:1.0.0:stable for a
        "#]],
    );
    check(
        "a@1.0.0{req:[label green]}, b@1.0.0{label:blue}\nrequire a",
        expect![[r#"
            a cannot be satisfied: no catalog has a bundle with label green
              package a is required (wanted.yaml:6)
              a 1.0.0 needs a bundle with label green (catalog.yaml:18)
        "#]],
    );
}
