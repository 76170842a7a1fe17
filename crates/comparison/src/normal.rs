//! The normal form of what is compared, so that another notation of the same is no difference.

use model::{Data, Origin, Pointer, Value, map_of};
use serde_json::Value as Json;
use state::Snapshot;
use types::{SchemaNode, TypeDefinition, Types, normalize};

/// The values of two documents at one place.
pub(crate) type Both<'d> = (Option<&'d Json>, Option<&'d Json>);

/// A state whose resources are in their normal form, which those of earlier versions are not.
pub(crate) fn state(types: &Types, mut snapshot: Snapshot) -> Snapshot {
    let marks = snapshot.marks();
    for entry in snapshot.resources.values_mut() {
        let Some(kind) = types.kind(&entry.kind) else { continue };
        let recorded = entry.recorded();
        entry.spec = marks.seal_fields(&object(types, kind, recorded.spec));
        if let Some(template) = recorded.template {
            entry.template = marks.seal(&object(types, kind, template));
        }
    }
    snapshot
}

/// The attributes of a resource in their normal form. A number without fraction is a whole one.
fn object(types: &Types, kind: &TypeDefinition, mut attributes: Value) -> Value {
    if let Data::Map(map) = &mut attributes.data {
        normalize(types, kind, map, &|_| false);
    }
    make_whole(&mut attributes);
    attributes
}

fn make_whole(value: &mut Value) {
    match &mut value.data {
        Data::Float(it) if it.fract() == 0.0 && it.abs() < 9_007_199_254_740_992.0 => {
            value.data = Data::Int(*it as i64);
        }
        Data::List(items) => items.iter_mut().for_each(make_whole),
        Data::Map(map) => map.iter_mut().for_each(|(_, it)| make_whole(it)),
        _ => {}
    }
}

/// Two merged documents, as they are written and in their normal form.
pub(crate) struct Documents<'d> {
    types: &'d Types,
    written: [&'d Json; 2],
    normal: [Value; 2],
}

impl<'d> Documents<'d> {
    pub(crate) fn new(types: &'d Types, written: [&'d Json; 2]) -> Self {
        Self { types, written, normal: written.map(|it| document(types, it)) }
    }

    /// The values at a place that contain no others, as far as they differ. An item of a set differs from none at the same
    /// position, but is there or not.
    pub(crate) fn differing(&self, at: &Pointer, values: Both<'d>) -> Option<Both<'d>> {
        let (mut place, mut schema) = (Pointer::root(), SchemaNode::Root(self.types));
        for part in at.parts() {
            (place, schema) = (place.key(&part), schema.key(&part));
            if self.is_same(&place) {
                return None;
            }
            // Positions in lists are other ones in the normal form.
            let lists = self.written.map(|it| it.pointer(place.as_str()).and_then(Json::as_array));
            if lists.iter().any(Option::is_some) {
                let is_set = matches!(schema, SchemaNode::Field(field) if field.set);
                return if is_set { only_in_one(lists, values) } else { unequal(values) };
            }
        }
        unequal(values)
    }

    fn is_same(&self, at: &Pointer) -> bool {
        let [before, after] = self.normal.each_ref().map(|it| it.at(at));
        match (before, after) {
            (Some(before), Some(after)) => before.same_data(after),
            (None, None) => true,
            _ => false,
        }
    }
}

fn unequal(values: Both<'_>) -> Option<Both<'_>> {
    let is_same = values.0.zip(values.1).is_some_and(|(before, after)| equal(before, after));
    (!is_same).then_some(values)
}

/// Without the items of a set that both sides have.
fn only_in_one<'d>(lists: [Option<&'d Vec<Json>>; 2], values: Both<'d>) -> Option<Both<'d>> {
    let has = |list: Option<&Vec<Json>>, item: &Json| {
        list.is_some_and(|items| items.iter().any(|it| equal(it, item)))
    };
    let [before, after] = lists;
    let found = (values.0.filter(|it| !has(after, it)), values.1.filter(|it| !has(before, it)));
    (found != (None, None)).then_some(found)
}

fn equal(one: &Json, other: &Json) -> bool {
    value(one).same_data(&value(other))
}

/// A document without keys that say nothing. Parts that a plan compares are left as they are.
fn document(types: &Types, document: &Json) -> Value {
    let mut document = value(document);
    let Data::Map(root) = &mut document.data else { return document };
    for kind in types.kinds.iter().filter(|it| !it.tangible) {
        let Some(collection) = root.get_mut(&*kind.collection) else { continue };
        if kind.singleton {
            *collection = object(types, kind, collection.clone());
        } else if let Data::Map(items) = &mut collection.data {
            items.iter_mut().for_each(|(_, it)| *it = object(types, kind, it.clone()));
        }
    }
    root.retain(|key, it| !Types::is_extension(key) && !is_nothing(it));
    document
}

fn is_nothing(value: &Value) -> bool {
    match &value.data {
        Data::Null => true,
        Data::List(items) => items.is_empty(),
        Data::Map(map) => map.is_empty(),
        _ => false,
    }
}

fn value(json: &Json) -> Value {
    let data = match json {
        Json::Null => Data::Null,
        Json::Bool(it) => Data::Bool(*it),
        Json::Number(it) => match it.as_i64() {
            Some(int) => Data::Int(int),
            None => Data::Float(it.as_f64().unwrap_or_default()),
        },
        Json::String(text) => Data::String(text.as_str().into()),
        Json::Array(items) => Data::List(items.iter().map(value).collect()),
        Json::Object(map) => Data::Map(map_of(map.iter().map(|(key, it)| (key.as_str().into(), value(it))))),
    };
    Value::new(data, Origin::Recorded)
}
