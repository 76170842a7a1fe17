//! References through messages of one package and of others.

use planloom_proto::Protos;
use serde_json::{Value, json};

use crate::support::read_all;

fn read(files: &[(&str, &str)]) -> Protos {
    let files: Vec<_> = files
        .iter()
        .enumerate()
        .map(|(at, (package, body))| {
            (format!("{at}.proto"), format!("syntax = \"proto3\"; package {package}; {body}"))
        })
        .collect();
    let (protos, found) = read_all(&files);
    assert_eq!(found, [""; 0]);
    protos
}

const REFERENCE: &str =
    "[(goten.annotations.type).reference = { resource: \"K\" target_delete_behavior: BLOCK }]";

/// The references of the message `A` of the package `a`: paths, and those that are repeated with `*`.
fn check(files: &[(&str, &str)], expected: &[&str]) {
    let files: Vec<_> =
        files.iter().map(|(package, body)| (*package, body.replace("REF", REFERENCE))).collect();
    let files: Vec<_> = files.iter().map(|(package, body)| (*package, &**body)).collect();
    let references = read(&files).references("a", "A");
    let paths: Vec<_> =
        references.iter().map(|it| format!("{}{}", it.path, if it.repeated { "*" } else { "" })).collect();
    assert_eq!(paths, expected);
}

#[test]
fn paths_go_through_lists_and_maps() {
    check(
        &[(
            "a",
            "message A { string x = 2 REF; B b = 1; repeated B bs = 3; map<string, B> m = 4; } message B { string y = 1 REF; repeated string z = 2 REF; }",
        )],
        &["x", "b.y", "b.z*", "bs[].y", "bs[].z*", "m{}.y", "m{}.z*"],
    );
    check(
        &[(
            "a",
            "message A { oneof o { string x = 1 REF; B b = 2; } message B { C c = 1; } message C { string y = 1 REF; } }",
        )],
        &["x", "b.c.y"],
    );
    check(&[("a", "message A { map<string, string> x = 1 REF; }")], &["x*"]);
}

#[test]
fn messages_that_contain_themselves_are_followed_once() {
    check(
        &[(
            "a",
            "message A { A a = 1; string x = 2 REF; B b = 3; } message B { A a = 1; C c = 2; } message C { B b = 1; string y = 2 REF; }",
        )],
        &["x", "b.c.y"],
    );
}

#[test]
fn other_files_and_packages_are_followed() {
    let files = [
        ("a", "message A { B b = 1; c.C c = 2; }"),
        ("a", "message B { string x = 1 REF; }"),
        ("c", "message C { string y = 1 REF; }"),
    ];
    check(&files, &["b.x", "c.y"]);
}

/// A kind of another package's service has the domain of that service.
#[test]
fn kinds_of_other_packages_have_their_domain() {
    let option = "option (goten.annotations.service_pkg) = { domain: \"c.example.com\" };";
    let typed = read(&[
        ("a", "message A { c.C c = 1; string own = 2 [(goten.annotations.type).name.resource = \"K\"]; }"),
        ("c", &format!("{option} message C {{ string y = 1 {REFERENCE}; string z = 2 [(goten.annotations.type).filter.resource = \"d.com/K\"]; }}")),
    ])
    .typed_fields("a", "A");
    let actual: Value = serde_json::to_value(typed).expect("JSON");
    assert_eq!(
        actual,
        json!({
            "references": [{"path": "c.y", "resource": "c.example.com/K", "target_delete_behavior": "BLOCK", "repeated": false}],
            "names": [
                {"path": "c.z", "kind": "filter", "resource": "d.com/K", "repeated": false},
                {"path": "own", "kind": "name", "resource": "K", "repeated": false},
            ],
            "unread": [],
            "is_cut": false,
        })
    );
}

#[test]
fn what_is_not_among_the_files_is_listed() {
    let typed = read(&[("a", "message A { B b = 1; repeated x.C c = 2; google.protobuf.Any d = 3; E e = 4; } message E { repeated B f = 1; }")])
        .typed_fields("a", "A");
    let unread: Vec<_> = typed.unread.iter().map(|it| (&*it.path, &*it.message)).collect();
    assert_eq!(unread, [("b", "a.B"), ("c", "x.C"), ("e.f", "a.B")]);
}

/// Its own name says nothing about other resources.
#[test]
fn the_own_name_of_a_resource_is_left_out() {
    let name = |kind: &str| format!("[(goten.annotations.type).name.resource = \"{kind}\"]");
    let body = format!(
        "message A {{ string name = 1 {}; string other = 2 {}; }} message C {{ string name = 1 {}; A a = 2; }}",
        name("A"),
        name("A"),
        name("A")
    );
    let protos = read(&[("a", &body)]);
    let paths = |message: &str| {
        protos.typed_fields("a", message).names.iter().map(|it| it.path.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(paths("A"), ["other"]);
    assert_eq!(paths("C"), ["name", "a.name", "a.other"]);
}
