use std::sync::Arc;

use litemap::LiteMap;

use crate::{Expression, Origin, Pointer};

/// Keys in order of their bytes. A sorted list, because most maps of values are small and are made and dropped with every
/// edit; inserting in the middle takes time in proportion to the number of entries, so large ones are made by [`map_of`].
pub type Map = LiteMap<Arc<str>, Value>;

/// A map of entries in any order; of those with one key the last counts.
pub fn map_of(entries: impl IntoIterator<Item = (Arc<str>, Value)>) -> Map {
    from_entries(entries.into_iter().collect())
}

/// Not generic, so that programs have its sort once.
fn from_entries(entries: Vec<(Arc<str>, Value)>) -> Map {
    entries.into_iter().collect()
}

/// Data that knows where it came from and whether it must be hidden.
#[derive(Clone, Debug)]
pub struct Value {
    /// The data.
    pub data: Data,
    /// Where it came from.
    pub origin: Origin,
    /// It, and everything in it, must never be shown, stored in clear or exported.
    pub sensitive: bool,
}

/// The content of a value.
#[derive(Clone, Debug)]
pub enum Data {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number; never NaN in a descriptor's value.
    Float(f64),
    /// Text.
    String(Arc<str>),
    /// A list.
    List(Vec<Value>),
    /// A map.
    Map(Map),
    /// Not known yet: what to compute once the resources it refers to exist.
    Unknown(Expression),
}

impl Value {
    /// A value that need not be hidden.
    pub const fn new(data: Data, origin: Origin) -> Self {
        Self { data, origin, sensitive: false }
    }

    /// The text, if it is text.
    pub fn as_str(&self) -> Option<&str> {
        match &self.data {
            Data::String(text) => Some(text),
            _ => None,
        }
    }

    /// A scalar as it reads inside text; `None` for what has no such form: null, lists, maps, unknown values.
    pub fn to_text(&self) -> Option<String> {
        match &self.data {
            Data::Bool(it) => Some(it.to_string()),
            Data::Int(it) => Some(it.to_string()),
            Data::Float(it) => Some(it.to_string()),
            Data::String(it) => Some(it.to_string()),
            Data::Null | Data::List(_) | Data::Map(_) | Data::Unknown(_) => None,
        }
    }

    /// The map, if it is one.
    pub fn as_map(&self) -> Option<&Map> {
        match &self.data {
            Data::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The list, if it is one.
    pub fn as_list(&self) -> Option<&[Value]> {
        match &self.data {
            Data::List(items) => Some(items),
            _ => None,
        }
    }

    /// The value under `key`, if this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.get(key)
    }

    /// The value at a pointer.
    pub fn at(&self, pointer: &Pointer) -> Option<&Value> {
        pointer.parts().try_fold(self, |value, segment| match &value.data {
            Data::Map(map) => map.get(&*segment),
            Data::List(items) => items.get(segment.parse::<usize>().ok()?),
            _ => None,
        })
    }

    /// Whether any part of it is not known yet.
    pub fn has_unknown(&self) -> bool {
        match &self.data {
            Data::Unknown(_) => true,
            Data::List(items) => items.iter().any(Value::has_unknown),
            Data::Map(map) => map.values().any(Value::has_unknown),
            _ => false,
        }
    }

    /// Whether both hold the same data; origins do not count, two unknowns are the same when their text is.
    pub fn same_data(&self, other: &Value) -> bool {
        match (&self.data, &other.data) {
            (Data::Null, Data::Null) => true,
            (Data::Bool(a), Data::Bool(b)) => a == b,
            (Data::Int(a), Data::Int(b)) => a == b,
            (Data::Float(a), Data::Float(b)) => a == b,
            (Data::Int(a), Data::Float(b)) | (Data::Float(b), Data::Int(a)) => *a as f64 == *b,
            (Data::String(a), Data::String(b)) => a == b,
            (Data::List(a), Data::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_data(b))
            }
            (Data::Map(a), Data::Map(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && a.same_data(b))
            }
            (Data::Unknown(a), Data::Unknown(b)) => a.to_string() == b.to_string(),
            _ => false,
        }
    }

    /// The kind of data, for messages.
    pub const fn kind_name(&self) -> &'static str {
        match self.data {
            Data::Null => "null",
            Data::Bool(_) => "boolean",
            Data::Int(_) => "whole number",
            Data::Float(_) => "number",
            Data::String(_) => "text",
            Data::List(_) => "list",
            Data::Map(_) => "map",
            Data::Unknown(_) => "unknown",
        }
    }
}
