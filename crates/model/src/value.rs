use std::sync::Arc;

use diag::order;
use litemap::LiteMap;

use crate::{Expression, Origin, Pointer};

/// Keys in order of their bytes. A sorted list, because most maps of values are small and are made and dropped with every
/// edit; inserting in the middle takes time in proportion to the number of entries, so large ones are made by [`map_of`].
pub type Map = LiteMap<Arc<str>, Value>;

/// A map of entries in any order; of those with one key the last counts.
pub fn map_of(entries: impl IntoIterator<Item = (Arc<str>, Value)>) -> Map {
    from_entries(entries.into_iter().collect())
}

/// The entries become the map's own list, which is not copied. Not generic, so that programs have its sort once.
fn from_entries(mut entries: Vec<(Arc<str>, Value)>) -> Map {
    if !entries.is_sorted_by(|a, b| a.0 < b.0) {
        sort(&mut entries);
        // Of each run of one key the last stays.
        entries.dedup_by(|later, kept| {
            let is_same = later.0 == kept.0;
            if is_same {
                std::mem::swap(later, kept);
            }
            is_same
        });
    }
    Map::from_sorted_store_unchecked(entries)
}

/// Lists up to this length are sorted by insertion, which is quicker there.
const SHORT: usize = 16;

/// Sorts by key; of one key the order stays.
fn sort(entries: &mut [(Arc<str>, Value)]) {
    if entries.len() > SHORT {
        return order::by(entries, |a, b| a.0.cmp(&b.0));
    }
    for end in 1..entries.len() {
        let mut at = end;
        while at > 0 && entries[at].0 < entries[at - 1].0 {
            entries.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// Data that knows where it came from and whether it must be hidden. Equal values have equal origins, too;
/// [`Value::same_data`] compares the data alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The data.
    pub data: Data,
    /// Its origin.
    pub origin: Origin,
    /// It, and everything in it, must never be shown, stored in clear or exported.
    pub sensitive: bool,
}

/// The content of a value.
#[derive(Clone, Debug, PartialEq)]
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

    /// True if any part of it is not known yet.
    pub fn has_unknown(&self) -> bool {
        match &self.data {
            Data::Unknown(_) => true,
            Data::List(items) => items.iter().any(Value::has_unknown),
            Data::Map(map) => map.values().any(Value::has_unknown),
            _ => false,
        }
    }

    /// True if both hold the same data; origins do not count, two unknowns are the same when their text is.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    use crate::Origin;

    fn texts(map: &Map) -> Vec<(&str, i64)> {
        let number = |it: &Value| if let Data::Int(number) = it.data { number } else { -1 };
        map.iter().map(|(key, value)| (&**key, number(value))).collect()
    }

    fn entries<'k>(keys: impl IntoIterator<Item = &'k str>) -> Vec<(Arc<str>, Value)> {
        let value = |n: usize| Value::new(Data::Int(n as i64), Origin::Observed);
        keys.into_iter().enumerate().map(|(n, key)| (key.into(), value(n))).collect()
    }

    #[test]
    fn a_map_is_in_order_of_its_keys_and_the_last_of_one_key_counts() {
        assert_eq!(texts(&map_of(entries(["b", "a", "b", "c", "a", "a"]))), [("a", 5), ("b", 2), ("c", 3)]);
        assert_eq!(texts(&map_of(entries(["a", "a"]))), [("a", 1)]);
        assert_eq!(texts(&map_of(entries(["a", "b"]))), [("a", 0), ("b", 1)]);
        assert!(map_of([]).is_empty());
    }

    #[test]
    fn long_and_short_lists_make_the_same_maps() {
        let keys: Vec<String> = (0..200).map(|n| format!("{}", n * 7919 % 61)).collect();
        let map = map_of(entries(keys.iter().map(|it| &**it)));
        let expected: BTreeMap<&str, i64> =
            keys.iter().enumerate().map(|(n, key)| (&**key, n as i64)).collect();
        assert_eq!(texts(&map), expected.into_iter().collect::<Vec<_>>());
    }
}
