//! The actions that a filter keeps.

use workspace::view::ActionView;

use crate::case;

/// True if an action has every word of the query in its address, kind, action, reason or a path or file of
/// its
/// changes. Case does not matter.
pub(super) fn matches(action: &ActionView, query: &str) -> bool {
    query.split_whitespace().all(|word| has(action, &case::lower(word)))
}

fn has(action: &ActionView, word: &str) -> bool {
    let within = |text: &str| case::lower(text).contains(word);
    within(&action.address)
        || within(&action.kind)
        || within(action.action.as_str())
        || action
            .reason
            .as_ref()
            .is_some_and(|reason| within(&reason.sentence) || within(reason.kind.as_str()))
        || action.changes.iter().any(|change| {
            within(&change.path) || change.origin.as_ref().is_some_and(|origin| within(&origin.location.file))
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::matches;

    #[test]
    fn a_filter_matches_its_words_in_any_order() {
        let action = serde_json::from_value(json!({
            "id": "a1", "address": "services.web", "kind": "service", "action": "rebuild", "after": [],
            "reason": {"kind": "changed", "sentence": "its image changes"},
            "changes": [{"path": "/payload/params/image_hash", "desired": "a", "persisted": "b", "observed":
                null,
                "unknown": false, "sensitive": false, "forces_rebuild": true,
                "origin": {"file": "prod.yaml", "line": 1, "column": 1, "end_line": 1, "end_column": 2,
                    "inferred": false}}]
        }))
        .expect("an action");
        for query in ["", "WEB", "image_hash web", "prod.yaml", "rebuild its", "changed"] {
            assert!(matches(&action, query), "{query}");
        }
        for query in ["db", "web db"] {
            assert!(!matches(&action, query), "{query}");
        }
    }
}
