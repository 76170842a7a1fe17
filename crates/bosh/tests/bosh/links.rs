//! Diagnostics for the links of specs and manifests, with the director's messages and our own.

use crate::jobs;
use expect_test::{Expect, expect};
use links::Profile::{Bosh, Strict};

/// Reads jobs.
#[track_caller]
fn check(text: &str, expected: Expect) {
    check_all(&jobs::manifest(text, ""), &[], expected);
}

/// Reads a manifest and further specs.
#[track_caller]
fn check_all(manifest: &str, others: &[(&str, &str)], expected: Expect) {
    let mut found = String::new();
    for profile in [Bosh, Strict] {
        let (files, read) = jobs::read(manifest, others, profile);
        for line in jobs::reported(&files, &read) {
            found.push_str(&format!("{}: {line}\n", profile.as_str()));
        }
        files.check_fixes(&read, profile);
    }
    expected.assert_eq(&found);
}

/// Reads one more spec.
#[track_caller]
fn check_spec(spec: &str, expected: Expect) {
    check_all(&jobs::manifest("s: store", ""), &[("r__x.yml", &format!("name: x\n{spec}"))], expected);
}

#[test]
fn specs_are_checked() {
    check_spec(
        "provides: {kv: kv}",
        expect![[r#"
        bosh: error: Job 'x' has invalid spec format: 'provides' must be an array of hashes with name and type @ {kv: kv}
        strict: error: `provides` is a list, not a map @ {kv: kv}
    "#]],
    );
    check_spec(
        "provides: [kv]",
        expect![[r#"
            bosh: error: Provides section in the release spec must be a list of hashes @ kv
            strict: error: a link is a map with `name` and `type`, not text @ kv
        "#]],
    );
    check_spec(
        "provides: [{name: kv, type: a}, {name: kv, type: b}]",
        expect![[r#"
        bosh: error: Job 'x' specifies duplicate provides link with name 'kv' @ kv
        strict: error: `x` provides two links `kv` @ kv
    "#]],
    );
    check_spec(
        "provides: [{name: kv, type: kv, optional: true}]",
        expect![[r#"
        bosh: error: Link 'kv' of type 'kv' is a provides link, not allowed to have 'optional' key @ optional
        strict: error: `kv` is provided, so it cannot be optional @ optional
    "#]],
    );
    check_spec(
        "consumes: [{name: x}, 5]",
        expect![[r#"
        bosh: error: Each consumes item in the consumes section of the release spec must contain 'name' and 'type' @ {name: x}
        bosh: error: Consumes section in the release spec must be a list of hashes @ 5
        strict: error: this link has no `type` @ {name: x}
        strict: error: a link is a map with `name` and `type`, not a whole number @ 5
    "#]],
    );
    check_spec("provides: ~\nconsumes: ~", expect![[""]]);
    check_spec(
        "consumes: [{name: kv, type: kv, properties: [port]}]",
        expect![[r#"
        strict: warning: unknown key `properties` on a consumed link; it is ignored @ properties
    "#]],
    );
    check_spec(
        "consumes: [{name: '', type: kv}, {name: kv, type: ''}]",
        expect![[r#"
        strict: error: the `name` of a link is empty @ ''
        strict: error: the `type` of a link is empty @ ''
    "#]],
    );
    check_spec("consumes: [{name: kv, type: kv}]\nprovides: [{name: kv, type: kv}]", expect![[""]]);
    check_spec(
        "consumes: [{name: kv, type: kv, optional: 'yes'}]",
        expect![[r#"
        strict: warning: `optional` is true or false, not text @ 'yes'
    "#]],
    );
    check_spec(
        "consumes: [{name: kv, type: kv, scope: instanse}]",
        expect![[r#"
        strict: error: unknown scope `instanse` @ instanse
    "#]],
    );
}

#[test]
fn a_spec_has_the_name_of_its_file() {
    check_all(
        &jobs::manifest("s: store", ""),
        &[("r__y.yml", "name: z\ntemplates: {}")],
        expect![[r#"
        bosh: error: Inconsistent name for job 'y'(exptected: 'y', got: 'z') @ z
        strict: error: the spec of `y` has the name `z` @ z
    "#]],
    );
    check_all(
        &jobs::manifest("s: store", ""),
        &[("r__y.yml", "templates: {}")],
        expect![[r#"
            bosh: error: Inconsistent name for job 'y'(exptected: 'y', got: '') @ templates: {}
            strict: error: the spec of `y` has no `name` @ templates: {}
        "#]],
    );
    check_all(
        &jobs::manifest("s: store", ""),
        &[("old/r__store.yml", "name: store")],
        expect![[r#"
        bosh: warning: there are two specs of the job `store` @ store
        strict: warning: there are two specs of the job `store` @ store
    "#]],
    );
}

#[test]
fn consumes_entries_are_maps_or_nil() {
    check(
        "a: api {consumes: {backend: ~}}",
        expect![[r#"
        bosh: error: Consumer 'backend' in job 'api' in instance group 'a' specified in the manifest should only be a hash or string 'nil' @ ~
        strict: error: the link `backend` must be a map or `nil`, not null @ ~
    "#]],
    );
    check(
        "a: api {consumes: {backend: [x]}}\nb: api {consumes: {backend: yes-please}}",
        expect![[r#"
            bosh: error: Consumer 'backend' in job 'api' in instance group 'a' specified in the manifest should only be a hash or string 'nil' @ [x]
            bosh: error: Consumer 'backend' in job 'api' in instance group 'b' specified in the manifest should only be a hash or string 'nil' @ yes-please
            strict: error: the link `backend` must be a map or `nil`, not a list @ [x]
            strict: error: the link `backend` must be a map or `nil`, not text @ yes-please
        "#]],
    );
    check(
        "a: api {consumes: [backend]}",
        expect![[r#"
        bosh: error: `consumes` is a map, not a list @ [backend]
        strict: error: `consumes` is a map, not a list @ [backend]
    "#]],
    );
    check(
        "a: api {consumes: {backend: {name: x}}}",
        expect![[r#"
        bosh: error: Cannot specify 'name' or 'type' properties in the manifest for link 'backend' in job 'api' in instance group 'a'. Please provide these keys in the release only. @ name
        strict: error: the `name` of the link `backend` can be set only by its release @ name
    "#]],
    );
    check(
        "a: api {consumes: {backend: {from: x, instances: []}}}",
        expect![[r#"
        bosh: error: Cannot specify both 'instances' and 'from' keys for link 'backend' in job 'api' in instance group 'a'. @ instances
        strict: error: the link `backend` has both `instances` and `from` @ instances
    "#]],
    );
    check(
        "a: api {consumes: {backend: {from: x, properties: {}}}}",
        expect![[r#"
        bosh: error: Cannot specify both 'properties' and 'from' keys for link 'backend' in job 'api' in instance group 'a'. @ properties
        bosh: error: Cannot specify 'properties' without 'instances' for link 'backend' in job 'api' in instance group 'a'. @ properties
        strict: error: the link `backend` has both `properties` and `from` @ properties
        strict: error: the link `backend` has `properties` without `instances` @ properties
    "#]],
    );
    check(
        "a: api {consumes: {backend: {from: x, address: h}}}",
        expect![[r#"
        strict: error: the link `backend` has both `address` and `from` @ address
    "#]],
    );
    check(
        "a: api {consumes: {backend: {properties: {port: 1}}}}",
        expect![[r#"
        bosh: error: Cannot specify 'properties' without 'instances' for link 'backend' in job 'api' in instance group 'a'. @ properties
        strict: error: the link `backend` has `properties` without `instances` @ properties
    "#]],
    );
    check(
        "a: api {consumes: {backend: {ip_addresses: 'true'}}}",
        expect![[r#"
        bosh: error: Cannot specify non boolean values for 'ip_addresses' field for link 'backend' in job 'api' in instance group 'a'. @ 'true'
        strict: error: `ip_addresses` is true or false, not text @ 'true'
    "#]],
    );
    check(
        "a: api {consumes: {backend: {ip_addresses: ~}}}",
        expect![[r#"
        bosh: error: Cannot specify non boolean values for 'ip_addresses' field for link 'backend' in job 'api' in instance group 'a'. @ ~
        strict: error: `ip_addresses` is true or false, not null @ ~
    "#]],
    );
    check(
        "a: api {consumes: {backend: {from: other.kv}}}",
        expect![[r#"
        strict: error: `from` is the name of a link, and `other.kv` is a path @ other.kv
    "#]],
    );
    check(
        "a: api {consumes: {backend: {from: x, shared: true, netwrok: n}}}",
        expect![[r#"
        strict: warning: unknown key `shared` on a consumer; it is ignored @ shared
        strict: warning: unknown key `netwrok` on a consumer; it is ignored @ netwrok
    "#]],
    );
    check(
        "a: api {consumes: {backend: {instances: [{address: h}], network: n, foo: 1}}}",
        expect![[r#"
        strict: warning: unknown key `foo` on a consumer; it is ignored @ foo
        strict: warning: `network` has no effect on a manual link @ network
    "#]],
    );
    check(
        "a: api {consumes: {backend: {from: [x], network: {}}}}",
        expect![[r#"
        bosh: error: `from` is a name, not a list @ [x]
        bosh: error: `network` is a name, not a map @ {}
        strict: error: `from` is a name, not a list @ [x]
        strict: error: `network` is a name, not a map @ {}
    "#]],
    );
    check("a: api {consumes: {backend: {address: h}}}", expect![[""]]);
    check(
        "a: api {consumes: {backent: {from: kv}}}",
        expect![[r#"
        bosh: warning: Job 'api' does not define link consumer 'backent' in the release spec @ backent
        strict: warning: the job `api` has no consumer `backent`, so this has no effect @ backent
    "#]],
    );
}

#[test]
fn provides_entries_are_maps_or_nil() {
    check(
        "s: store {provides: {kv: ~}}",
        expect![[r#"
        bosh: error: Provider 'kv' in job 'store' in instance group 's' specified in the manifest should only be a hash or string 'nil' @ ~
        strict: error: the link `kv` must be a map or `nil`, not null @ ~
    "#]],
    );
    check(
        "s: store {provides: {zz: {as: q}}}",
        expect![[r#"
        bosh: warning: Job 'store' does not define link provider 'zz' in the release spec @ zz
        strict: warning: the job `store` has no provider `zz`, so this has no effect @ zz
    "#]],
    );
    check(
        "s: store {provides: {kw: {as: q}}}",
        expect![[r#"
        bosh: warning: Job 'store' does not define link provider 'kw' in the release spec @ kw
        strict: warning: the job `store` has no provider `kw`, so this has no effect @ kw
    "#]],
    );
    check(
        "s: store {provides: {kv: {as: ''}}}\nt: store {provides: {kv: {as: 5}}}",
        expect![[r#"
            strict: error: `as` is a name, not empty text @ ''
            strict: error: `as` is a name, not a whole number @ 5
        "#]],
    );
    check(
        "s: store {provides: {kv: {as: ~}}}",
        expect![[r#"
        strict: error: `as` is a name, not null @ ~
    "#]],
    );
    check(
        "s: store {provides: {kv: {shared: 'yes', aliases: [], shred: 1}}}",
        expect![[r#"
        strict: error: `shared` is true or false, not text @ 'yes'
        strict: warning: unknown key `shred` on a provider; it is ignored @ shred
    "#]],
    );
    check(
        "s: store {provides: {kv: {type: kv}}}",
        expect![[r#"
        bosh: error: Cannot specify 'name' or 'type' properties in the manifest for link 'kv' in job 'store' in instance group 's'. Please provide these keys in the release only. @ type
        strict: error: the `type` of the link `kv` can be set only by its release @ type
    "#]],
    );
}

#[test]
fn a_group_has_a_job_once() {
    check(
        "s: store\ns: api\ns: store",
        expect![[r#"
        bosh: error: Colocated job 'store' is already added to the instance group 's' @ store
        strict: error: the instance group `s` has the job `store` twice @ store
    "#]],
    );
}

#[test]
fn custom_providers_are_checked() {
    let bare = |custom: &str| format!("b: bare {{custom_provider_definitions: {custom}}}");
    check(&bare("[{name: k, type: kv, properties: [port]}]"), expect![[""]]);
    check(
        &bare("[{name: '', type: ''}, {}, 5]"),
        expect![[r#"
        bosh: error: each of `custom_provider_definitions` is a map, not a whole number @ 5
        bosh: error: Name for custom link provider definition in manifest in job 'bare' in instance group 'b' must be a valid non-empty string. @ ''
        bosh: error: Type for custom link provider definition in manifest in job 'bare' in instance group 'b' must be a valid non-empty string. @ ''
        bosh: error: Name for custom link provider definition in manifest in job 'bare' in instance group 'b' must be a valid non-empty string. @ {}
        bosh: error: Type for custom link provider definition in manifest in job 'bare' in instance group 'b' must be a valid non-empty string. @ {}
        strict: error: each of `custom_provider_definitions` is a map, not a whole number @ 5
        strict: error: a custom provider needs a `name`, as text @ ''
        strict: error: a custom provider needs a `type`, as text @ ''
        strict: error: a custom provider needs a `name`, as text @ {}
        strict: error: a custom provider needs a `type`, as text @ {}
    "#]],
    );
    check(
        &bare("[{name: k, type: a}, {name: k, type: b}, {name: k, type: c}]"),
        expect![[r#"
        bosh: error: Custom provider 'k' in job 'bare' in instance group 'b' is defined multiple times in manifest. @ k
        strict: error: there are two custom providers `k` @ k
    "#]],
    );
    check(
        &bare("[{name: k, type: kv, properties: [nope, prot]}]"),
        expect![[r#"
        bosh: error: Link property nope in template bare is not defined in release spec @ nope
        bosh: error: Link property prot in template bare is not defined in release spec @ prot
        strict: error: the job `bare` has no property `nope` that a link could provide @ nope
        strict: error: the job `bare` has no property `prot` that a link could provide @ prot
    "#]],
    );
    check(
        "s: store {custom_provider_definitions: [{name: kv, type: kv}]}",
        expect![[r#"
        bosh: error: Custom provider 'kv' in job 'store' in instance group 's' is already defined in release 'r' @ kv
        strict: error: the job `store` has a provider `kv` already @ kv
    "#]],
    );
    check(
        "b: bare {custom_provider_definitions: [{name: k, type: kv}], provides: {k: {as: z, shared: true}, l: nil}}",
        expect![[r#"
            bosh: warning: Job 'bare' does not define link provider 'l' in the release spec @ l
            strict: warning: the job `bare` has no provider `l`, so this has no effect @ l
        "#]],
    );
}

#[test]
fn exposed_properties_are_declared_or_written() {
    let spec = |listed: &str| {
        format!(
            "provides: [{{name: x, type: x, properties: [{listed}]}}]\nproperties: {{auth.user: {{default: u}}}}"
        )
    };
    let check = |listed: &str, said: &str, expected: Expect| {
        let spec = format!("name: x\n{}", spec(listed));
        check_all(&jobs::manifest(&format!("s: x {{{said}}}"), ""), &[("r__x.yml", &spec)], expected);
    };
    check(
        "nope",
        "",
        expect![[r#"
        bosh: error: Link property nope in template x is not defined in release spec @ nope
        strict: error: the job `x` has no property `nope` that a link could provide @ nope
    "#]],
    );
    check(
        "auth",
        "",
        expect![[r#"
        bosh: error: Link property auth in template x is not defined in release spec @ auth
    "#]],
    );
    check("auth", "properties: {auth: {pass: p}}", expect![[""]]);
    check(
        "auth.user",
        "properties: {auth: 5}",
        expect![[r#"
        bosh: error: a link of `x` provides `auth.user`, and its parent is not a map @ x
        strict: error: a link of `x` provides `auth.user`, and its parent is not a map @ x
    "#]],
    );
    check("auth.user", "properties: {auth: ((auth))}", expect![[""]]);
}

#[test]
fn only_certificates_consume_links() {
    let manifest =
        |variable: &str| jobs::manifest("s: store", &format!("variables: [{{name: v, {variable}}}]"));
    let check = |variable: &str, expected: Expect| check_all(&manifest(variable), &[], expected);
    check("type: certificate, consumes: {alternative_name: {from: kv}, common_name: ~}", expect![[""]]);
    check(
        "type: password, consumes: {alternative_name: {from: kv}}",
        expect![[r#"
        bosh: error: Variable 'v' can not define 'consumes' key for type 'password' @ consumes
        strict: error: only certificates can consume links, and `v` is a password @ consumes
    "#]],
    );
    check(
        "type: certificate, consumes: {alternative_nam: {from: kv}}",
        expect![[r#"
        bosh: error: Consumer name 'alternative_nam' is not a valid consumer for variable 'v'. Acceptable consumer types are: alternative_name, common_name @ alternative_nam
        strict: error: a certificate cannot take `alternative_nam` from a link @ alternative_nam
    "#]],
    );
    check(
        "type: certificate, consumes: {alternative_name: kv}",
        expect![[r#"
            bosh: error: `alternative_name` is a map, not text @ kv
            strict: error: `alternative_name` is a map, not text @ kv
        "#]],
    );
}
