//! Several operations at once, and operations that wait.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::task::Poll;

use planloom_store::{Draft, Expectation, From, Phase, Resource, StoreError, Transaction, UpdateOptions};

use crate::support::*;

#[test]
fn case_24_a_transaction_is_all_or_nothing() {
    let store = store();
    let stale = create(&store, "c");
    say(&store, &user(), "c", 1);
    let mut watch = watch(&store, From::Now);
    let mut copy = (*stale).clone();
    copy.spec = spec(2);
    let error = store.commit(&user(), Transaction::new().create(draft("a")).create(draft("b")).update(copy));
    assert_eq!(error, Err(StoreError::VersionConflict { key: node("c"), expected: 1, found: 2 }));
    assert!(store.get(&node("a")).is_err() && store.get(&node("b")).is_err());
    assert!(watch.batch().is_empty());
    assert_eq!((store.revision().get(), create(&store, "d").metadata.uid.get()), (2, 2));
}

#[test]
fn case_25_a_transaction_without_effect_has_no_event() {
    let store = store();
    let mut watch = watch(&store, From::Now);
    let mut changed = Resource::from(draft("a"));
    changed.spec = spec(1);
    let transaction = Transaction::new().create(draft("a")).update(changed).destroy(node("a"));
    let committed = store.commit(&user(), transaction).unwrap();
    assert_eq!((committed.revision.get(), store.revision().get()), (1, 1));
    assert_eq!(committed.resources, [None, None, None]);
    assert!(watch.batch().is_empty());
}

#[test]
fn a_transaction_makes_one_version_and_one_event_of_a_resource() {
    let store = store();
    let stored = create(&store, "a");
    let mut watch = watch(&store, From::Now);
    let mut changed = (*stored).clone();
    changed.spec = spec(1);
    let mut new = Resource::from(draft("b"));
    new.spec = spec(2);
    let transaction = Transaction::new().add_finalizers(node("a"), ["f"]).create(draft("b")).update(changed);
    let committed = store.commit(&user(), transaction.update(new).teardown(node("b"))).unwrap();
    assert_eq!(received(&mut watch), ["updated a@1 a@2", "created b@1"]);
    assert_eq!(committed.ready, [false, true, false, true, true]);
    let a = store.get(&node("a")).unwrap();
    assert_eq!((a.metadata.generation, a.metadata.finalizers.len(), &a.spec), (2, 1, &spec(1)));
    let b = store.get(&node("b")).unwrap();
    assert_eq!(
        (b.metadata.phase, &b.spec, b.metadata.revision),
        (Phase::TearingDown, &spec(2), committed.revision)
    );
}

#[test]
fn a_transaction_may_replace_a_resource() {
    let store = store();
    let first = create(&store, "a");
    let mut watch = watch(&store, From::Now);
    let again = Transaction::new().destroy(node("a")).create(draft("a"));
    let second = store.commit(&user(), again).unwrap().resources.remove(1).unwrap();
    assert_eq!(received(&mut watch), ["destroyed a@1", "created a@1"]);
    assert!(second.metadata.uid > first.metadata.uid);
    let mut stale = (*first).clone();
    stale.spec = spec(1);
    let again = Transaction::new().destroy(node("a")).create(draft("a")).update(stale);
    assert_eq!(store.commit(&user(), again).unwrap_err().code(), "store/uid-conflict");
}

#[test]
fn expectations_are_checked_before_a_transaction() {
    let store = store();
    let stored = create(&store, "a");
    let (uid, version) = (stored.metadata.uid, stored.metadata.version);
    let code = |key: &str, expectation| {
        let transaction = Transaction::new().create(draft("x")).expect(node(key), expectation);
        let result = store.commit(&user(), transaction);
        result.map(|_| store.destroy(&user(), &node("x")).unwrap()).map_err(|error| error.code())
    };
    assert_eq!(code("a", Expectation::Uid(uid)), Ok(()));
    assert_eq!(code("a", Expectation::Version(uid, version)), Ok(()));
    assert_eq!(code("none", Expectation::Absent), Ok(()));
    assert_eq!(code("x", Expectation::Absent), Ok(()));
    assert_eq!(code("a", Expectation::Absent), Err("store/already-exists"));
    assert_eq!(code("none", Expectation::Uid(uid)), Err("store/not-found"));
    say(&store, &user(), "a", 1);
    assert_eq!(code("a", Expectation::Uid(uid)), Ok(()));
    assert_eq!(code("a", Expectation::Version(uid, version)), Err("store/version-conflict"));
    store.destroy(&user(), &node("a")).unwrap();
    create(&store, "a");
    assert_eq!(code("a", Expectation::Uid(uid)), Err("store/uid-conflict"));
    assert!(store.get(&node("x")).is_err());
}

#[test]
fn case_26_teardown_and_destroy_is_content_when_another_destroys() {
    let store = store();
    store.create(&user(), draft("web").finalizer("f")).unwrap();
    let (actor, key) = (user(), node("web"));
    let mut gone = Box::pin(store.teardown_and_destroy(&actor, &key));
    assert_eq!(poll(&mut gone), Poll::Pending);
    assert_eq!(store.get(&key).unwrap().metadata.phase, Phase::TearingDown);
    store.remove_finalizers(&key, ["f"]).unwrap();
    store.destroy(&user(), &key).unwrap();
    let second = create(&store, "web");
    assert_eq!(poll(&mut gone), Poll::Ready(Ok(())));
    assert_eq!(store.get(&key).unwrap(), second, "the one that was created again is left alone");
}

#[test]
fn case_26_teardown_and_destroy_ends_with_the_store() {
    let store = store();
    store.create(&user(), draft("web").finalizer("f")).unwrap();
    let (actor, key) = (user(), node("web"));
    let mut gone = Box::pin(store.teardown_and_destroy(&actor, &key));
    assert_eq!(poll(&mut gone), Poll::Pending);
    store.close();
    assert_eq!(poll(&mut gone), Poll::Ready(Err(StoreError::Cancelled)));
    assert_eq!(store.get(&key).unwrap().metadata.phase, Phase::TearingDown);
    assert_eq!(store.remove_finalizers(&key, ["f"]), Err(StoreError::Cancelled));
}

#[test]
fn upsert_creates_with_finalizer_and_owner_in_one_commit() {
    let store = store();
    let set = |resource: &mut Resource| {
        resource.spec = spec(3);
        resource.metadata.owner = None;
        Ok::<_, StoreError>(())
    };
    let created = store.upsert(&planner(), draft("web").finalizer("adapter"), set).unwrap();
    assert_eq!((created.metadata.version, store.revision().get()), (1, 1));
    assert_eq!((&created.spec, created.metadata.owner.as_deref()), (&spec(3), Some("planner")));
    assert!(created.metadata.finalizers.contains("adapter"));
    assert_eq!(store.upsert(&planner(), draft("web"), set).unwrap(), created);
    assert_eq!(
        store.upsert(&user(), draft("web"), set),
        Ok::<_, StoreError>(created.clone())
            .and(Err(StoreError::OwnerConflict { key: node("web"), owner: Some("planner".into()) }))
    );
}

#[test]
fn empty_names_are_refused_when_they_would_be_stored() {
    let store = store();
    let bad = [
        Draft::new(planloom_store::Key::new("", "Nodes", "a"), spec(0)),
        Draft::new(planloom_store::Key::new("a/b", "Nodes", "a"), spec(0)),
        Draft::new(planloom_store::Key::new("app", "", "a"), spec(0)),
        draft(""),
        draft("a").label("", "x"),
        draft("a").annotation("", "x"),
        draft("a").finalizer(""),
    ];
    for draft in bad {
        assert_eq!(store.create(&user(), draft).unwrap_err().code(), "store/invalid");
    }
    assert_eq!(
        store.create(&planloom_store::Actor::named(""), draft("a")).unwrap_err().code(),
        "store/invalid"
    );
    let mut copy = (*create(&store, "a")).clone();
    copy.metadata.labels.insert("".into(), "x".into());
    assert_eq!(store.update(&user(), copy, UpdateOptions::default()).unwrap_err().code(), "store/invalid");
    assert_eq!(store.add_finalizers(&node("a"), [""]).unwrap_err().code(), "store/invalid");
    assert_eq!(store.revision().get(), 1);
}
