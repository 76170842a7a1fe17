//! Values, paths and a schema for tests.

use proptest::{collection, prelude::*};
use serde_json::{Map, Value};

use crate::{
    FieldPath,
    schema::{Cardinality, Enum, Field, FieldType, Meaning, Merge, Message, Scalar, Schema, WellKnown},
};

/// Names of which two are one field in two spellings.
const ANY: [&str; 6] = ["a", "b", "node_name", "nodeName", "c.d", "Foo"];
/// Names as JSON has them, of which each is another field.
const JSON: [&str; 5] = ["a", "b", "nodeName", "c.d", "Foo"];
/// The same as fields have them.
const FIELDS: [&str; 5] = ["a", "b", "node_name", "c.d", "Foo"];

/// Any JSON of few names, so that values and paths meet.
pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    json_of(&ANY)
}

/// Any object in which no field has two spellings.
pub(crate) fn any_message() -> impl Strategy<Value = Value> {
    collection::vec((prop::sample::select(JSON.to_vec()), json_of(&JSON)), 0..5).prop_map(|it| {
        it.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>().into()
    })
}

fn json_of(names: &'static [&'static str]) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2..3).prop_map(Value::from),
        prop::sample::select(vec!["", "x", "y"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, move |inner| {
        let name = prop::sample::select(names).prop_map(str::to_owned);
        prop_oneof![
            1 => collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            3 => collection::vec((name, inner), 0..4).prop_map(|it| Value::Object(it.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Any path of one to three of these names, or of others, without `*`.
pub(crate) fn any_path() -> impl Strategy<Value = FieldPath> {
    let known = prop::sample::select(ANY.to_vec()).prop_map(str::to_owned);
    path_of(prop_oneof![4 => known, 1 => "[a-zA-Z_`.* ]{0,3}"])
}

/// Any path in messages of [`any_message`].
pub(crate) fn message_path() -> impl Strategy<Value = FieldPath> {
    path_of(prop::sample::select(FIELDS.to_vec()).prop_map(str::to_owned))
}

fn path_of(name: impl Strategy<Value = String>) -> impl Strategy<Value = FieldPath> {
    collection::vec(name, 1..4).prop_map(|names| {
        let quoted: Vec<String> = names.iter().map(|it| format!("`{}`", it.replace('`', "``"))).collect();
        FieldPath::parse(&quoted.join(".")).unwrap()
    })
}

pub(crate) fn field(name: &str, ty: FieldType) -> Field {
    Field::new(name, ty)
}

pub(crate) fn repeated(name: &str, ty: FieldType) -> Field {
    Field { cardinality: Cardinality::Repeated, ..field(name, ty) }
}

pub(crate) fn map_of(name: &str, ty: FieldType) -> Field {
    Field { cardinality: Cardinality::Map(Scalar::String), ..field(name, ty) }
}

pub(crate) const TEXT: FieldType = FieldType::Scalar(Scalar::String);

pub(crate) fn of(name: &str) -> FieldType {
    FieldType::Message(name.into())
}

/// Pods with containers, as a service would have them.
pub(crate) fn service() -> Schema {
    let message = |fields: Vec<Field>| Message { fields, ..Message::default() };
    let reference = |resource: &str| Some(Meaning::Name { resource: resource.into() });
    let pod = message(vec![
        Field { meaning: reference("Pod"), ..field("name", TEXT) },
        field("display_name", TEXT),
        field("spec", of("Spec")),
        map_of("labels", TEXT),
        map_of("ports", of("Port")),
        field("phase", FieldType::Enum("Phase".into())),
        field("size", FieldType::Scalar(Scalar::Int64)),
        field("ratio", FieldType::Scalar(Scalar::Double)),
        field("create_time", FieldType::WellKnown(WellKnown::Timestamp)),
        field("timeout", FieldType::WellKnown(WellKnown::Duration)),
        field("data", FieldType::Scalar(Scalar::Bytes)),
        field("ready", FieldType::Scalar(Scalar::Bool)),
        repeated("tags", TEXT),
        Field { cardinality: Cardinality::Optional, ..field("nickname", TEXT) },
        Field { oneof: Some("target".into()), ..field("target_port", of("Port")) },
        Field { oneof: Some("target".into()), ..field("target_name", TEXT) },
    ]);
    let spec = message(vec![
        Field { meaning: reference("Node"), ..field("node_name", TEXT) },
        Field {
            merge: Merge { identifiers: vec!["name".into()], ..Merge::default() },
            ..repeated("containers", of("Container"))
        },
    ]);
    let container = message(vec![field("name", TEXT), field("image", TEXT), field("spec", of("Spec"))]);
    let port = message(vec![field("number", FieldType::Scalar(Scalar::Uint32)), field("host_name", TEXT)]);
    let phase = Enum {
        values: vec![("UNKNOWN".into(), 0), ("STOPPED".into(), 9), ("RUNNING".into(), 5)],
        ..Enum::default()
    };
    Schema {
        messages: [("Pod", pod), ("Spec", spec), ("Container", container), ("Port", port)]
            .map(|(name, it)| (name.into(), it))
            .into(),
        enums: [("Phase".into(), phase)].into(),
    }
}
