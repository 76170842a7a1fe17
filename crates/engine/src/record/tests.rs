use diag::{FileId, Span};
use model::Origin;
use serde_json::json;

use super::*;
use crate::samples::{desired, map, sample_resource, sensitive, value};

/// A recorder that knows the built-in kinds and that `hunter2` is a secret.
fn recorder() -> Recorder {
    let secrets = Secrets::default();
    secrets.add("", &sensitive(&json!("hunter2")));
    Recorder { types: Rc::new(Types::builtin()), marks: Marks::of("lineage"), secrets }
}

fn mark(secret: &str) -> Json {
    json!({"$sensitive": Marks::of("lineage").text(secret)})
}

#[test]
fn fields_that_only_planloom_uses_are_not_sent() {
    let types = Types::builtin();
    let spec = json!({
        "depends_on": ["db"], "host": "h", "init": [], "instances": 2, "labels": {"a": "b"},
        "payload": {"runtime": "vm"},
    });
    let less = json!({"labels": {"a": "b"}, "payload": {"runtime": "vm"}});
    for (kind, spec, expected) in
        [("service", &spec, &less), ("unknown", &spec, &spec), ("service", &json!("text"), &json!("text"))]
    {
        assert_eq!(crate::json::clear(&sent(&types, kind, &value(spec))), *expected, "{kind}");
    }
}

#[test]
fn an_entry_is_made_of_what_is_described_and_sent() {
    let spec = json!({
        "instances": 2,
        "payload": {"runtime": "vm", "params": {"env": {"DB_PASSWORD": "p", "NOTE": "x hunter2"}}},
        "init": ["10.0.0.1"],
    });
    let mut desired = desired("services.web", "service", &spec, &["services.b", "networks.a", "services.b"]);
    desired.templates.insert(Pointer::parse("/init/0"), "${services.b.ip}".into());
    let recorder = recorder();
    let entry = recorder.entry(&desired, &sent(&recorder.types, "service", &desired.spec), "id", 3);
    let env = json!({"DB_PASSWORD": mark("p"), "NOTE": mark("x hunter2")});
    let payload = json!({"runtime": "vm", "params": {"env": env}});
    let expected = Entry {
        kind: "service".into(),
        phase: "pending".into(),
        id: "id".into(),
        template: json!({"payload": payload, "init": ["${services.b.ip}"]}),
        spec: map(json!({"payload": payload, "init": ["10.0.0.1"]})),
        depends_on: vec!["services.b".into(), "networks.a".into()],
        generation: 3,
        ..Entry::default()
    };
    assert_eq!(entry, expected);
}

#[test]
fn adapter_answers_are_added_to_an_entry() {
    let before = Entry {
        kind: "service".into(),
        phase: "pending".into(),
        outputs: map(json!({"old": mark("earlier")})),
        spec: map(json!({"key": mark("sent before")})),
        template: json!({"key": [mark("written before")]}),
        tainted: true,
        ..Entry::default()
    };
    let outputs = json!({
        "big": 18_446_744_073_709_551_615_u64, "old": "earlier", "sent": "sent before", "in hunter2": 1,
        "template": ["written before"], "said": "it is hunter2", "state": "up", "env": {"API_TOKEN": "t"},
    });
    let resource = sample_resource(json!({"identity": {"activity": 7}, "outputs": outputs}));
    let entry = recorder().with_resource(before.clone(), &resource);
    let kept = map(json!({
        "big": entry.outputs["big"], "old": mark("earlier"), "sent": mark("sent before"), "in ••••••": 1,
        "template": [mark("written before")], "said": mark("it is hunter2"), "state": "up",
        "env": {"API_TOKEN": "t"},
    }));
    let expected = Entry {
        phase: "active".into(),
        identity: json!({"activity": 7}),
        outputs: kept,
        tainted: false,
        ..before.clone()
    };
    assert_eq!(entry, expected);

    let plain =
        sample_resource(json!({"phase": "terminated", "outputs": {"big": 18_446_744_073_709_551_615_u64}}));
    let entry = recorder().with_resource(before, &plain);
    assert_eq!((&*entry.phase, &entry.identity), ("terminated", &json!({"id": "one"})));
    assert_eq!(entry.outputs, plain.outputs, "a number that is too large for a value stays what it is");
}

#[test]
fn hidden_fields_follow_from_types_and_known_secrets() {
    let spec = json!({
        "payload": {"params": {"secrets": {"A": "a"}, "env": {"PORT": "80"}}},
        "init": [{"run": {"env": {"TOKEN": "t"}, "args": ["go", "hunter2"]}}],
        "labels": {"PASSWORD": "free", "note": "see hunter2"},
    });
    let hidden = |kind: &str| recorder().marks.seal(&recorder().hidden(kind, value(&spec)));
    let secrets = recorder().marks.seal(&sensitive(&json!({"A": "a"})));
    let expected = json!({
        "payload": {"params": {"secrets": secrets, "env": {"PORT": "80"}}},
        "init": [{"run": {"env": {"TOKEN": mark("t")}, "args": ["go", mark("hunter2")]}}],
        "labels": {"PASSWORD": mark("free"), "note": mark("see hunter2")},
    });
    assert_eq!(hidden("service"), expected);
    let mut expected = spec.clone();
    expected["init"][0]["run"]["args"][1] = mark("hunter2");
    expected["labels"]["note"] = mark("see hunter2");
    assert_eq!(hidden("unknown"), expected);
    // A value that is sensitive by itself stays so; a key that holds a secret does not hide the whole.
    assert!(recorder().hidden("service", sensitive(&json!({"labels": 1}))).sensitive);
    assert!(!recorder().hidden("service", value(&json!({"hunter2": 1}))).sensitive);
}

#[test]
fn remaining_resources_are_recorded() {
    let entry = Entry {
        id: "id".into(),
        phase: "active".into(),
        identity: json!({"activity": 7}),
        outputs: map(json!({"ip": "10.0.0.1"})),
        spec: map(json!({"a": 1})),
        ..Entry::default()
    };
    let gone =
        Entry { phase: "terminated".into(), identity: Json::Null, outputs: Map::new(), ..entry.clone() };
    assert_eq!(ended(&entry), gone);
    let ruin = Entry { identity: json!({"id": "id"}), tainted: true, ..entry.clone() };
    assert_eq!(ruined(entry), ruin);
}

/// An attribute that is not written itself is part of one that is, or else of the declaration.
#[test]
fn violations_are_located_in_descriptors() {
    let span = |start: u32| Span::new(FileId(0), start, start + 1);
    let mut desired = desired("services.web", "service", &json!({"a": {"b": [1]}, "c": 2}), &[]);
    desired.declared = span(1);
    let Data::Map(fields) = &mut desired.spec.data else { panic!("a map") };
    fields.get_mut("a").expect("it is there").origin = Origin::Written(span(5));
    for (pointer, expected) in [
        ("/a", 5),
        ("/a/x", 5),
        ("/a/x/y", 5),
        ("/a/b", 1),
        ("/a/b/0/deep", 1),
        ("/c", 1),
        ("/none", 1),
        ("", 1),
    ] {
        assert_eq!(origin(&desired, pointer), Some(span(expected)), "{pointer}");
    }
}

#[test]
fn nested_secrets_are_detected() {
    let inside = |data: Data| Value::new(data, Origin::Recorded);
    let secret = || sensitive(&json!("hunter2"));
    for (value, expected) in [
        (value(&json!({"a": [1, {"b": "c"}]})), false),
        (secret(), true),
        (sensitive(&json!({"a": 1})), true),
        (inside(Data::List(vec![value(&json!(1)), secret()])), true),
        (inside(Data::Map(model::map_of([("a".into(), inside(Data::List(vec![secret()])))]))), true),
    ] {
        assert_eq!(holds_secret(&value), expected, "{value:?}");
    }
}
