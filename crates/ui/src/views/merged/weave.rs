//! The document with the values that no file sets put in where they would be written.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};
use workspace::view::{InferredView, MergeView, OriginView};

use crate::views::value::SECRET;

/// A document of which every place knows its writer, also where there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Woven {
    /// The document.
    pub(super) document: Json,
    /// The origin of each place, by pointer.
    pub(super) origins: BTreeMap<String, OriginView>,
    /// The reason for each value that no file sets, by pointer.
    pub(super) because: BTreeMap<String, String>,
}

/// Puts the inferred values in. A place that a file sets stays as it is.
pub(super) fn weave(merge: &MergeView) -> Woven {
    let mut woven = Woven {
        document: merge.document.clone(),
        origins: merge.origins.clone().unwrap_or_default(),
        because: BTreeMap::new(),
    };
    for inferred in &merge.inferred {
        let value =
            if inferred.value.is_null() { Json::String(SECRET.into()) } else { inferred.value.clone() };
        if let Some(made) = put(&mut woven.document, &inferred.pointer, value) {
            woven.note(&made, inferred);
        }
    }
    woven
}

impl Woven {
    /// Records the origin of an inferred value, and of the parents that were made for it.
    fn note(&mut self, made: &str, inferred: &InferredView) {
        let origin =
            OriginView { location: inferred.origin.clone(), rule: inferred.rule, shadowed: Vec::new() };
        for pointer in [made, &inferred.pointer] {
            self.origins.insert(pointer.to_owned(), origin.clone());
            self.because.insert(pointer.to_owned(), inferred.because.clone());
        }
    }
}

/// Writes a value where there is none; gives the outermost place that had to be made, `None` when nothing was
/// written.
fn put(document: &mut Json, pointer: &str, value: Json) -> Option<String> {
    let keys: Vec<String> =
        pointer.split('/').skip(1).map(|key| key.replace("~1", "/").replace("~0", "~")).collect();
    let (last, parents) = keys.split_last()?;
    let mut made = None::<usize>;
    let mut here = document;
    for (depth, key) in parents.iter().enumerate() {
        let (next, new) = step(here, key)?;
        here = next;
        made = made.or(new.then_some(depth));
    }
    if here.is_null() {
        *here = Json::Object(Map::new());
    }
    match here {
        Json::Object(map) if !map.contains_key(last) => _ = map.insert(last.clone(), value),
        Json::Array(items) if last.parse() == Ok(items.len()) => items.push(value),
        _ => return None,
    }
    let depth = made.unwrap_or(parents.len());
    let end = pointer.match_indices('/').nth(depth + 1).map_or(pointer.len(), |(at, _)| at);
    pointer.get(..end).map(str::to_owned)
}

/// One step down; an empty map is made where there is nothing. `true` when it was made.
fn step<'a>(here: &'a mut Json, key: &str) -> Option<(&'a mut Json, bool)> {
    if here.is_null() {
        *here = Json::Object(Map::new());
    }
    match here {
        Json::Object(map) => {
            let new = !map.contains_key(key);
            Some((map.entry(key).or_insert_with(|| Json::Object(Map::new())), new))
        }
        Json::Array(items) => items.get_mut(key.parse::<usize>().ok()?).map(|item| (item, false)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::put;

    #[track_caller]
    fn check(document: Json, pointer: &str, made: Option<&str>, after: Json) {
        let mut document = document;
        assert_eq!(put(&mut document, pointer, json!(1)).as_deref(), made);
        assert_eq!(document, after);
    }

    #[test]
    fn missing_parents_are_created_and_written_values_kept() {
        check(json!({"a": {}}), "/a/b", Some("/a/b"), json!({"a": {"b": 1}}));
        check(json!({"a": 2}), "/a", None, json!({"a": 2}));
        check(json!({}), "/a/b~1/c", Some("/a"), json!({"a": {"b/": {"c": 1}}}));
        check(json!({"a": [{}, null]}), "/a/1/b", Some("/a/1/b"), json!({"a": [{}, {"b": 1}]}));
        check(json!({"a": [2]}), "/a/1", Some("/a/1"), json!({"a": [2, 1]}));
        check(json!({"a": [2]}), "/a/7/b", None, json!({"a": [2]}));
        check(json!({"a": "text"}), "/a/b", None, json!({"a": "text"}));
        check(json!({}), "", None, json!({}));
    }
}
