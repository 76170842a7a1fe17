use protocol::{Code, Problem};
use serde_json::{Map, Value as Json};

use crate::{Known, ResourceRequest};

/// The places at which two specs differ, as pointers, in the order of the old one. Null counts as absent;
/// lists differ as a whole.
pub fn differences(old: &Map<String, Json>, new: &Map<String, Json>) -> Vec<String> {
    let mut places = Vec::new();
    differ(&Json::Object(old.clone()), &Json::Object(new.clone()), "", &mut places);
    places
}

/// True if a pointer is that of `top` or of a place below it.
pub fn is_below(pointer: &str, top: &str) -> bool {
    pointer.strip_prefix(top).is_some_and(|it| it.is_empty() || it.starts_with('/'))
}

/// A problem: a change of these places requires a new `noun`, such as a container. `why` is given for each
/// place.
pub fn rebuild_required(places: &[String], noun: &str, why: &str) -> Problem {
    let message = format!("a change of `{}` requires a new {noun}", places.join("`, `"));
    let problem = Problem { resource_usable: Some(true), ..Problem::new(Code::RebuildRequired, message) };
    places.iter().fold(problem, |it, place| it.at(place, why))
}

/// Checks that a request changes nothing but `labels`, which are the user's own.
///
/// # Errors
/// [`RebuildRequired`](Code::RebuildRequired), with the other places; see [`rebuild_required`].
pub fn ensure_only_labels(
    known: &Known,
    requested: &ResourceRequest,
    noun: &str,
    why: &str,
) -> Result<(), Problem> {
    let mut places = differences(&known.request.spec, &requested.spec);
    places.retain(|it| !is_below(it, "/labels"));
    if places.is_empty() { Ok(()) } else { Err(rebuild_required(&places, noun, why)) }
}

fn differ(old: &Json, new: &Json, at: &str, places: &mut Vec<String>) {
    match (old, new) {
        (Json::Object(old), Json::Object(new)) => {
            let added = new.keys().filter(|name| !old.contains_key(*name));
            for name in old.keys().chain(added) {
                let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                let value = |map: &'_ Map<String, Json>| map.get(name).cloned().unwrap_or_default();
                differ(&value(old), &value(new), &at, places);
            }
        }
        _ if old == new => {}
        _ => places.push(at.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn places_are_pointers() {
        let old = json!({"a": 1, "b": {"c/d": [1], "e": null}, "f": 2});
        let new = json!({"a": 1, "b": {"c/d": [1, 2]}, "g": 3});
        let found = differences(old.as_object().unwrap(), new.as_object().unwrap());
        assert_eq!(found, ["/b/c~1d", "/f", "/g"]);
        assert!(is_below("/b/c~1d", "/b") && is_below("/b", "/b") && !is_below("/bc", "/b"));
    }
}
