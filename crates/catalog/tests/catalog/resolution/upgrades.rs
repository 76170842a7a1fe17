//! U01 to U17, most of them OLM 1's.

use expect_test::{Expect, expect};

use super::check::check;

/// The fixture F of the notes, which is that of OLM 1's own tests.
const FIXTURE: &str = r#"
profile v1
P! beta
P@0.1.0{ch:[alpha, beta]}
P@1.0.0{ch:alpha, sr:"<1.0.0", dep}
P@1.0.1{ch:alpha, sr:"<1.0.1", dep}
P@1.0.2{ch:[alpha, beta], sr:"<1.0.2"}
P@2.0.0{ch:alpha, sr:">=1.0.0 <2.0.0"}
P@3.0.0{ch:gamma, sr:">=2.0.0 <3.0.0"}
"#;

fn fixture(rest: &str, expected: Expect) {
    check(&format!("{FIXTURE}\n{rest}"), expected);
}

#[test]
fn u01_the_highest() {
    fixture(
        "require P",
        expect![[r#"
        catalog:P:3.0.0:gamma for P
    "#]],
    );
}

#[test]
fn u02_in_a_range() {
    fixture(
        r#"require P ">=1.0.0 <2.0.0""#,
        expect![[r#"
        catalog:P:1.0.2:beta for P
    "#]],
    );
}

#[test]
fn u03_from_channels() {
    fixture(
        "require P ch:[beta]",
        expect![[r#"
        catalog:P:1.0.2:beta for P
    "#]],
    );
    fixture(
        "require P ch:[beta, alpha]",
        expect![[r#"
        catalog:P:2.0.0:alpha for P
    "#]],
    );
}

#[test]
fn u04_nothing() {
    fixture(
        r#"require P "3.0.0" ch:[beta]"#,
        expect![[r#"
            no bundles found for package "P" matching version "3.0.0" in channels [beta]
              package P in 3.0.0 from channel beta is required (wanted.yaml:7)
              3.0.0, 2.0.0, 1.0.1 and 1.0.0 are not in channel beta (wanted.yaml:7)
              1.0.2 and 0.1.0 are not in 3.0.0 (wanted.yaml:7)
            * Widen the range of P to `3.0.0 || 1.0.2` -> catalog:P:1.0.2:beta
            * Take P from channel `gamma` -> catalog:P:3.0.0:gamma
        "#]],
    );
}

#[test]
fn u05_what_is_not_deprecated() {
    fixture(
        r#"require P ">=0.1.0 <=1.0.0""#,
        expect![[r#"
        catalog:P:0.1.0:beta for P
    "#]],
    );
}

#[test]
fn u06_deprecated_if_nothing_else() {
    fixture(
        r#"require P ">=1.0.0 <=1.0.1""#,
        expect![[r#"
        catalog:P:1.0.1:alpha for P
    "#]],
    );
}

#[test]
fn u07_an_upgrade() {
    fixture(
        "installed P@0.1.0\nrequire P",
        expect![[r#"
            catalog:P:1.0.2:beta instead of 0.1.0 (in channel beta 1.0.2 skips a range with 0.1.0) for P
        "#]],
    );
}

#[test]
fn u08_no_upgrade() {
    fixture(
        "installed P@0.1.0\nrequire P \"<1.0.0 >=2.0.0\"",
        expect![[r#"
            error upgrading from currently installed version "0.1.0": no bundles found for package "P" matching version "<1.0.0 >=2.0.0"
              package P in <1.0.0 >=2.0.0 is required (wanted.yaml:7)
              3.0.0, 2.0.0, 1.0.2, 0.1.0, 1.0.1 and 1.0.0 are not in <1.0.0 >=2.0.0 (wanted.yaml:7)
            * Widen the range of P to `<1.0.0 >=2.0.0 || 1.0.2` -> catalog:P:1.0.2:beta
            * Remove the requirement of P -> catalog:P:0.1.0:beta
        "#]],
    );
}

#[test]
fn u09_a_downgrade() {
    fixture(
        "installed P@1.0.2\nrequire P \"<1.0.2\" any",
        expect![[r#"
        catalog:P:0.1.0:beta instead of 1.0.2 for P
    "#]],
    );
    fixture(
        "installed P@1.0.2\nrequire P \"<1.0.2\"",
        expect![[r#"
            error upgrading from currently installed version "1.0.2": no bundles found for package "P" matching version "<1.0.2"
              package P in <1.0.2 is required (wanted.yaml:7)
              3.0.0, 2.0.0 and 1.0.2 are not in <1.0.2 (wanted.yaml:7)
              no upgrade leads from 1.0.2, which is installed, to 0.1.0, 1.0.1 and 1.0.0 (wanted.yaml:8)
            * Widen the range of P to `<=1.0.2` -> catalog:P:1.0.2:beta
            * Allow versions of P that no upgrade leads to -> catalog:P:0.1.0:beta
            * Remove the requirement of P -> catalog:P:1.0.2:beta
        "#]],
    );
}

/// The chain of OLM 1's tests of successors.
const CHAIN: &str = r#"
profile v1
P@2.0.0
P@2.1.0{rep:P@2.0.0}
P@2.2.0{rep:P@2.1.0, skips:[P@2.0.0+1]}
P@2.2.1
P@2.3.0{rep:P@2.2.0, skips:[P@2.2.1]}
P@2.4.0{sr:">=2.3.0 <2.4.0"}
"#;

fn chain(rest: &str, expected: Expect) {
    check(&format!("{CHAIN}\n{rest}"), expected);
}

#[test]
fn u10_by_one_step() {
    chain(
        "installed P@2.0.0\nrequire P",
        expect![[r#"
            catalog:P:2.1.0:stable instead of 2.0.0 (in channel stable 2.1.0 replaces 2.0.0) for P
        "#]],
    );
    chain(
        "installed P@2.0.0\nrequire P \"!=2.1.0\"",
        expect![[r#"
        catalog:P:2.0.0:stable (installed) for P
    "#]],
    );
}

#[test]
fn u11_by_other_edges() {
    chain(
        "installed P@2.2.1\nrequire P",
        expect![[r#"
            catalog:P:2.3.0:stable instead of 2.2.1 (in channel stable 2.3.0 skips 2.2.1) for P
        "#]],
    );
    chain(
        "installed P@2.3.0\nrequire P",
        expect![[r#"
            catalog:P:2.4.0:stable instead of 2.3.0 (in channel stable 2.4.0 skips a range with 2.3.0) for P
        "#]],
    );
    chain(
        "P@2.0.0+1\ninstalled P@2.0.0+1\nrequire P",
        expect![[r#"
            catalog:P:2.2.0:stable instead of 2.0.0+1 (in channel stable 2.2.0 skips 2.0.0+1) for P
        "#]],
    );
    chain(
        "installed P@9.0.0\nrequire P",
        expect![[r#"
            error upgrading from currently installed version "9.0.0": no bundles found for package "P"
              package P is required (wanted.yaml:7)
              no upgrade leads from 9.0.0, which is installed, to 2.4.0, 2.3.0, 2.2.1, 2.2.0, 2.1.0 and 2.0.0 (wanted.yaml:8)
              no channel has 9.0.0 (wanted.yaml:8)
            * Allow versions of P that no upgrade leads to -> catalog:P:2.4.0:stable
            * Remove the requirement of P -> :P:9.0.0:
        "#]],
    );
}

#[test]
fn u12_what_the_profiles_differ_in() {
    let case = r#"
a@3.0.0{skips:[a@2.0.0]}, a@2.0.0{sr:">=1.0.0 <2.0.0"}
installed a@1.0.0
require a
"#;
    check(
        &format!("profile v0\n{case}"),
        expect![[r#"
        :a:1.0.0: (installed) for a
    "#]],
    );
    check(
        &format!("profile v1\n{case}"),
        expect![[r#"
            catalog:a:2.0.0:stable instead of 1.0.0 (in channel stable 2.0.0 skips a range with 1.0.0) for a
        "#]],
    );
}

#[test]
fn u13_the_closest_to_the_head() {
    check(
        r#"
profile v0
a@2.0.0{skips:[a@1.0.0]}, a@3.0.0{rep:a@2.0.0, skips:[a@1.0.0]}
installed a@1.0.0
require a
"#,
        expect![[r#"
            catalog:a:3.0.0:stable instead of 1.0.0 (in channel stable 3.0.0 skips 1.0.0) for a
        "#]],
    );
}

#[test]
fn u14_a_range_of_what_is_skipped() {
    check(
        r#"
profile v0
a@2.0.0{sr:"<1.0.0"}, a@3.0.0{rep:a@2.0.0, sr:"<1.0.0"}, a@4.0.0{rep:a@3.0.0, sr:"<1.0.0 !0.0.0"}
installed a@0.0.0
require a
"#,
        expect![[r#"
            catalog:a:3.0.0:stable instead of 0.0.0 (in channel stable 3.0.0 skips a range with 0.0.0) for a
        "#]],
    );
}

#[test]
fn u15_another_package_takes_its_place() {
    check(
        r#"
profile v0
b@2.0.0{rep:a@1.0.0}
installed a@1.0.0
require b
"#,
        expect![[r#"
            catalog:b:2.0.0:stable instead of 1.0.0 (in channel stable 2.0.0 replaces 1.0.0) for b
        "#]],
    );
}

#[test]
fn u16_priorities() {
    let case = |a: i32| format!("profile v1\ncatalog A {a}\nx@1.0.0\ncatalog B 0\nx@1.1.0\nrequire x");
    check(
        &case(1),
        expect![[r#"
        A:x:1.0.0:stable for x
    "#]],
    );
    check(
        &case(0),
        expect![[r#"
            found bundles for package "x" in multiple catalogs with the same priority [A B]
              package x is required (wanted.yaml:7)
              catalog A has x 1.0.0 (A.yaml:14)
              catalog B has x 1.1.0 (B.yaml:14)
            * Take x from catalog `A` -> A:x:1.0.0:stable
        "#]],
    );
}

#[test]
fn u17_deprecations_of_several_catalogs() {
    let case = |range: &str| {
        format!(
            r#"
profile v1
catalog b 0
x@1.0.0{{dep}}
catalog c 0
x@1.0.1{{dep}}
catalog d 0
x@1.0.2
catalog e 0
x@1.0.3{{dep}}
require x "{range}"
"#
        )
    };
    check(
        &case(">=1.0.0 <=1.0.3"),
        expect![[r#"
        d:x:1.0.2:stable for x
    "#]],
    );
    check(
        &case("<=1.0.1"),
        expect![[r#"
            found bundles for package "x" matching version "<=1.0.1" in multiple catalogs with the same priority [b c]
              package x in <=1.0.1 is required (wanted.yaml:7)
              catalog b has x 1.0.0 (b.yaml:14)
              catalog c has x 1.0.1 (c.yaml:14)
            * Widen the range of x to `<=1.0.2` -> d:x:1.0.2:stable
            * Take x from catalog `b` -> b:x:1.0.0:stable
        "#]],
    );
}
