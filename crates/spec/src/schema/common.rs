//! The messages of `goten.types` (source: goten-sdk), and short ways to write fields.

use std::sync::Arc;

use ::fields::schema::{
    Cardinality, Comparison, Enum, Field, FieldType, Meaning, Message, Rule, Scalar, Schema, WellKnown,
};

pub(super) const META: &str = "goten.types.Meta";
pub(super) const VIEW: &str = "goten.types.View";
pub(super) const WATCH_TYPE: &str = "goten.types.WatchType";

pub(super) const STRING: FieldType = FieldType::Scalar(Scalar::String);
pub(super) const BOOL: FieldType = FieldType::Scalar(Scalar::Bool);
pub(super) const INT32: FieldType = FieldType::Scalar(Scalar::Int32);
pub(super) const INT64: FieldType = FieldType::Scalar(Scalar::Int64);
pub(super) const TIMESTAMP: FieldType = FieldType::WellKnown(WellKnown::Timestamp);

/// Adds the messages that every service has, where they are not given.
pub(super) fn add(schema: &mut Schema) {
    insert(schema, META, "Metadata of a resource.", meta());
    insert(schema, "goten.types.OwnerReference", "A resource that another one depends on.", owner());
    let syncing = vec![field("owning_region", 1, STRING), list("regions", 2, STRING)];
    insert(
        schema,
        "goten.types.SyncingMeta",
        "The region that owns a resource, and those with copies.",
        syncing,
    );
    let state = FieldType::Enum("goten.types.Lifecycle.State".into());
    let lifecycle = vec![output(field("state", 1, state)), output(field("block_deletion", 2, BOOL))];
    insert(schema, "goten.types.Lifecycle", "Where a resource is in its life.", lifecycle);
    let services = vec![field("owning_service", 1, STRING), list("allowed_services", 2, STRING)];
    insert(schema, "goten.types.ServicesInfo", "The services that own and may use a resource.", services);
    insert_enum(schema, "goten.types.Lifecycle.State", &["UNDEFINED", "ACTIVE", "DELETING"]);
    insert_enum(schema, VIEW, &["UNSPECIFIED", "NAME", "BASIC", "DETAIL", "FULL"]);
    insert_enum(schema, WATCH_TYPE, &["STATEFUL", "STATELESS"]);
}

fn meta() -> Vec<Field> {
    let message = |name: &str| FieldType::Message(format!("goten.types.{name}").into());
    vec![
        output(field("create_time", 1, TIMESTAMP)),
        output(field("update_time", 2, TIMESTAMP)),
        output(field("delete_time", 16, TIMESTAMP)),
        output(field("uuid", 3, STRING)),
        list("tags", 4, STRING),
        map("labels", 5, STRING),
        map("annotations", 6, STRING),
        field("generation", 7, INT64),
        output(field("resource_version", 8, STRING)),
        list("owner_references", 13, message("OwnerReference")),
        map("shards", 14, INT64),
        field("syncing", 15, message("SyncingMeta")),
        field("lifecycle", 17, message("Lifecycle")),
        field("services", 18, message("ServicesInfo")),
    ]
}

fn owner() -> Vec<Field> {
    vec![
        field("kind", 2, STRING),
        field("version", 8, STRING),
        field("name", 3, STRING),
        field("region", 9, STRING),
        field("controller", 6, BOOL),
        field("requires_owner_reference", 10, BOOL),
        field("unset_on_delete", 11, BOOL),
    ]
}

/// Adds a message, where it is not given.
pub(super) fn insert(schema: &mut Schema, name: &str, doc: &str, fields: Vec<Field>) {
    let message = Message { fields, doc: doc.into(), open: false };
    schema.messages.entry(name.into()).or_insert(message);
}

fn insert_enum(schema: &mut Schema, name: &str, values: &[&str]) {
    let values: Vec<(Arc<str>, i32)> = values.iter().zip(0..).map(|(it, at)| ((*it).into(), at)).collect();
    schema.enums.entry(name.into()).or_insert(Enum { values, doc: "".into() });
}

pub(super) fn field(name: &str, number: u32, ty: FieldType) -> Field {
    Field { number: Some(number), ..Field::new(name, ty) }
}

pub(super) fn list(name: &str, number: u32, ty: FieldType) -> Field {
    Field { cardinality: Cardinality::Repeated, ..field(name, number, ty) }
}

fn map(name: &str, number: u32, ty: FieldType) -> Field {
    Field { cardinality: Cardinality::Map(Scalar::String), ..field(name, number, ty) }
}

fn output(field: Field) -> Field {
    Field { output_only: true, ..field }
}

pub(super) fn meant(field: Field, meaning: Meaning) -> Field {
    Field { meaning: Some(meaning), ..field }
}

pub(super) fn required(field: Field) -> Field {
    Field { rules: vec![Rule::Required], ..field }
}

/// A whole number from 0, up to a limit if there is one.
pub(super) fn count(name: &str, number: u32, limit: Option<f64>) -> Field {
    let at_most = limit.map(|it| Rule::Number(Comparison::AtMost, it));
    let rules = at_most.into_iter().chain([Rule::Number(Comparison::AtLeast, 0.0)]).collect();
    Field { rules, ..field(name, number, INT32) }
}

pub(super) fn mask(name: &str, number: u32, kind: &Arc<str>) -> Field {
    let field = field(name, number, FieldType::WellKnown(WellKnown::FieldMask));
    meant(field, Meaning::FieldMask { resource: kind.clone() })
}

pub(super) fn name_of(number: u32, kind: &Arc<str>) -> Field {
    meant(field("name", number, STRING), Meaning::Name { resource: kind.clone() })
}

pub(super) fn in_oneof(field: Field, oneof: &str) -> Field {
    Field { oneof: Some(oneof.into()), ..field }
}
