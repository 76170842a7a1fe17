//! Messages as JSON Schema 2020-12, as proto3 writes them in JSON.

mod rules;
mod types;

use std::collections::BTreeSet;

use fields::schema::{Field, Message, Rule, Schema};
use serde_json::{Map, Value, json};

/// The options for writing the schemas of messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schemas<'a> {
    pub(crate) schema: &'a Schema,
    /// Before the name of a message in `$ref`: `#/$defs/`.
    pub(crate) refs: &'static str,
    /// Required fields have to be there. In an API they do not: views and masks leave fields out.
    pub(crate) requires: bool,
}

impl Schemas<'_> {
    /// The schemas of all messages and enumerations, by their names.
    pub(crate) fn all(self) -> Map<String, Value> {
        let messages = self.schema.messages.iter();
        let messages = messages.map(|(name, it)| (name.to_string(), self.message(it, &BTreeSet::new())));
        let enums = self.schema.enums.iter().map(|(name, it)| (name.to_string(), types::of_enum(it)));
        messages.chain(enums).collect()
    }

    /// The schema of a message, without some of its fields.
    pub(crate) fn message(self, message: &Message, without: &BTreeSet<&str>) -> Value {
        let fields = || message.fields.iter().filter(|it| !without.contains(&*it.name));
        let mut schema = Map::new();
        insert_doc(&mut schema, &message.doc);
        schema.insert("type".to_owned(), json!("object"));
        let properties: Map<String, Value> = fields().map(|it| (it.json_name(), self.field(it))).collect();
        schema.insert("properties".to_owned(), Value::Object(properties));
        let required: Vec<String> =
            fields().filter(|it| self.requires && is_required(it)).map(Field::json_name).collect();
        if !required.is_empty() {
            schema.insert("required".to_owned(), json!(required));
        }
        let exclusive = exclusive(fields());
        if !exclusive.is_empty() {
            schema.insert("allOf".to_owned(), Value::Array(exclusive));
        }
        schema.insert("additionalProperties".to_owned(), json!(message.open));
        Value::Object(schema)
    }

    /// The schema of a field.
    pub(crate) fn field(self, field: &Field) -> Value {
        let value = types::of_value(field, self.schema, self.refs);
        let mut schema = rules::with_cardinality(field, value, self.requires);
        let Some(object) = schema.as_object_mut() else { return schema };
        let mut described = Map::new();
        insert_doc(&mut described, &field.doc);
        if field.output_only {
            described.insert("readOnly".to_owned(), json!(true));
        }
        if field.immutable {
            described.insert("x-immutable".to_owned(), json!(true));
        }
        if field.sensitive {
            described.insert("x-sensitive".to_owned(), json!(true));
        }
        insert_meaning(&mut described, field);
        described.append(object);
        Value::Object(described)
    }
}

/// True if a value without the field is refused, be it because of another rule: a field that is not set is "", 0 or empty.
pub(crate) fn is_required(field: &Field) -> bool {
    field.rules.contains(&Rule::Required) || (!field.output_only && ::fields::refuses_absence(field))
}

fn insert_doc(schema: &mut Map<String, Value>, doc: &str) {
    if !doc.is_empty() {
        schema.insert("description".to_owned(), json!(doc));
    }
}

/// Inserts the meaning of a text, for tools: `{"reference": "Author", "onTargetDeleted": "BLOCK"}`.
fn insert_meaning(schema: &mut Map<String, Value>, field: &Field) {
    use fields::schema::Meaning;
    let Some(meaning) = &field.meaning else { return };
    let value = match meaning {
        Meaning::Name { resource } => json!({"name": resource}),
        Meaning::Reference { resource, on_target_deleted } => {
            json!({"reference": resource, "onTargetDeleted": on_target_deleted.as_str()})
        }
        Meaning::ParentName { resource } => json!({"parentName": resource}),
        Meaning::Filter { resource } => json!({"filter": resource}),
        Meaning::OrderBy { resource } => json!({"orderBy": resource}),
        Meaning::Cursor { resource } => json!({"cursor": resource}),
        Meaning::FieldMask { resource } => json!({"fieldMask": resource}),
    };
    schema.insert("x-meaning".to_owned(), value);
}

/// Of the fields of a oneof at most one is there.
fn exclusive<'f>(fields: impl Iterator<Item = &'f Field>) -> Vec<Value> {
    let members: Vec<(&str, String)> =
        fields.filter_map(|it| Some((it.oneof.as_deref()?, it.json_name()))).collect();
    let mut exclusive = Vec::new();
    for (at, (oneof, first)) in members.iter().enumerate() {
        for (_, second) in members.iter().skip(at + 1).filter(|(it, _)| it == oneof) {
            exclusive.push(json!({"not": {"required": [first, second]}}));
        }
    }
    exclusive
}

/// Leaves out the schemas that no value refers to, directly or through others.
pub(crate) fn reachable(mut all: Map<String, Value>, refs: &str, roots: &[&Value]) -> Map<String, Value> {
    let mut used = BTreeSet::new();
    let mut open: Vec<String> = roots.iter().flat_map(|it| references(it, refs)).collect();
    while let Some(name) = open.pop() {
        let Some(schema) = all.get(&name) else { continue };
        if used.insert(name.clone()) {
            open.extend(references(schema, refs));
        }
    }
    all.retain(|name, _| used.contains(name));
    all
}

/// The names in `$ref` below a value.
fn references(value: &Value, refs: &str) -> Vec<String> {
    match value {
        Value::Object(map) => {
            let own = map.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix(refs));
            let below = map.values().flat_map(|it| references(it, refs));
            own.map(str::to_owned).into_iter().chain(below).collect()
        }
        Value::Array(items) => items.iter().flat_map(|it| references(it, refs)).collect(),
        _ => Vec::new(),
    }
}
