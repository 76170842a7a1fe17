//! The tables of OLM 0's own tests, and what is specific to the profile (§3.3).

use expect_test::{Expect, expect};

use super::check::check;

fn v0(case: &str, expected: Expect) {
    check(&format!("profile v0\n{case}"), expected);
}

#[test]
fn the_latest_of_the_chain() {
    v0(
        "a@1.0.0, a@1.1.0{rep:a@1.0.0}, a@1.2.0{rep:a@1.1.0}\nrequire a",
        expect![[r#"
        catalog:a:1.2.0:stable for a
    "#]],
    );
}

#[test]
fn transitive_dependencies_are_resolved() {
    v0(
        r#"
a@1.0.0{req:[gvk K]}
b@1.0.0{gvk:K, req:[c ">=1.0.0"]}
c@1.0.0
require a
"#,
        expect![[r#"
            catalog:c:1.0.0:stable for catalog:b:1.0.0:stable
            catalog:b:1.0.0:stable for catalog:a:1.0.0:stable
            catalog:a:1.0.0:stable for a
        "#]],
    );
}

#[test]
fn the_higher_priority_counts() {
    v0(
        "catalog A 0\na@1.0.0{req:[gvk K]}\ncatalog B 0\nb@1.0.0{gvk:K}\ncatalog C 100\nb@1.1.0{gvk:K}\nrequire a",
        expect![[r#"
            C:b:1.1.0:stable for A:a:1.0.0:stable
            A:a:1.0.0:stable for a
        "#]],
    );
}

#[test]
fn of_equal_priority_the_name_counts() {
    v0(
        "catalog A 0\na@1.0.0{req:[gvk K]}\ncatalog C 0\nb@1.1.0{gvk:K}\ncatalog B 0\nb@1.0.0{gvk:K}\nrequire a",
        expect![[r#"
            B:b:1.0.0:stable for A:a:1.0.0:stable
            A:a:1.0.0:stable for a
        "#]],
    );
}

#[test]
fn the_same_catalog_counts_more_than_priority() {
    v0(
        "catalog A 0\na@1.0.0{req:[gvk K]}, b@1.0.0{gvk:K}\ncatalog B 100\nb@1.1.0{gvk:K}\nrequire a",
        expect![[r#"
            A:b:1.0.0:stable for A:a:1.0.0:stable
            A:a:1.0.0:stable for a
        "#]],
    );
}

#[test]
fn the_default_channel_counts_more_than_a_newer_version() {
    v0(
        "a@1.0.0{req:[gvk K]}\nb! stable\nb@1.0.0{ch:stable, gvk:K}, b@2.0.0{ch:beta, gvk:K}\nrequire a",
        expect![[r#"
            catalog:b:1.0.0:stable for catalog:a:1.0.0:stable
            catalog:a:1.0.0:stable for a
        "#]],
    );
}

#[test]
fn another_catalog_where_the_first_copy_cannot_be() {
    v0(
        r#"
catalog A 0
a@1.0.0{req:[gvk K]}
b@1.0.0{gvk:K, req:[gvk Missing]}
catalog B 0
b@1.0.0{gvk:K}
require a
"#,
        expect![[r#"
            B:b:1.0.0:stable for A:a:1.0.0:stable
            A:a:1.0.0:stable for a
        "#]],
    );
}

#[test]
fn a_package_cannot_help_itself() {
    v0(
        "a@2.0.0{rep:a@1.0.0, req:[gvk K]}, a@1.0.0{gvk:K}\nrequire a ch:stable start:a@2.0.0",
        expect![[r#"
            a cannot be satisfied: it needs different versions of a
              subscription a exists (wanted.yaml:7)
              subscription a requires a.v2.0.0 (wanted.yaml:7)
              bundle a.v2.0.0 requires an operator providing an API with group: example.com, version: v1, kind: K (catalog.yaml:19)
              a.v2.0.0 and a.v1.0.0 originate from package a (catalog.yaml:3)
        "#]],
    );
}

#[test]
fn installed_bundles_satisfy_dependencies() {
    v0(
        "a@1.0.0{req:[gvk K]}, b@1.0.0{gvk:K}\ninstalled x@1.0.0{gvk:K}\nrequire a",
        expect![[r#"
            :x:1.0.0: (installed) for catalog:a:1.0.0:stable
            catalog:a:1.0.0:stable for a
        "#]],
    );
}

#[test]
fn installed_bundles_cause_conflicts() {
    v0(
        "a@1.0.0{gvk:K}\ninstalled x@1.0.0{gvk:K}\nrequire a",
        expect![[r#"
            a and x 1.0.0, which is installed, cannot both be satisfied: they need different providers of K (example.com/v1)
              subscription a exists (wanted.yaml:7)
              subscription a requires a.v1.0.0 (wanted.yaml:7)
              clusterserviceversion x.v1.0.0 exists and is not referenced by a subscription (wanted.yaml:8)
              a.v1.0.0 and x.v1.0.0 provide K (example.com/v1) (catalog.yaml:18)
            * Remove the requirement of a -> :x:1.0.0:
            * Remove x 1.0.0, which is installed -> catalog:a:1.0.0:stable
        "#]],
    );
}

#[test]
fn d10_an_api_moves_in_one_step() {
    v0(
        r#"
a@2.0.0{rep:a@1.0.0}, b@2.0.0{rep:b@1.0.0, gvk:K}
installed a@1.0.0{gvk:K}, b@1.0.0{req:[gvk K]}
require a
require b
"#,
        expect![[r#"
            catalog:a:2.0.0:stable instead of 1.0.0 (in channel stable 2.0.0 replaces 1.0.0) for a
            catalog:b:2.0.0:stable instead of 1.0.0 (in channel stable 2.0.0 replaces 1.0.0) for b
        "#]],
    );
}

#[test]
fn d11_two_that_need_each_other() {
    let rest =
        "installed a@1.0.0{gvk:One, req:[gvk Two]}, b@1.0.0{gvk:Two, req:[gvk One]}\nrequire a\nrequire b";
    v0(
        &format!(
            "a@2.0.0{{rep:a@1.0.0, gvk:Three, req:[gvk Four]}}, b@2.0.0{{rep:b@1.0.0, gvk:Four, req:[gvk Three]}}\n{rest}"
        ),
        expect![[r#"
            catalog:b:2.0.0:stable instead of 1.0.0 (in channel stable 2.0.0 replaces 1.0.0) for b, catalog:a:2.0.0:stable
            catalog:a:2.0.0:stable instead of 1.0.0 (in channel stable 2.0.0 replaces 1.0.0) for a, catalog:b:2.0.0:stable
        "#]],
    );
    v0(
        &format!("a@2.0.0{{rep:a@1.0.0, gvk:Three, req:[gvk Four]}}\n{rest}"),
        expect![[r#"
            :b:1.0.0: (installed) for b, :a:1.0.0:
            :a:1.0.0: (installed) for a, :b:1.0.0:
        "#]],
    );
}

#[test]
fn withdrawn_bundles_are_never_chosen() {
    v0(
        "a@1.0.0, a@1.1.0{rep:a@1.0.0, withdrawn}\nrequire a",
        expect![[r#"
        catalog:a:1.0.0:stable for a
    "#]],
    );
    v0(
        "a@1.0.0{withdrawn}\nrequire a",
        expect![[r#"
            a cannot be satisfied: bundle a.v1.0.0 is deprecated
              subscription a exists (wanted.yaml:7)
              subscription a requires a.v1.0.0 (wanted.yaml:7)
              bundle a.v1.0.0 is deprecated (catalog.yaml:18)
        "#]],
    );
}

#[test]
fn a_marked_one_inside_does_not_break_the_chain() {
    v0(
        "a@1.0.0, a@1.1.0{rep:a@1.0.0, withdrawn}, a@1.2.0{rep:a@1.1.0}\ninstalled a@1.0.0\nrequire a",
        expect![[r#"
            catalog:a:1.0.0:stable (installed) for a
        "#]],
    );
    v0(
        "a@1.0.0, a@1.1.0{rep:a@1.0.0, withdrawn}, a@1.2.0{rep:a@1.1.0}\nrequire a",
        expect![[r#"
        catalog:a:1.2.0:stable for a
    "#]],
    );
}

#[test]
fn skipped_bundles_are_not_chosen() {
    v0(
        "a@1.0.0, a@1.1.0{rep:a@1.0.0}, a@1.2.0{rep:a@1.0.0, skips:[a@1.1.0]}\ninstalled a@1.1.0\nrequire a",
        expect![[r#"
            catalog:a:1.2.0:stable instead of 1.1.0 (in channel stable 1.2.0 skips 1.1.0) for a
        "#]],
    );
    v0(
        "a@1.0.0, a@1.1.0{rep:a@1.0.0}, a@1.2.0{rep:a@1.0.0, skips:[a@1.1.0]}\ninstalled a@1.0.0\nrequire a",
        expect![[r#"
            catalog:a:1.2.0:stable instead of 1.0.0 (in channel stable 1.2.0 replaces 1.0.0) for a
        "#]],
    );
}

#[test]
fn d03_the_provider_is_skipped() {
    let case = r#"
a@1.0.0{req:[gvk K]}
b@3.0.0{rep:b@2.0.0, skips:[b@1.0.0]}, b@2.0.0{rep:b@1.0.0}, b@1.0.0{gvk:K}
require a
"#;
    v0(
        case,
        expect![[r#"
            a cannot be satisfied: no catalog has an API K (example.com/v1)
              subscription a exists (wanted.yaml:7)
              subscription a requires a.v1.0.0 (wanted.yaml:7)
              bundle a.v1.0.0 requires an operator providing an API with group: example.com, version: v1, kind: K (catalog.yaml:18)
        "#]],
    );
    check(
        &format!("profile v1\n{case}"),
        expect![[r#"
            catalog:b:1.0.0:stable for catalog:a:1.0.0:stable
            catalog:a:1.0.0:stable for a
        "#]],
    );
}

#[test]
fn installed_bundles_keep_their_dependencies() {
    v0(
        r#"
b@2.0.0{rep:b@1.0.0}, b@1.0.0
installed a@1.0.0{req:[b "<2.0.0"]}, b@1.0.0
require b
"#,
        expect![[r#"
            catalog:b:1.0.0:stable (installed) for b, :a:1.0.0:
            :a:1.0.0: (installed)
        "#]],
    );
}

#[test]
fn a_channel_of_two_chains() {
    v0(
        "a@1.0.0, a@1.1.0{rep:a@1.0.0}, a@2.0.0\nrequire a",
        expect![[r#"
            a unique replacement chain within a channel is required to determine the relative order between channel entries, but 2 replacement chains were found in channel "stable" of package "a": a.v1.1.0...a.v1.0.0, a.v2.0.0
              subscription a exists (wanted.yaml:7)
              a unique replacement chain within a channel is required to determine the relative order between channel entries, but 2 replacement chains were found in channel "stable" of package "a": a.v1.1.0...a.v1.0.0, a.v2.0.0 (catalog.yaml:8)
        "#]],
    );
}

#[test]
fn the_four_texts() {
    v0(
        "catalog other 0\na@1.0.0\nrequire a from:c",
        expect![[r#"
        no operators found from catalog c in namespace default referenced by subscription a
          subscription a exists (wanted.yaml:7)
          1.0.0 is not in catalog c (wanted.yaml:7)
        * Take a from catalog `other` -> other:a:1.0.0:stable
    "#]],
    );
    v0(
        "b@1.0.0\nrequire a from:catalog",
        expect![[r#"
        no operators found in package a in the catalog referenced by subscription a
          subscription a exists (wanted.yaml:7)
          no catalog has a package a (wanted.yaml:7)
    "#]],
    );
    v0(
        "a@1.0.0\nrequire a from:catalog ch:beta",
        expect![[r#"
        no operators found in channel beta of package a in the catalog referenced by subscription a
          subscription a exists (wanted.yaml:7)
          1.0.0 is not in channel beta (wanted.yaml:7)
        * Take a from channel `stable` -> catalog:a:1.0.0:stable
    "#]],
    );
    v0(
        "a@1.0.0\nrequire a from:catalog ch:stable start:a@2.0.0",
        expect![[r#"
        no operators found with name a.v2.0.0 in channel stable of package a in the catalog referenced by subscription a
          subscription a exists (wanted.yaml:7)
          a.v2.0.0 is the only version to start with (wanted.yaml:7)
    "#]],
    );
    v0(
        "a@1.0.0\nrequire a \">=2.0.0\" from:catalog",
        expect![[r#"
        no operators found matching the criteria of subscription a
          subscription a exists (wanted.yaml:7)
          1.0.0 is not in >=2.0.0 (wanted.yaml:7)
        * Widen the range of a to `>=1.0.0` -> catalog:a:1.0.0:stable
    "#]],
    );
}

#[test]
fn a_missing_dependency() {
    v0(
        "a@1.0.0{req:[gvk g/v/k]}\nrequire a",
        expect![[r#"
            a cannot be satisfied: no catalog has an API k (g/v)
              subscription a exists (wanted.yaml:7)
              subscription a requires a.v1.0.0 (wanted.yaml:7)
              bundle a.v1.0.0 requires an operator providing an API with group: g, version: v, kind: k (catalog.yaml:18)
        "#]],
    );
}

#[test]
fn a_deadlock_of_versions() {
    v0(
        r#"
a@2.0.0{rep:a@1.0.0, req:[b ">=2.0.0"]}, a@1.0.0{req:[b "<2.0.0"]}
b@2.0.0{rep:b@1.0.0, req:[a ">=2.0.0"]}, b@1.0.0{req:[a "<2.0.0"]}
installed a@1.0.0, b@1.0.0
require a
require b
"#,
        expect![[r#"
            catalog:b:2.0.0:stable instead of 1.0.0 (in channel stable 2.0.0 replaces 1.0.0) for b, catalog:a:2.0.0:stable
            catalog:a:2.0.0:stable instead of 1.0.0 (in channel stable 2.0.0 replaces 1.0.0) for a, catalog:b:2.0.0:stable
        "#]],
    );
}

#[test]
fn skip_ranges() {
    v0(
        "a@1.0.0, a@1.1.0{rep:a@1.0.0}, a@1.2.0{rep:a@1.1.0, sr:\">=1.0.0 <1.2.0\"}\ninstalled a@1.0.0\nrequire a",
        expect![[r#"
            catalog:a:1.2.0:stable instead of 1.0.0 (in channel stable 1.2.0 skips a range with 1.0.0) for a
        "#]],
    );
    v0(
        "a@1.0.0, a@1.1.0{rep:a@1.0.0, sr:\"<1.1.0\"}, a@1.2.0{rep:a@1.1.0}\ninstalled a@0.9.0\nrequire a",
        expect![[r#"
            catalog:a:1.1.0:stable instead of 0.9.0 (in channel stable 1.1.0 skips a range with 0.9.0) for a
        "#]],
    );
}

#[test]
fn the_one_to_start_with() {
    v0(
        "a@1.0.0, a@1.1.0{rep:a@1.0.0}\nrequire a start:a@1.0.0",
        expect![[r#"
        catalog:a:1.0.0:stable for a
    "#]],
    );
    v0(
        "a@1.0.0, a@1.1.0{rep:a@1.0.0}\ninstalled a@1.0.0\nrequire a start:a@1.0.0",
        expect![[r#"
            catalog:a:1.1.0:stable instead of 1.0.0 (in channel stable 1.1.0 replaces 1.0.0) for a
        "#]],
    );
}

#[test]
fn one_bundle_of_two_channels() {
    v0(
        "a! beta\na@1.0.0{ch:[alpha, beta]}, a@2.0.0{ch:alpha, rep:a@1.0.0}\nrequire a",
        expect![[r#"
        catalog:a:1.0.0:beta for a
    "#]],
    );
    v0(
        "a! beta\na@1.0.0{ch:[alpha, beta]}, a@2.0.0{ch:alpha, rep:a@1.0.0}\nrequire a ch:alpha",
        expect![[r#"
            catalog:a:2.0.0:alpha for a
        "#]],
    );
}

#[test]
fn too_many_providers() {
    v0(
        "a@1.0.0{gvk:K}, b@1.0.0{gvk:K}\nrequire a\nrequire b",
        expect![[r#"
            a and b cannot both be satisfied: they need different providers of K (example.com/v1)
              subscription a exists (wanted.yaml:7)
              subscription a requires a.v1.0.0 (wanted.yaml:7)
              subscription b exists (wanted.yaml:8)
              subscription b requires b.v1.0.0 (wanted.yaml:8)
              a.v1.0.0 and b.v1.0.0 provide K (example.com/v1) (catalog.yaml:18)
            * Remove the requirement of a -> catalog:b:1.0.0:stable
            * Remove the requirement of b -> catalog:a:1.0.0:stable
        "#]],
    );
}
