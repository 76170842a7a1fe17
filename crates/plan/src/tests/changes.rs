//! The values that differ, and the form in which that is reported.
use diag::{FileId, Span};
use expect_test::{Expect, expect};
use model::{ObservedResource, Origin, Phase, Pointer, Value};

use super::notation::{address, attributes};
use super::world::World;
use crate::Change;

/// From one text of `services.web`'s attributes to another; `really` is what an adapter sees.
#[track_caller]
fn check(recorded: &str, wanted: &str, really: Option<&str>, expected: &Expect) {
    let world = World::after(&format!("services.web {recorded}"));
    let mut case = world.wants(&format!("services.web {wanted}"));
    if let Some(spec) = really {
        let seen = ObservedResource { phase: Phase::Active, spec: Some(attributes(spec)), outputs: None };
        case.observed.resources.insert(address("services.web"), Some(seen));
    }
    case.check_changes(expected);
}

#[test]
fn maps_are_compared_key_by_key() {
    check(
        "payload.params.a=1 payload.params.b=1",
        "payload.params.b=2 payload.params.c.d=3",
        None,
        &expect![[r#"
            rebuild services.web: changed
                /payload/params/a: 1 → – forces rebuild
                /payload/params/b: 1 → 2 forces rebuild
                /payload/params/c/d: – → 3 forces rebuild
        "#]],
    );
}

#[test]
fn lists_are_compared_item_by_item_where_that_reads_well() {
    check(
        "init.0=a init.1=b",
        "init.0=a init.1=c",
        None,
        &expect![[r#"
        rebuild services.web: changed
            /init/1: b → c forces rebuild
    "#]],
    );
    check(
        "init.0=a init.1=b",
        "init.0=a init.1=b init.2=c",
        None,
        &expect![[r#"
        rebuild services.web: changed
            /init/2: – → c forces rebuild
    "#]],
    );
    check(
        "init.0=a init.1=b",
        "init.0=a",
        None,
        &expect![[r#"
        rebuild services.web: changed
            /init/1: b → – forces rebuild
    "#]],
    );
    check(
        "init.0=a init.1=b",
        "init.0=b",
        None,
        &expect![[r#"
        rebuild services.web: changed
            /init: [a, b] → [b] forces rebuild
    "#]],
    );
    check(
        "init=[]",
        "init.0.run.args.0=a init.0.run.args.1=b",
        None,
        &expect![[r#"
        rebuild services.web: changed
            /init/0/run/args: – → [a, b] forces rebuild
    "#]],
    );
    check("init=[]", "init=[]", None, &expect![[r#""#]]);
    check("", "init=[]", None, &expect![""]);
}

#[test]
fn an_empty_map_says_no_more_than_none() {
    check("", "labels={}", None, &expect![[""]]);
    check("labels={}", "", None, &expect![[""]]);
    check("labels={}", "labels={}", None, &expect![[""]]);
}

#[test]
fn another_kind_of_value_is_one_change() {
    check(
        "payload.params.a.b=1",
        "payload.params.a=1",
        None,
        &expect![[r#"
        rebuild services.web: changed
            /payload/params/a: {b: 1} → 1 forces rebuild
    "#]],
    );
    check(
        "payload.params.a.b=1",
        "payload.params.a.0=1",
        None,
        &expect![[r#"
        rebuild services.web: changed
            /payload/params/a: {b: 1} → [1] forces rebuild
    "#]],
    );
}

#[test]
fn null_is_nothing() {
    check("init=null", "", None, &expect![[r#""#]]);
    check("", "init=null", None, &expect![[r#""#]]);
    check("init.0=a", "", Some("init=null"), &expect![[r#""#]]);
    check("payload.params.a=null", "payload.params={}", None, &expect![[""]]);
}

#[test]
fn a_key_of_no_definition_forces_a_rebuild() {
    check(
        "other.x=1",
        "other.x=2",
        None,
        &expect![[r#"
        rebuild services.web: changed
            /other/x: 1 → 2 forces rebuild
    "#]],
    );
}

#[test]
fn secrets_are_marked() {
    check(
        "secret=a",
        "secret=b labels.x=1",
        None,
        &expect![[r#"
        rebuild services.web: changed
            /labels/x: – → 1
            /secret: a → b sensitive forces rebuild
    "#]],
    );
}

#[test]
fn a_secret_stays_one_through_references() {
    let text = "
        services.db payload.image=1
        services.web init.0=--key init.1=k-${services.db.secret}
    ";
    World::default().wants(text).check_changes(&expect![[r#"
        create services.db: new
            /payload/image: – → 1
        create services.web after services.db: new
            /init/0: – → --key
            /init/1: – → k-${services.db.secret} unknown sensitive
    "#]]);
}

#[test]
fn a_secret_that_is_not_referred_to_any_more_stays_one() {
    let text = "
        services.db secret=x
        services.web payload.params.a=${services.db.secret} payload.params.b=1 init.0.x=${services.db.secret}
    ";
    let world = World::after(text);
    world
        .wants("services.db secret=x\nservices.web payload.params.a=1 payload.params.b=2 init=[]")
        .check_changes(&expect![[r#"
            rebuild services.web: changed
                /init/0/x: x → – sensitive forces rebuild
                /payload/params/a: x → 1 sensitive forces rebuild
                /payload/params/b: 1 → 2 forces rebuild
        "#]]);
}

#[test]
fn runtime_values_are_compared_if_a_file_sets_them() {
    check("ports.0.remote_port=80 ports.0.local_port=9", "ports.0.remote_port=80", None, &expect![[r#""#]]);
    check(
        "ports.0.remote_port=80 ports.0.local_port=9",
        "ports.0.remote_port=80 ports.0.local_port=8",
        None,
        &expect![[r#"
            rebuild services.web: changed
                /ports/0/local_port: 9 → 8 forces rebuild
        "#]],
    );
    check("network_node.ip=1", "network_node.ip=2", None, &expect![[r#""#]]);
}

#[test]
fn observed_values_take_precedence() {
    // Put back what was changed by hand; say all three.
    check(
        "labels.a=1",
        "labels.a=2",
        Some("labels.a=3"),
        &expect![[r#"
        update services.web: changed
            /labels/a: 1 → 2 (really 3)
    "#]],
    );
    // Removed from the descriptor, and gone already.
    check("labels.a=1 labels.b=1", "labels.b=1", Some("labels.b=1"), &expect![[r#""#]]);
    // Only the adapter knows it.
    check("labels.a=1", "labels.a=1", Some("labels.a=1 labels.b=1 network=x"), &expect![[r#""#]]);
    // A field that the adapter does not report is as recorded, also one of an embedded part.
    check(
        "labels.a=1 payload.image=1",
        "labels.a=1 payload.image=1",
        Some("payload.params.x=1"),
        &expect![[r#""#]],
    );
    // Inside a field, what is missing is gone.
    check(
        "payload.params.a=1",
        "payload.params.a=1",
        Some("payload.params={}"),
        &expect![[r#"
        rebuild services.web: drifted
            /payload/params/a: 1 → 1 forces rebuild
    "#]],
    );
    // Items, too.
    check(
        "init.0=a",
        "init.0=a",
        Some("init.0=a init.1=b"),
        &expect![[r#"
        rebuild services.web: drifted
            /init/1: – → – (really b) forces rebuild
    "#]],
    );
    check(
        "init.0=a init.1=b",
        "init.0=a init.1=b",
        Some("init.0=a"),
        &expect![[r#"
        rebuild services.web: drifted
            /init/1: b → b forces rebuild
    "#]],
    );
}

#[test]
fn of_an_unknown_kind_the_attributes_are_reported_whole_or_left_out() {
    let text = "services.web labels.a=1 payload.image=1";
    let mut case = World::after(text).wants(text);
    let web = address("services.web");
    case.desired_at(0).kind = "other".into();
    case.recorded.resources.get_mut(&web).expect("web").kind = "other".into();
    let seen = ObservedResource { phase: Phase::Active, spec: Some(attributes("labels={}")), outputs: None };
    case.observed.resources.insert(web, Some(seen));
    case.check_changes(&expect![[r#"
        rebuild services.web: drifted
            /labels/a: 1 → 1 forces rebuild
    "#]]);
}

#[test]
fn changes_are_the_same_wherever_their_values_were_written() {
    let at = |row| Origin::Written(Span::at(FileId(0), row));
    let value = |text: &str| Some(attributes(&format!("x={text}")).get("x").expect("x").clone());
    let change = Change {
        path: Pointer::parse("/a"),
        desired: value("1"),
        persisted: value("2"),
        observed: None,
        unknown: false,
        sensitive: false,
        forces_rebuild: false,
        origin: at(1),
    };
    let elsewhere = change.desired.clone().map(|it| Value { origin: at(9), ..it });
    assert_eq!(change, Change { desired: elsewhere, ..change.clone() });
    for other in [
        Change { path: Pointer::parse("/b"), ..change.clone() },
        Change { desired: value("3"), ..change.clone() },
        Change { desired: None, ..change.clone() },
        Change { persisted: value("3"), ..change.clone() },
        Change { persisted: None, ..change.clone() },
        Change { observed: value("3"), ..change.clone() },
        Change { unknown: true, ..change.clone() },
        Change { sensitive: true, ..change.clone() },
        Change { forces_rebuild: true, ..change.clone() },
        Change { origin: at(2), ..change.clone() },
    ] {
        assert_ne!(change, other);
    }
}
