//! The fields of a resource, which Goten keeps in `.proto` files and a specification of ours may declare.

use ::fields::schema::{
    Cardinality, Field, FieldClass, FieldType, Meaning, Merge, MergeBehavior, Scalar, Sorting, WellKnown,
};

use super::{keys::Keys, resource::BEHAVIORS};
use crate::{
    Spanned,
    skeleton::{FieldExtension, Text},
};

pub(super) fn read(mut keys: Keys<'_>) -> FieldExtension {
    let path = keys.required("path", "a field");
    let kind = keys.choice("type", &TYPES).map_or(Declared::Scalar(Scalar::String), |it| it.value);
    let name = path.as_ref().map_or("", |it| last_name(&it.value));
    let mut field = Field::new(name, field_type(kind));
    field.cardinality = path.as_ref().map_or(Cardinality::One, |it| cardinality(&it.value, kind));
    field.number = keys.number("number");
    let resource = read_resource(&mut keys, kind);
    field.meaning = read_meaning(&mut keys, kind, resource.as_ref());
    field.merge = keys.map("merge").map(read_merge).unwrap_or_default();
    field.class = keys.choice("class", &CLASSES).map(|it| it.value);
    field.immutable = keys.is_set("immutable");
    field.output_only = keys.is_set("outputOnly");
    field.sensitive = keys.is_set("sensitive");
    field.doc = keys.text("description").map(|it| it.value).unwrap_or_default();
    field.oneof = keys.text("oneof").map(|it| it.value);
    field.rules = super::rules::read(&mut keys);
    let values = keys.texts("values");
    let extension = FieldExtension { span: keys.span, path, field, values, resource };
    keys.finish("a field");
    extension
}

/// The meaning of `type`.
#[derive(Clone, Copy)]
enum Declared {
    Scalar(Scalar),
    WellKnown(WellKnown),
    Object,
    List,
    Map,
    Enum,
    Reference,
    Name,
    ParentName,
    Filter,
    OrderBy,
    Cursor,
    FieldMask,
}

const TYPES: [(&str, Declared); 25] = [
    ("string", Declared::Scalar(Scalar::String)),
    ("bool", Declared::Scalar(Scalar::Bool)),
    ("int32", Declared::Scalar(Scalar::Int32)),
    ("int64", Declared::Scalar(Scalar::Int64)),
    ("uint32", Declared::Scalar(Scalar::Uint32)),
    ("uint64", Declared::Scalar(Scalar::Uint64)),
    ("float", Declared::Scalar(Scalar::Float)),
    ("double", Declared::Scalar(Scalar::Double)),
    ("bytes", Declared::Scalar(Scalar::Bytes)),
    ("timestamp", Declared::WellKnown(WellKnown::Timestamp)),
    ("duration", Declared::WellKnown(WellKnown::Duration)),
    ("struct", Declared::WellKnown(WellKnown::Struct)),
    ("value", Declared::WellKnown(WellKnown::Value)),
    ("any", Declared::WellKnown(WellKnown::Any)),
    ("object", Declared::Object),
    ("list", Declared::List),
    ("map", Declared::Map),
    ("enum", Declared::Enum),
    ("reference", Declared::Reference),
    ("name", Declared::Name),
    ("parentName", Declared::ParentName),
    ("filter", Declared::Filter),
    ("orderBy", Declared::OrderBy),
    ("cursor", Declared::Cursor),
    ("fieldMask", Declared::FieldMask),
];

const CLASSES: [(&str, FieldClass); 4] = [
    ("spec", FieldClass::Spec),
    ("state", FieldClass::State),
    ("meta", FieldClass::Meta),
    ("hidden", FieldClass::Hidden),
];

const MERGES: [(&str, MergeBehavior); 7] = [
    ("DEFAULT", MergeBehavior::Default),
    ("REPLACE", MergeBehavior::Replace),
    ("DISCARD_ONLY_IN_DEST", MergeBehavior::DiscardOnlyInDestination),
    ("DISCARD_ONLY_IN_SOURCE", MergeBehavior::DiscardOnlyInSource),
    ("OPERATION_AND", MergeBehavior::And),
    ("OPERATION_XOR", MergeBehavior::Xor),
    ("APPEND", MergeBehavior::Append),
];

const SORTINGS: [(&str, Sorting); 3] =
    [("NO_SORTING", Sorting::None), ("ASCENDING", Sorting::Ascending), ("DESCENDING", Sorting::Descending)];

/// Messages and enumerations get their names where the schema is built, from the path.
fn field_type(kind: Declared) -> FieldType {
    match kind {
        Declared::Scalar(scalar) => FieldType::Scalar(scalar),
        Declared::WellKnown(known) => FieldType::WellKnown(known),
        Declared::Object | Declared::List | Declared::Map => FieldType::Message("".into()),
        Declared::Enum => FieldType::Enum("".into()),
        Declared::FieldMask => FieldType::WellKnown(WellKnown::FieldMask),
        Declared::Reference
        | Declared::Name
        | Declared::ParentName
        | Declared::Filter
        | Declared::OrderBy
        | Declared::Cursor => FieldType::Scalar(Scalar::String),
    }
}

/// The kind that a text means; it has to be written for the types whose texts mean one.
fn read_resource(keys: &mut Keys<'_>, kind: Declared) -> Option<Text> {
    let is_meant = matches!(
        kind,
        Declared::Reference
            | Declared::Name
            | Declared::ParentName
            | Declared::Filter
            | Declared::OrderBy
            | Declared::Cursor
            | Declared::FieldMask
    );
    if is_meant { keys.required("resource", "a field of this type") } else { keys.text("resource") }
}

fn read_meaning(keys: &mut Keys<'_>, kind: Declared, resource: Option<&Text>) -> Option<Meaning> {
    let behavior = keys.choice("targetDeleteBehavior", &BEHAVIORS);
    let resource = resource?.value.clone();
    match kind {
        Declared::Reference => {
            let Some(Spanned { value: on_target_deleted, .. }) = behavior else {
                keys.missing_choice("targetDeleteBehavior", "a reference", &BEHAVIORS);
                return None;
            };
            Some(Meaning::Reference { resource, on_target_deleted })
        }
        Declared::Name => Some(Meaning::Name { resource }),
        Declared::ParentName => Some(Meaning::ParentName { resource }),
        Declared::Filter => Some(Meaning::Filter { resource }),
        Declared::OrderBy => Some(Meaning::OrderBy { resource }),
        Declared::Cursor => Some(Meaning::Cursor { resource }),
        Declared::FieldMask => Some(Meaning::FieldMask { resource }),
        Declared::Scalar(_)
        | Declared::WellKnown(_)
        | Declared::Object
        | Declared::List
        | Declared::Map
        | Declared::Enum => None,
    }
}

fn read_merge(mut keys: Keys<'_>) -> Merge {
    let merge = Merge {
        identifiers: keys.texts("identifiers").into_iter().map(|it| it.value).collect(),
        behavior: keys.choice("behavior", &MERGES).map(|it| it.value).unwrap_or_default(),
        sorting: keys.choice("sorting", &SORTINGS).map(|it| it.value).unwrap_or_default(),
    };
    keys.finish("`merge`");
    merge
}

/// The cardinality by the path, or else by the type.
fn cardinality(path: &str, kind: Declared) -> Cardinality {
    match (path, kind) {
        (path, _) if path.ends_with("[]") => Cardinality::Repeated,
        (path, _) if path.ends_with("{}") => Cardinality::Map(Scalar::String),
        (_, Declared::List) => Cardinality::Repeated,
        (_, Declared::Map) => Cardinality::Map(Scalar::String),
        _ => Cardinality::One,
    }
}

fn last_name(path: &str) -> &str {
    let last = path.rsplit('.').next().unwrap_or(path);
    last.trim_end_matches("[]").trim_end_matches("{}")
}
