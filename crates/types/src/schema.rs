use serde_json::{Map, Value as Json, json};
use syntax::{Node, NodeData};

use crate::golem::map_forms;
use crate::{Field, Shape, Spelling, TypeDefinition, Types};

/// The definition of text with a `${…}` reference, which may stand instead of a value of another type.
const REFERENCE_TEXT: &str = "reference_text";

/// Dotted or colon-separated digits, enough to catch a name or a stray port; `lower` checks more.
const ADDRESS: &str = "^[0-9A-Fa-f:.]+$";
const CIDR: &str = "^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$";

/// The definitions as a JSON Schema (draft 2020-12) of a descriptor, as JSON text with two spaces of indentation.
///
/// As strict as the definitions: keys that are not defined are refused unless the map is open or the key starts with
/// `x-`. Other spellings are accepted and marked as deprecated; those that move a value into another map are only
/// accepted where that map is open.
pub fn json_schema(types: &Types) -> String {
    let mut schema = closed(root_properties(types), false, &[]);
    let head = [
        ("$schema", json!("https://json-schema.org/draft/2020-12/schema")),
        ("title", json!("Application descriptor")),
    ];
    let mut all: Map<String, Json> = head.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    all.append(&mut schema);
    all.insert("$defs".into(), Json::Object(definitions(types)));
    let mut text = format!("{:#}", Json::Object(all));
    text.push('\n');
    text
}

fn root_properties(types: &Types) -> Map<String, Json> {
    let mut properties = properties(&types.root);
    for kind in &types.kinds {
        let schema = collection(kind);
        for spelling in &kind.spellings {
            properties.insert(spelling.path.to_string(), deprecated(&schema, spelling, &kind.collection));
        }
        properties.insert(kind.collection.to_string(), schema);
    }
    properties
}

fn collection(kind: &TypeDefinition) -> Json {
    let object = json!({"$ref": format!("#/$defs/{}", kind.kind)});
    if kind.singleton {
        return object;
    }
    json!({"description": format!("Resources of kind {} by name.", kind.kind), "type": "object", "additionalProperties": object})
}

fn definitions(types: &Types) -> Map<String, Json> {
    let mut definitions = Map::new();
    for kind in &types.kinds {
        let mut schema = Map::new();
        schema.insert("description".into(), json!(*kind.doc));
        schema.append(&mut closed(properties(&kind.fields), kind.open, &kind.fields));
        definitions.insert(kind.kind.to_string(), Json::Object(schema));
    }
    definitions.extend(map_forms().map(|(name, shape)| (name.to_owned(), inner(shape))));
    let text = json!({"description": "A reference to another value.", "type": "string", "pattern": "\\$\\{"});
    definitions.insert(REFERENCE_TEXT.into(), text);
    definitions
}

/// A map with these properties; others only when it is open.
fn closed(properties: Map<String, Json>, open: bool, fields: &[Field]) -> Map<String, Json> {
    let mut schema = Map::new();
    schema.insert("type".into(), json!("object"));
    schema.insert("properties".into(), Json::Object(properties));
    schema.insert("patternProperties".into(), json!({"^x-": true}));
    schema.insert("additionalProperties".into(), json!(open));
    let required: Vec<Json> = fields.iter().filter(|field| field.required).filter_map(required).collect();
    if !required.is_empty() {
        schema.insert("allOf".into(), Json::Array(required));
    }
    schema
}

/// That a field is there in one of its spellings; `None` when one of them lies in another map.
fn required(field: &Field) -> Option<Json> {
    if field.spellings.iter().any(|spelling| spelling.path.contains('/')) {
        return None;
    }
    let names = std::iter::once(&field.name).chain(field.spellings.iter().map(|it| &it.path));
    let mut options: Vec<Json> = names.map(|name| json!({"required": [&**name]})).collect();
    if options.len() == 1 { options.pop() } else { Some(json!({"anyOf": options})) }
}

fn properties(fields: &[Field]) -> Map<String, Json> {
    let mut properties = Map::new();
    for field in fields {
        let schema = property(field);
        for spelling in field.spellings.iter().filter(|it| !it.path.contains('/') && it.only_if.is_none()) {
            properties.insert(spelling.path.to_string(), deprecated(&schema, spelling, &field.name));
        }
        properties.insert(field.name.to_string(), schema);
    }
    // A field's own name means the field, whatever else is spelled so.
    for field in fields {
        properties.insert(field.name.to_string(), property(field));
    }
    properties
}

fn property(field: &Field) -> Json {
    let mut schema = Map::new();
    schema.insert("description".into(), json!(*field.doc));
    if let Json::Object(mut shape) = value(&field.shape) {
        schema.append(&mut shape);
    }
    if let Some(default) = field.default.as_ref().or(field.when_left_out.as_ref()) {
        schema.insert("default".into(), plain(&default.0));
    }
    if !field.examples.is_empty() {
        schema.insert("examples".into(), field.examples.iter().map(|it| json!(**it)).collect());
    }
    if field.output {
        schema.insert("readOnly".into(), json!(true));
    }
    Json::Object(schema)
}

fn deprecated(schema: &Json, spelling: &Spelling, name: &str) -> Json {
    let mut schema = schema.clone();
    if let Json::Object(map) = &mut schema {
        map.insert("description".into(), json!(format!("Write `{name}` instead ({}).", spelling.dialect)));
        map.insert("deprecated".into(), json!(true));
    }
    schema
}

/// The schema of a shape. A reference is permitted in place of every value that is not text.
fn value(shape: &Shape) -> Json {
    if matches!(shape, Shape::Any | Shape::Text | Shape::Reference { .. }) {
        return inner(shape);
    }
    let mut options = match shape {
        Shape::Either(shapes) => shapes.iter().map(inner).collect(),
        _ => vec![inner(shape)],
    };
    options.push(json!({"$ref": format!("#/$defs/{REFERENCE_TEXT}")}));
    json!({"anyOf": options})
}

fn inner(shape: &Shape) -> Json {
    match shape {
        Shape::Any => json!({}),
        Shape::Text => json!({"type": ["string", "number", "boolean"]}),
        Shape::OneOf(texts) => json!({"enum": texts.iter().map(|it| &**it).collect::<Vec<_>>()}),
        Shape::Integer { min, max } => integer(*min, *max),
        Shape::Number => json!({"type": "number"}),
        Shape::Boolean => json!({"type": "boolean"}),
        Shape::Cidr => json!({"type": "string", "pattern": CIDR}),
        Shape::IpAddress { .. } => json!({"type": "string", "pattern": ADDRESS}),
        Shape::Form(form) => form.schema(),
        Shape::Either(shapes) => json!({"anyOf": shapes.iter().map(inner).collect::<Vec<_>>()}),
        Shape::List(item) => json!({"type": "array", "items": value(item)}),
        Shape::MapOf(item) => json!({"type": "object", "additionalProperties": value(item)}),
        Shape::Object { fields, open } => Json::Object(closed(properties(fields), *open, fields)),
        Shape::Reference { .. } => json!({"type": "string"}),
    }
}

fn integer(min: i64, max: i64) -> Json {
    let mut schema = Map::new();
    schema.insert("type".into(), json!("integer"));
    if min > i64::MIN {
        schema.insert("minimum".into(), json!(min));
    }
    if max < i64::MAX {
        schema.insert("maximum".into(), json!(max));
    }
    Json::Object(schema)
}

fn plain(node: &Node) -> Json {
    match &node.data {
        NodeData::Null => Json::Null,
        NodeData::Bool(it) => json!(it),
        NodeData::Int(it) => json!(it),
        NodeData::Float(it) => json!(it),
        NodeData::String(it, _) => json!(**it),
        NodeData::Sequence(items) => items.iter().map(plain).collect(),
        NodeData::Mapping(mapping) => {
            Json::Object(mapping.entries.iter().map(|it| (it.key.to_string(), plain(&it.value))).collect())
        }
    }
}
