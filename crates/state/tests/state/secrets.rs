//! Secrets become marks, and marks become secrets again.

use std::collections::BTreeMap;

use model::{
    Address, Data, DesiredResource, Expression, Map, Origin, Part, Phase, Pointer, RecordedResource,
};
use model::{Reference, Step, Value};
use planloom_state::{
    Entry, Marks, ResourceIdentity, holds_mark, is_mark, marks_in, template, to_value, unseal,
    unseal_resource,
};
use serde_json::json;

mod chains;

fn text(it: &str) -> Value {
    Value::new(Data::String(it.into()), Origin::Recorded)
}

fn secret(it: &str) -> Value {
    Value { sensitive: true, ..text(it) }
}

fn map<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let fields = fields.into_iter().map(|(key, it)| (key.into(), it));
    Value::new(Data::Map(fields.collect::<Map>()), Origin::Recorded)
}

fn list<const N: usize>(items: [Value; N]) -> Value {
    Value::new(Data::List(items.into()), Origin::Recorded)
}

#[test]
fn a_secret_becomes_a_mark_and_comes_back_where_it_is_the_same() {
    let marks = Marks::of("lineage");
    let desired = |password: &str| {
        map([("user", text("ada")), ("env", list([text("x"), secret(password)])), ("all", secret("whole"))])
    };
    let json = marks.seal(&desired("hunter2"));
    assert_eq!(json["user"], "ada");
    assert!(!json.to_string().contains("hunter2") && !json.to_string().contains("whole"), "{json}");
    let read = || to_value(&json, Origin::Recorded);
    assert!(holds_mark(&read()) && !is_mark(&read()));
    assert!(read().get("env").is_some_and(|it| holds_mark(it) && !is_mark(it)));
    assert!(read().get("user").is_some_and(|it| !holds_mark(it)));

    let mut same = read();
    unseal(&mut same, &desired("hunter2"));
    assert!(same.same_data(&desired("hunter2")) && !holds_mark(&same));
    assert!(same.at(&Pointer::parse("/env/1")).is_some_and(|it| it.sensitive));

    let mut other = read();
    unseal(&mut other, &desired("hunter3"));
    let place = other.at(&Pointer::parse("/env/1")).expect("it is there");
    assert!(is_mark(place) && place.sensitive && !place.same_data(&secret("hunter3")));
    assert!(other.at(&Pointer::parse("/all")).is_some_and(|it| it.same_data(&secret("whole"))));
    assert_eq!(marks.seal(&other), json, "a mark that could not be unsealed stays as it was");
}

#[test]
fn values_with_a_recorded_mark_are_secret() {
    let marks = Marks::of("lineage");
    let mut kept = std::collections::BTreeSet::new();
    marks_in(&marks.seal(&map([("env", list([secret("hunter2"), text("x")]))])), &mut kept);
    assert_eq!(kept.len(), 1);
    let mut reported = map([("a", text("hunter2")), ("b", list([text("hunter3")]))]);
    marks.mark_sensitive(&mut reported, &kept);
    assert!(reported.get("a").is_some_and(|it| it.sensitive));
    let mut other = secret("hunter4");
    marks.mark_sensitive(&mut other, &kept);
    assert!(other.sensitive, "what is secret for another reason stays so");
    assert!(!holds_mark(&to_value(&marks.seal(reported.get("b").expect("b")), Origin::Recorded)));
}

#[test]
fn a_whole_map_may_be_secret() {
    let value = Value { sensitive: true, ..map([("key", text("k1")), ("n", list([text("k2")]))]) };
    let json = Marks::of("l").seal(&value);
    assert!(json.get("$sensitive").is_some() && json.as_object().is_some_and(|it| it.len() == 1), "{json}");
    let mut read = to_value(&json, Origin::Recorded);
    unseal(&mut read, &value);
    assert!(read.same_data(&value) && read.sensitive);
}

#[test]
fn marks_differ_by_deployment_and_value_but_not_by_place() {
    let mark = |lineage: &str, value: &Value| Marks::of(lineage).seal(value).to_string();
    assert_eq!(mark("a", &secret("x")), mark("a", &secret("x")));
    assert_ne!(mark("a", &secret("x")), mark("b", &secret("x")));
    assert_ne!(mark("a", &secret("x")), mark("a", &secret("y")));
    let number = |data| Value { sensitive: true, ..Value::new(data, Origin::Recorded) };
    assert_ne!(mark("a", &secret("1")), mark("a", &number(Data::Int(1))));
    assert_eq!(
        mark("a", &number(Data::Float(1.0))),
        mark("a", &number(Data::Int(1))),
        "they count as the same"
    );
}

#[test]
fn sixteen_bits_notice_changes_and_confirm_nothing() {
    let marks = Marks::of("lineage");
    let kept = marks.seal(&secret("hunter2"));
    let dictionary = (0..400_000).map(|word| secret(&format!("word {word}")));
    let fitting = dictionary.filter(|word| marks.seal(word) == kept).count();
    // Of 400,000 wrong words about six match as well as the right one.
    assert!((1..=20).contains(&fitting), "{fitting}");
}

#[test]
fn maps_that_look_like_marks_stay_what_they_are() {
    let marks = Marks::of("l");
    for key in ["$sensitive", "$$sensitive", "$float", "$$$float"] {
        for inner in [text("0123456789abcdef.0123"), text(".inf"), secret("x")] {
            let value = map([(key, inner)]);
            let read = to_value(&marks.seal(&value), Origin::Recorded);
            assert!(!is_mark(&read), "{key}");
            assert_eq!(read.as_map().and_then(|it| it.keys().next()).map(|it| &**it), Some(key));
        }
    }
}

#[test]
fn numbers_come_back_exactly() {
    for data in [
        Data::Int(i64::MAX),
        Data::Int(i64::MIN),
        Data::Float(0.1),
        Data::Float(1.0),
        Data::Float(5e-324),
        Data::Float(f64::INFINITY),
        Data::Float(f64::NEG_INFINITY),
    ] {
        let value = Value::new(data, Origin::Recorded);
        let json = Marks::of("l").seal(&value).to_string();
        let read = to_value(&serde_json::from_str(&json).expect("it is JSON"), Origin::Recorded);
        assert!(read.same_data(&value) && read.kind_name() == value.kind_name(), "{json}");
    }
}

fn desired(password: &str) -> DesiredResource {
    let reference = Reference {
        to: Address::new("services", "db"),
        path: vec![Step::Key("ip".into())],
        text: "services.db.ip".into(),
        span: diag::Span::at(diag::FileId(0), 0),
        sensitive: false,
    };
    let unknown = Value {
        sensitive: true,
        ..Value::new(Data::Unknown(Expression { parts: vec![Part::Reference(reference)] }), Origin::Recorded)
    };
    let spec = map([
        ("password", secret(password)),
        ("url", secret(&format!("pg://{password}@db"))),
        ("ip", unknown),
    ]);
    let templates = BTreeMap::from([
        (Pointer::parse("/url"), format!("pg://{password}@${{services.db.name}}").into()),
        (Pointer::parse("/ip"), "${services.db.ip}".into()),
    ]);
    DesiredResource {
        address: Address::new("services", "web"),
        kind: "service".into(),
        spec,
        templates,
        declared: diag::Span::at(diag::FileId(0), 0),
        dependencies: Vec::new(),
        links: Vec::new(),
        packages: Vec::new(),
    }
}

#[test]
fn a_resource_is_kept_and_comes_back() {
    let resource = desired("hunter2");
    let recorded = RecordedResource {
        kind: "service".into(),
        phase: Phase::Active,
        identity: Some(map([("pid", Value::new(Data::Int(7), Origin::Recorded))])),
        template: Some(template(&resource)),
        spec: map([
            ("password", secret("hunter2")),
            ("url", secret("pg://hunter2@db")),
            ("ip", secret("10.0.0.9")),
        ]),
        outputs: map([("token", secret("t0ken"))]),
        depends_on: vec![Address::new("services", "db")],
        protected: true,
        tainted: true,
        replace: false,
        created_as: None,
        moved_from: None,
    };
    let made = ResourceIdentity { id: "abc".into(), generation: 3, ..ResourceIdentity::default() };
    let entry = Entry::of(&Marks::of("l"), &recorded, made.clone());
    let json = serde_json::to_string(&entry).expect("it is JSON");
    for hidden in ["hunter2", "t0ken", "10.0.0.9"] {
        assert!(!json.contains(hidden), "{json}");
    }
    assert_eq!(entry.template["ip"], json!("${services.db.ip}"), "a reference alone is no secret");
    assert_eq!(entry.made(), made);
    let mut back = entry.recorded();
    unseal_resource(&mut back, &resource);
    let spec = |key: &str| back.spec.get(key).cloned().expect("it is there");
    assert!(
        spec("password").same_data(&secret("hunter2")) && spec("url").same_data(&secret("pg://hunter2@db"))
    );
    assert!(is_mark(&spec("ip")), "what is not known yet says nothing of it");
    assert!(back.template.is_some_and(|it| it.same_data(&template(&resource))));
    assert_eq!(back.depends_on, recorded.depends_on);
    assert!(back.protected && back.tainted && back.phase == Phase::Active);
    assert_eq!(Entry::of(&Marks::of("l"), &entry.recorded(), made), entry, "unread, it is kept as it was");
}

#[test]
fn malformed_marks_are_maps() {
    let mark = |text: &str| to_value(&json!({ "$sensitive": text }), Origin::Recorded);
    assert!(is_mark(&mark("0123456789abcdef.0123")));
    for text in [
        "0123456789abcdef.",
        "0123456789abcdef.012",
        "0123456789abcdef.01234",
        "0123456789abcdef.012g",
        "0123456789abcdeg.0123",
        "0123456789ABCDEF.0123",
        "0123.0123",
        "0123456789abcdef",
        "",
    ] {
        let value = mark(text);
        assert!(!is_mark(&value) && !value.sensitive, "{text}");
    }
}

#[test]
fn a_salt_is_enough_to_make_the_same_marks() {
    let marks = Marks::of("lineage");
    let again = Marks::with_salt(marks.salt()).expect("it is a salt");
    assert_eq!(again.seal(&secret("hunter2")), marks.seal(&secret("hunter2")));
    assert_eq!(marks.seal(&secret("hunter2")), json!({"$sensitive": marks.text("hunter2")}));
    for salt in ["", "0123", "0123456789abcdeg", "0123456789abcdef0"] {
        assert!(Marks::with_salt(salt).is_none(), "{salt}");
    }
}

#[test]
fn only_what_would_be_read_as_ours_is_escaped() {
    for key in ["$other", "$", "sensitive", "float", "$sensitives"] {
        let value = map([(key, text("x"))]);
        assert_eq!(Marks::of("l").seal(&value), json!({ key: "x" }));
    }
    let read = to_value(&json!({"$$other": "x"}), Origin::Recorded);
    assert!(read.get("$$other").is_some());
}

#[test]
fn numbers_that_are_not_the_same_have_other_marks() {
    let mark = |data| {
        let value = Value { sensitive: true, ..Value::new(data, Origin::Recorded) };
        Marks::of("l").seal(&value).to_string()
    };
    for (one, other) in [
        (Data::Float(1.5), Data::Int(1)),
        (Data::Float(1e300), Data::Int(i64::MAX)),
        (Data::Float(-1e300), Data::Int(i64::MIN)),
        (Data::Float(f64::INFINITY), Data::Int(i64::MAX)),
    ] {
        assert_ne!(mark(one.clone()), mark(other), "{one:?}");
    }
    let read = to_value(&json!({"$float": ".nan"}), Origin::Recorded);
    assert!(matches!(read.data, Data::Float(it) if it.is_nan()));
}
