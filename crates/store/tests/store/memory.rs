//! The memory of past events, and which of them are kept.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::sync::{Arc, Mutex};

use planloom_store::{
    BackingStore, Change, Counters, Draft, From, Options, Query, Resource, Scope, Spec, Store, StoreError,
    Transaction, UpdateOptions,
};

use crate::support::*;

fn bytes(store: &Store) -> usize {
    store.stats().kinds[&nodes()].log_bytes
}

/// The size of the log after a resource was created.
fn of(draft: Draft) -> usize {
    let store = store();
    store.create(&user(), draft).unwrap();
    bytes(&store)
}

fn long(bytes: usize) -> String {
    "x".repeat(bytes)
}

#[test]
fn past_events_count_the_texts_that_they_hold() {
    let plain = of(draft("web"));
    assert!(plain > size_of::<Resource>());
    assert_eq!(of(draft(&format!("web{}", long(1000)))), plain + 1000);
    let with = |bytes: usize| Draft::new(node("web"), Spec::of(&long(bytes)).unwrap());
    assert_eq!(of(with(1000)), of(with(0)) + 1000);
    let labelled = of(draft("web").label("abc", "def"));
    assert!((plain + 6..plain + 200).contains(&labelled));
    assert_eq!(of(draft("web").annotation("abc", "def")), labelled);
    assert_eq!(of(draft("web").label("abc", long(1003))), labelled + 1000);
    assert_eq!(of(draft("web").label(long(1003), "def")), labelled + 1000);
    assert_eq!(of(draft("web").label("abc", "def").label("abd", "def")) - labelled, labelled - plain);
}

#[test]
fn an_update_holds_what_was_and_what_is() {
    let store = store();
    create(&store, "web");
    let created = bytes(&store);
    let set = |resource: &mut Resource| {
        resource.spec = Spec::of(&long(5000)).unwrap();
        Ok::<_, StoreError>(())
    };
    store.modify(&user(), &node("web"), set).unwrap();
    let once = bytes(&store) - created;
    store
        .update(&user(), (*store.get(&node("web")).unwrap()).clone(), UpdateOptions::default().touch())
        .unwrap();
    let twice = bytes(&store) - created - once;
    assert!(once > created + 4900 && twice > once + 4900, "{created} {once} {twice}");
}

#[test]
fn the_log_keeps_as_many_bytes_as_it_may() {
    let whole = {
        let store = store();
        create(&store, "a");
        create(&store, "b");
        bytes(&store)
    };
    for (log_bytes, kept) in [(whole, 2), (whole - 1, 1), (0, 0)] {
        let store = fixture(Options { log_bytes, ..Options::default() }, None).store;
        create(&store, "a");
        create(&store, "b");
        assert_eq!(store.stats().kinds[&nodes()].log_entries, kept, "{log_bytes}");
    }
}

#[test]
fn a_kind_with_only_past_events_is_still_reported() {
    let store = store();
    let mark = bookmarks(&watch(&store, From::State).batch()).remove(0);
    create(&store, "web");
    store.destroy(&user(), &node("web")).unwrap();
    drop(watch(&store, From::Now));
    let mut resumed = store.watch(Scope::Kind(nodes(), Query::all()), From::Revision(mark)).unwrap();
    assert_eq!(received(&mut resumed), ["created web@1", "destroyed web@1"]);
}

#[test]
fn the_end_of_a_store_wakes_who_waits() {
    let store = store();
    let (mut all, mut one) = (watch(&store, From::Now), watch_one(&store, "x", From::Now));
    let alarms = [(); 2].map(|()| Arc::new(Alarm::default()));
    alarms[0].wait(&mut all);
    alarms[1].wait(&mut one);
    store.close();
    assert_eq!(alarms.map(|it| it.count()), [1, 1]);
}

/// Records what it is to keep.
#[derive(Clone, Default)]
struct Noting(Arc<Mutex<Vec<Vec<Change>>>>);

impl BackingStore for Noting {
    fn load(&mut self, _: &mut dyn FnMut(Resource)) -> Result<Counters, String> {
        Ok(Counters::default())
    }

    fn commit(&mut self, changes: &[Change], _: Counters) -> Result<(), String> {
        self.0.lock().unwrap().push(changes.to_vec());
        Ok(())
    }
}

#[test]
fn a_backing_store_receives_each_resource_once() {
    let noting = Noting::default();
    let store = fixture(Options::default(), Some(Box::new(noting.clone()))).store;
    create(&store, "a");
    create(&store, "b");
    let replace = Transaction::new().destroy(node("a")).create(draft("a")).destroy(node("b"));
    store.commit(&user(), replace).unwrap();
    let replaced = store.get(&node("a")).unwrap();
    let last = noting.0.lock().unwrap().pop().unwrap();
    assert_eq!(last, [Change::Put(replaced), Change::Delete(node("b"))]);
}

#[test]
fn only_version_conflicts_are_retried() {
    let store = store();
    store.create(&planner(), draft("web")).unwrap();
    let mut calls = 0;
    let refused = store.modify(&user(), &node("web"), |resource| {
        calls += 1;
        resource.spec = spec(calls);
        Ok::<_, StoreError>(())
    });
    assert_eq!((refused.unwrap_err().code(), calls), ("store/owner-conflict", 1));
}

#[test]
fn a_change_says_what_a_resource_has_and_not_whose_or_which_it_is() {
    let store = store();
    let change = |resource: &mut Resource| {
        resource.metadata.key = node("other");
        resource.metadata.owner = Some("other".into());
        resource.metadata.annotations.insert("note".into(), "kept".into());
        resource.metadata.labels.insert("tier".into(), "web".into());
        Ok::<_, StoreError>(())
    };
    let check = |version: u64| {
        let left = store.upsert(&planner(), draft("web"), change).unwrap();
        let metadata = &left.metadata;
        assert_eq!((&metadata.key, metadata.owner.as_deref()), (&node("web"), Some("planner")));
        assert_eq!((metadata.annotations.len(), metadata.labels.len(), metadata.version), (1, 1, version));
    };
    check(1);
    let undo = |resource: &mut Resource| {
        resource.metadata.annotations.clear();
        Ok::<_, StoreError>(())
    };
    let undone = store.modify(&planner(), &node("web"), undo).unwrap();
    assert_eq!((undone.metadata.annotations.len(), undone.metadata.version), (0, 2));
    check(3);
}
