//! Any resources, masks, filters and orders of both versions.

use std::sync::LazyLock;

use fields::{FieldMask, Filter, MessageType, OrderBy, normalize};
use planloom_conversion::{Conversion, Direction};
use proptest::{collection, option, prelude::*, sample::select};
use serde_json::{Map, Value, json};

use crate::vault::vault;

pub(crate) static VAULT: LazyLock<Conversion> = LazyLock::new(vault);

/// A resource without the defaults that messages leave out.
pub(crate) fn normal(value: &Value, version: usize) -> Value {
    let (_, schemas) = VAULT.given();
    let schema = schemas.get(version).unwrap();
    normalize(value, MessageType::new(schema, "Secret").unwrap())
}

pub(crate) fn converted(direction: Direction, value: &Value) -> Value {
    let value = VAULT.kind("Secret").unwrap().value(direction, value).unwrap();
    normal(&value, usize::from(direction == Direction::ToNew))
}

fn object(fields: Vec<(&str, Option<Value>)>) -> Value {
    let fields = fields.into_iter().filter_map(|(name, it)| Some((name.to_owned(), it?)));
    Value::Object(fields.collect::<Map<_, _>>())
}

fn text() -> impl Strategy<Value = Option<Value>> {
    option::of(select(vec!["a", "b", "c"]).prop_map(Value::from))
}

fn number() -> impl Strategy<Value = Option<Value>> {
    option::of((1..4).prop_map(Value::from))
}

fn of(names: &'static [&'static str]) -> impl Strategy<Value = Option<Value>> {
    option::of(select(names).prop_map(Value::from))
}

/// Names of secrets in a version.
pub(crate) fn name(middle: &'static str) -> impl Strategy<Value = Value> {
    (select(vec!["p", "q-r", "q"]), "[a-c]{1,3}")
        .prop_map(move |(p, s)| json!(format!("projects/{p}/{middle}secrets/{s}")))
}

pub(crate) fn old_secret() -> impl Strategy<Value = Value> {
    let spec = (number(), text(), option::of(number().prop_map(|it| object(vec![("days", it)]))));
    let spec = spec
        .prop_map(|(size, owner, limits)| object(vec![("size", size), ("owner", owner), ("limits", limits)]));
    let items = collection::vec((text(), number()), 0..3).prop_map(|it| {
        it.into_iter().map(|(name, size)| object(vec![("name", name), ("size", size)])).collect::<Value>()
    });
    let more = (option::of(name("")), option::of(spec), items, number(), text());
    let plain = (text(), text(), of(&["OPEN", "SHUT"]), option::of(Just(json!(true))));
    (name(""), plain, more).prop_map(
        |(name, (data, title, state, locked), (copy, spec, items, port, label))| {
            let port = port.map(|it| json!({"web": {"number": it}}));
            let label = label.map(|it| json!({"enc_data": it}));
            let value = object(vec![
                ("name", Some(name)),
                ("encData", data),
                ("title", title),
                ("state", state),
                ("locked", locked),
                ("kind", Some(json!("SECRET"))),
                ("spec", spec),
                ("items", Some(items)),
                ("labels", label),
                ("ports", port),
                ("copyOf", copy),
            ]);
            normal(&value, 0)
        },
    )
}

/// A secret with what only the new version has.
pub(crate) fn new_secret() -> impl Strategy<Value = Value> {
    (old_secret(), text(), text(), number(), collection::vec(text(), 3), text()).prop_map(
        |(old, algorithm, team, hours, notes, protocol)| {
            let mut new = converted(Direction::ToNew, &old);
            new["cipher"] = object(vec![("data", old.get("encData").cloned()), ("algorithm", algorithm)]);
            if new["cipher"] == json!({}) {
                new.as_object_mut().unwrap().shift_remove("cipher");
            }
            if let Some(spec) = new.get_mut("spec") {
                spec.as_object_mut().unwrap().extend(team.map(|it| ("team".to_owned(), it)));
                let limits = spec.get_mut("limits").and_then(Value::as_object_mut);
                limits.into_iter().for_each(|it| it.extend(hours.clone().map(|it| ("hours".to_owned(), it))));
            }
            for (item, note) in
                new.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten().zip(notes)
            {
                item.as_object_mut().unwrap().extend(note.map(|it| ("note".to_owned(), it)));
            }
            if let Some(port) = new.pointer_mut("/ports/web") {
                port.as_object_mut().unwrap().extend(protocol.map(|it| ("protocol".to_owned(), it)));
            }
            normal(&new, 1)
        },
    )
}

pub(crate) fn mask() -> impl Strategy<Value = FieldMask> {
    let paths = vec![
        "enc_data",
        "title",
        "state",
        "locked",
        "spec",
        "spec.owner",
        "spec.size",
        "spec.limits.days",
        "items",
        "labels.enc_data",
        "ports",
        "copy_of",
    ];
    collection::vec(select(paths), 1..4).prop_map(|it| FieldMask::parse(&it.join(",")).unwrap())
}

pub(crate) fn filter() -> impl Strategy<Value = Filter> {
    let test = prop_oneof![
        (
            select(vec!["enc_data", "title", "spec.owner", "labels.enc_data"]),
            select(vec!["=", "!="]),
            "[a-c]?"
        )
            .prop_map(|(path, operator, value)| format!("{path} {operator} \"{value}\"")),
        select(vec!["STATE_UNSPECIFIED", "OPEN", "SHUT"]).prop_map(|it| format!("state = {it}")),
        Just("state IN [OPEN, SHUT]".to_owned()),
        Just("state != STATE_UNSPECIFIED".to_owned()),
        any::<bool>().prop_map(|it| format!("locked = {it}")),
        select(vec!["SECRET", "OTHER"]).prop_map(|it| format!("kind = \"{it}\"")),
        (0..4).prop_map(|it| format!("spec.size >= {it}")),
        name("").prop_map(|it| format!("copy_of = {it}")),
        Just("copy_of = \"projects/-/secrets/a\"".to_owned()),
        Just("enc_data LIKE \"a%\"".to_owned()),
    ];
    collection::vec((any::<bool>(), test), 1..4).prop_map(|tests| {
        let texts =
            tests.into_iter().map(|(negated, test)| if negated { format!("NOT ({test})") } else { test });
        Filter::parse(&texts.collect::<Vec<_>>().join(" AND ")).unwrap()
    })
}

pub(crate) fn order() -> impl Strategy<Value = OrderBy> {
    let paths = vec!["enc_data", "title", "locked", "spec.size", "spec.owner", "kind", "name", "copy_of"];
    (select(paths), select(vec!["asc", "desc"]))
        .prop_map(|(path, direction)| OrderBy::parse(&format!("{path} {direction}")).unwrap())
}
