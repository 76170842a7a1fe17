//! Texts for people and programs: errors, specs, names, debug output.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::collections::BTreeSet;

use planloom_store::{Event, From, Glob, Phase, Query, Spec, Store, StoreError};
use serde_json::json;

use crate::support::*;

/// Checks its code, its text, whether it is a conflict, and whether it is `NotFound`.
fn check(error: &StoreError, code: &str, text: &str, conflict: bool, missing: bool) {
    assert_eq!((error.code(), &*error.to_string()), (code, text));
    assert_eq!((error.is_conflict(), error.is_not_found()), (conflict, missing), "{code}");
}

#[test]
fn errors_name_what_caused_them() {
    let (store, key, why) = (store(), node("web"), || "so it is".to_owned());
    let first = create(&store, "web").metadata.uid;
    let second = create(&store, "other").metadata.uid;
    let conflict = |error: StoreError, code: &str, text: &str| check(&error, code, text, true, false);
    let other = |error: StoreError, code: &str, text: &str| check(&error, code, text, false, false);
    check(
        &StoreError::NotFound { key: key.clone() },
        "store/not-found",
        "`app/Nodes/web` does not exist",
        false,
        true,
    );
    conflict(
        StoreError::AlreadyExists { key: key.clone() },
        "store/already-exists",
        "`app/Nodes/web` exists already",
    );
    conflict(
        StoreError::VersionConflict { key: key.clone(), expected: 1, found: 2 },
        "store/version-conflict",
        "`app/Nodes/web` is at version 2, not 1",
    );
    conflict(
        StoreError::UidConflict { key: key.clone(), expected: first, found: second },
        "store/uid-conflict",
        "`app/Nodes/web` was recreated: its uid is 2, not 1",
    );
    for (expected, found, text) in [
        (Phase::Running, Phase::TearingDown, "`app/Nodes/web` is tearing_down, not running"),
        (Phase::TearingDown, Phase::Running, "`app/Nodes/web` is running, not tearing_down"),
    ] {
        conflict(
            StoreError::PhaseConflict { key: key.clone(), expected, found },
            "store/phase-conflict",
            text,
        );
    }
    for (owner, text) in
        [(None, "`app/Nodes/web` belongs to the user"), (Some("a".into()), "`app/Nodes/web` belongs to `a`")]
    {
        conflict(StoreError::OwnerConflict { key: key.clone(), owner }, "store/owner-conflict", text);
    }
    conflict(
        StoreError::PendingFinalizers { key, finalizers: ["a".into(), "b".into()].into_iter().collect() },
        "store/pending-finalizers",
        "`app/Nodes/web` is still needed by a, b",
    );
    other(StoreError::Invalid { what: "spec".into(), why: why() }, "store/invalid", "invalid spec: so it is");
    other(StoreError::InvalidBookmark { why: why() }, "store/invalid-bookmark", "invalid bookmark: so it is");
    other(StoreError::InvalidOptions { why: why() }, "store/invalid-options", "invalid options: so it is");
    other(StoreError::Backing { why: why() }, "store/backing", "nothing was written: so it is");
    other(StoreError::Cancelled, "store/cancelled", "the store is closed");
}

#[test]
fn a_spec_is_its_canonical_text() {
    let value = json!({"b": [1, {"d": 2, "c": null}], "a": "x"});
    let text = r#"{"a":"x","b":[1,{"c":null,"d":2}]}"#;
    let parsed = Spec::parse(r#" {"b": [1, {"d": 2, "c": null}], "a": "x"} "#).unwrap();
    let read: Spec = serde_json::from_value(value.clone()).unwrap();
    for spec in [parsed, read, Spec::of(&value).unwrap(), value.clone().into()] {
        assert_eq!((spec.text(), spec.value(), format!("{spec:?}")), (text, value.clone(), text.to_owned()));
        assert_eq!(serde_json::to_value(&spec).unwrap(), value);
    }
    assert_eq!((Spec::default().text(), Spec::parse("{").unwrap_err().code()), ("null", "store/invalid"));
}

#[test]
fn display_texts_are_descriptive() {
    let store = store();
    create(&store, "web");
    assert_eq!(store.revision().to_string(), "1");
    let glob = Glob::new("a*").unwrap();
    assert_eq!(format!("{glob} {glob:?}"), r#"a* "a*""#);
    let shows = |shown: String, words: &[&str]| {
        words.iter().for_each(|it| assert!(shown.contains(it), "{shown}"));
    };
    shows(format!("{store:?}"), &["Store", "Nodes"]);
    shows(format!("{:?}", watch(&store, From::Now)), &["Watch", "Nodes"]);
    shows(format!("{:?}", store.closing()), &["Closing"]);
}

#[test]
fn an_event_names_its_resource() {
    let store = store();
    let key = |event: &Event| event.key().map(|key| key.id.to_string());
    let mut one = watch_one(&store, "web", From::State);
    let absent: Vec<_> = one.batch().iter().map(key).collect();
    assert_eq!(absent, [None, Some("web".to_owned()), None]);
    create(&store, "web");
    store.destroy(&user(), &node("web")).unwrap();
    let changes: Vec<_> = one.batch().iter().map(key).collect();
    assert_eq!(changes, [Some("web".to_owned()), Some("web".to_owned())]);
}

#[test]
fn the_time_is_that_of_the_clock() {
    let Fixture { store, clock } = fixture(Default::default(), None);
    assert_eq!(store.now(), T0);
    clock.advance(5);
    assert_eq!(store.now().0, T0.0 + 5);
}

/// The part of a bookmark's text that identifies its store.
fn number(store: &Store) -> String {
    let mark = bookmarks(&watch(store, From::State).batch()).remove(0);
    mark.to_string().split('.').next().unwrap().to_owned()
}

#[test]
fn no_store_takes_the_bookmarks_of_another() {
    let stores: Vec<Store> = (0..64).map(|_| store()).collect();
    assert_eq!(stores.iter().map(number).collect::<BTreeSet<_>>().len(), 64);
    let mark = bookmarks(&watch(&stores[0], From::State).batch()).remove(0);
    let refused = stores[1].watch(planloom_store::Scope::Kind(nodes(), Query::all()), From::Revision(mark));
    assert_eq!(
        refused.map(drop),
        Err(StoreError::InvalidBookmark { why: "it is of another store".to_owned() })
    );
}
