use std::sync::Arc;

use syntax::{Node, NodeData};

use crate::{Bundle, Gvk, PropertyData};

/// A value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    Text(Arc<str>),
    List(Arc<[Value]>),
    Map(Arc<[(Value, Value)]>),
}

impl Value {
    pub(super) const fn boolean(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) const fn text(&self) -> Option<&Arc<str>> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a key; `None` if there is none, or it is not a map.
    pub(super) fn get(&self, key: &Self) -> Option<Self> {
        let Self::Map(entries) = self else { return None };
        entries.iter().find(|(it, _)| it.same(key)).map(|(_, value)| value.clone())
    }
}

/// A bundle's properties in the form that expressions read.
pub(super) fn properties(bundle: &Bundle) -> Value {
    let properties = bundle.properties.iter().map(|property| {
        map([("type", text(property.data.kind())), ("value", value(&property.data, bundle))])
    });
    Value::List(properties.collect())
}

fn value(data: &PropertyData, bundle: &Bundle) -> Value {
    match data {
        PropertyData::Package { name, version } => {
            let release = bundle.release.iter().map(|it| ("release", text(it)));
            map([("packageName", text(name)), ("version", text(version))].into_iter().chain(release))
        }
        PropertyData::PackageRequired(required) => {
            map([("packageName", text(&required.package)), ("versionRange", text(&required.range.text))])
        }
        PropertyData::Gvk(gvk) | PropertyData::GvkRequired(gvk) => api(gvk),
        PropertyData::MaxOpenShift(major, minor) => text(&format!("{major}.{minor}")),
        PropertyData::MinKube(version) => map([("minKubeVersion", text(version))]),
        PropertyData::Label(label) | PropertyData::LabelRequired(label) => map([("label", text(label))]),
        PropertyData::Constraint(_) | PropertyData::Deprecated => map([]),
        PropertyData::Other { value, .. } => node(value),
    }
}

fn api(gvk: &Gvk) -> Value {
    map([("group", text(&gvk.group)), ("kind", text(&gvk.kind)), ("version", text(&gvk.version))])
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn map<'a>(entries: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    Value::Map(entries.into_iter().map(|(key, value)| (text(key), value)).collect())
}

/// Go reads all numbers of JSON as floating-point numbers.
fn node(node: &Node) -> Value {
    match &node.data {
        NodeData::Null => Value::Null,
        NodeData::Bool(value) => Value::Bool(*value),
        NodeData::Int(value) => Value::Double(*value as f64),
        NodeData::Float(value) => Value::Double(*value),
        NodeData::String(text, _) => Value::Text(text.clone()),
        NodeData::Sequence(items) => Value::List(items.iter().map(self::node).collect()),
        NodeData::Mapping(mapping) => {
            let entry = |it: &syntax::Entry| (Value::Text(it.key.clone()), self::node(&it.value));
            Value::Map(mapping.entries.iter().map(entry).collect())
        }
    }
}
