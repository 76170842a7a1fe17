//! Single resources: what the COSI runtime's state does, case by case.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use futures::{executor::LocalPool, task::LocalSpawnExt};
use planloom_store::{From, Kind, Millis, Options, Phase, Query, Resource, StoreError, UpdateOptions};

use crate::support::*;

fn failed<T: std::fmt::Debug>(result: Result<T, StoreError>) -> StoreError {
    result.unwrap_err()
}

#[test]
fn case_01_a_created_resource_is_at_its_beginning() {
    let store = store();
    let mut watch = watch(&store, From::Now);
    let created = create(&store, "web");
    let metadata = &created.metadata;
    assert_eq!((metadata.version, metadata.generation, metadata.phase), (1, 1, Phase::Running));
    assert_eq!((&metadata.owner, metadata.finalizers.len()), (&None, 0));
    assert_eq!((metadata.created, metadata.updated), (T0, T0));
    assert_eq!((metadata.uid.get(), metadata.revision.get()), (1, 1));
    assert_eq!(store.get(&node("web")).unwrap(), created);
    assert_eq!(received(&mut watch), ["created web@1"]);
}

#[test]
fn case_02_a_second_create_is_refused_and_changes_nothing() {
    let store = store();
    let first = create(&store, "web");
    let mut watch = watch(&store, From::Now);
    let mut other = draft("web");
    other.spec = spec(9);
    assert_eq!(failed(store.create(&user(), other)), StoreError::AlreadyExists { key: node("web") });
    assert_eq!((store.get(&node("web")).unwrap(), store.revision().get()), (first, 1));
    assert!(watch.batch().is_empty());
}

#[test]
fn case_03_what_exists_exists_for_every_owner() {
    let store = store();
    store.create(&planner(), draft("web")).unwrap();
    assert_eq!(failed(store.create(&user(), draft("web"))), StoreError::AlreadyExists { key: node("web") });
}

#[test]
fn case_04_creating_for_another_owner_is_refused() {
    let store = store();
    let error = failed(store.create(&planner(), draft("web").owner("a")));
    assert_eq!(error, StoreError::OwnerConflict { key: node("web"), owner: Some("a".into()) });
    assert_eq!(failed(store.create(&user(), draft("web").owner("a"))).code(), "store/owner-conflict");
    assert!(store.get(&node("web")).is_err());
    assert_eq!(store.revision().get(), 0);
    store.create(&planner(), draft("web").owner("planner")).unwrap();
}

#[test]
fn case_05_what_is_missing_is_not_found_but_lists_as_nothing() {
    let store = store();
    let error = failed(store.get(&node("web")));
    assert_eq!(error, StoreError::NotFound { key: node("web") });
    assert_eq!(
        (error.to_string(), error.key()),
        ("`app/Nodes/web` does not exist".to_owned(), Some(&node("web")))
    );
    assert!(store.list(&Kind::new("never", "Seen"), &Query::all()).is_empty());
}

#[test]
fn case_06_lists_are_by_id_bytewise() {
    let store = store();
    for id in ["b", "a", "a10", "a2"] {
        create(&store, id);
    }
    assert_eq!(ids(&store, &Query::all()), ["a", "a10", "a2", "b"]);
}

#[test]
fn case_07_only_the_version_that_is_stored_is_updated() {
    let store = store();
    let stored = create(&store, "web");
    for version in [0, 2, 9] {
        let mut copy = (*stored).clone();
        copy.metadata.version = version;
        copy.spec = spec(7);
        let error = failed(store.update(&user(), copy, UpdateOptions::default()));
        assert_eq!(error, StoreError::VersionConflict { key: node("web"), expected: version, found: 1 });
        assert!(error.is_conflict());
    }
    assert_eq!(store.get(&node("web")).unwrap(), stored);
}

#[test]
fn case_08_an_update_that_changes_nothing_is_silent_unless_it_touches() {
    let Fixture { store, clock } = fixture(Options::default(), None);
    let stored = create(&store, "web");
    let mut watch = watch(&store, From::Now);
    clock.advance(5);
    let same = store.update(&user(), (*stored).clone(), UpdateOptions::default()).unwrap();
    assert_eq!((&same, store.revision().get()), (&stored, 1));
    assert!(watch.batch().is_empty());
    let touched = store.update(&user(), (*stored).clone(), UpdateOptions::default().touch()).unwrap();
    assert_eq!((touched.metadata.version, touched.metadata.generation), (2, 1));
    assert_eq!((touched.metadata.created, touched.metadata.updated), (T0, Millis(T0.0 + 5)));
    assert_eq!(received(&mut watch), ["updated web@1 web@2"]);
}

#[test]
fn case_09_a_copy_of_one_that_was_destroyed_does_not_hit_its_successor() {
    let store = store();
    let first = create(&store, "web");
    store.destroy(&user(), &node("web")).unwrap();
    let second = create(&store, "web");
    assert_eq!((first.metadata.version, second.metadata.version), (1, 1));
    let mut stale = (*first).clone();
    stale.spec = spec(7);
    let error = failed(store.update(&user(), stale, UpdateOptions::default()));
    let (expected, found) = (first.metadata.uid, second.metadata.uid);
    assert_eq!(error, StoreError::UidConflict { key: node("web"), expected, found });
    assert_eq!(store.get(&node("web")).unwrap(), second);
}

#[test]
fn case_10_only_the_owner_updates() {
    let store = store();
    let mut copy = (*store.create(&planner(), draft("web")).unwrap()).clone();
    copy.spec = spec(1);
    let error = failed(store.update(&user(), copy.clone(), UpdateOptions::default()));
    assert_eq!(error, StoreError::OwnerConflict { key: node("web"), owner: Some("planner".into()) });
    let updated = store.update(&planner(), copy, UpdateOptions::default()).unwrap();
    assert_eq!(updated.metadata.version, 2);
}

#[test]
fn case_11_an_update_cannot_change_the_owner() {
    let store = store();
    let mut copy = (*store.create(&planner(), draft("web")).unwrap()).clone();
    copy.metadata.owner = None;
    copy.spec = spec(1);
    let updated = store.update(&planner(), copy, UpdateOptions::default()).unwrap();
    assert_eq!(updated.metadata.owner.as_deref(), Some("planner"));
}

#[test]
fn case_12_tearing_down_is_done_once() {
    let store = store();
    create(&store, "web");
    let mut watch = watch(&store, From::Now);
    for _ in 0..2 {
        assert_eq!(store.teardown(&user(), &node("web")), Ok(true));
        let metadata = &store.get(&node("web")).unwrap().metadata;
        assert_eq!((metadata.version, metadata.generation, metadata.phase), (2, 1, Phase::TearingDown));
    }
    assert_eq!(received(&mut watch), ["updated web@1 web@2"]);
}

#[test]
fn case_13_finalizers_hold_up_the_destruction() {
    let store = store();
    let key = node("web");
    store.create(&user(), draft("web").finalizer("adapter")).unwrap();
    assert_eq!(store.teardown(&user(), &key), Ok(false));
    let error = failed(store.destroy(&user(), &key));
    assert_eq!(error.to_string(), "`app/Nodes/web` is still needed by adapter");
    assert_eq!(error.code(), "store/pending-finalizers");
    assert_eq!(store.remove_finalizers(&key, ["adapter"]).unwrap().metadata.version, 3);
    assert_eq!(store.teardown(&user(), &key), Ok(true));
    store.destroy(&user(), &key).unwrap();
    assert!(store.get(&key).is_err());
}

#[test]
fn case_14_what_is_torn_down_is_updated_only_on_purpose_and_stays_torn_down() {
    let store = store();
    store.create(&planner(), draft("web").finalizer("f")).unwrap();
    store.teardown(&planner(), &node("web")).unwrap();
    let mut copy = (*store.get(&node("web")).unwrap()).clone();
    copy.spec = spec(1);
    copy.metadata.phase = Phase::Running;
    copy.metadata.owner = None;
    copy.metadata.finalizers.clear();
    let error = failed(store.update(&planner(), copy.clone(), UpdateOptions::default()));
    let (expected, found) = (Phase::Running, Phase::TearingDown);
    assert_eq!(error, StoreError::PhaseConflict { key: node("web"), expected, found });
    let updated = store.update(&planner(), copy, UpdateOptions::any_phase()).unwrap();
    let metadata = &updated.metadata;
    assert_eq!((&updated.spec, metadata.phase), (&spec(1), Phase::TearingDown));
    assert_eq!(metadata.owner.as_deref(), Some("planner"));
    assert!(metadata.finalizers.contains("f"));
}

#[test]
fn case_15_new_finalizers_on_a_torn_down_resource_are_refused() {
    let store = store();
    let key = node("web");
    store.create(&user(), draft("web").finalizer("a").finalizer("b")).unwrap();
    store.teardown(&user(), &key).unwrap();
    assert_eq!(failed(store.add_finalizers(&key, ["x"])).code(), "store/phase-conflict");
    let version = store.remove_finalizers(&key, ["a"]).unwrap().metadata.version;
    assert_eq!(store.add_finalizers(&key, ["b"]).unwrap().metadata.version, version);
    assert_eq!(failed(store.add_finalizers(&key, ["b", "a"])).code(), "store/phase-conflict");
}

#[test]
fn case_16_finalizers_are_a_set() {
    let store = store();
    let key = node("web");
    create(&store, "web");
    let held = store.add_finalizers(&key, ["x", "x"]).unwrap();
    assert_eq!((held.metadata.version, held.metadata.finalizers.len()), (2, 1));
    assert_eq!(store.remove_finalizers(&key, ["y"]).unwrap().metadata.version, 2);
}

#[test]
fn case_17_running_resources_are_destroyed_unless_the_store_is_strict() {
    let relaxed = store();
    create(&relaxed, "web");
    relaxed.destroy(&user(), &node("web")).unwrap();
    let strict = fixture(Options { strict_destroy: true, ..Options::default() }, None).store;
    create(&strict, "web");
    let error = failed(strict.destroy(&user(), &node("web")));
    let (expected, found) = (Phase::TearingDown, Phase::Running);
    assert_eq!(error, StoreError::PhaseConflict { key: node("web"), expected, found });
    strict.teardown(&user(), &node("web")).unwrap();
    strict.destroy(&user(), &node("web")).unwrap();
}

#[test]
fn case_18_tearing_down_again_still_checks_the_owner() {
    let store = store();
    store.create(&planner(), draft("web")).unwrap();
    store.teardown(&planner(), &node("web")).unwrap();
    assert_eq!(failed(store.teardown(&user(), &node("web"))).code(), "store/owner-conflict");
}

#[test]
fn case_19_two_who_tear_down_get_the_same_answer() {
    for finalizers in [vec![], vec!["f"]] {
        let store = store();
        let draft = finalizers.iter().fold(draft("web"), |draft, name| draft.finalizer(*name));
        store.create(&user(), draft).unwrap();
        let mut pool = LocalPool::new();
        let tasks: Vec<_> = (0..2)
            .map(|_| {
                let store = store.clone();
                let teardown = async move {
                    others().await;
                    store.teardown(&user(), &node("web"))
                };
                pool.spawner().spawn_local_with_handle(teardown).unwrap()
            })
            .collect();
        let answers = pool.run_until(futures::future::join_all(tasks));
        assert_eq!(answers, [Ok(finalizers.is_empty()), Ok(finalizers.is_empty())]);
    }
}

#[test]
fn case_20_sixteen_holders_come_and_go() {
    let store = store();
    create(&store, "web");
    let mut pool = LocalPool::new();
    for holder in 0..16 {
        let store = store.clone();
        let comes_and_goes = async move {
            let name = format!("f{holder}");
            store.add_finalizers(&node("web"), [name.clone()]).unwrap();
            others().await;
            store.remove_finalizers(&node("web"), [name]).unwrap();
        };
        pool.spawner().spawn_local(comes_and_goes).unwrap();
    }
    pool.run();
    let metadata = &store.get(&node("web")).unwrap().metadata;
    assert_eq!((metadata.finalizers.len(), metadata.version), (0, 1 + 32));
}

#[test]
fn case_21_an_error_of_the_callback_is_the_answer_and_nothing_happens() {
    let store = store();
    let mut watch = watch(&store, From::Now);
    let refuse = |_: &mut Resource| Err(Refusal::Mine);
    assert_eq!(store.upsert(&user(), draft("web"), refuse), Err(Refusal::Mine));
    let missing = store.modify(&user(), &node("web"), refuse);
    assert_eq!(missing, Err(Refusal::Store(StoreError::NotFound { key: node("web") })));
    assert!(store.get(&node("web")).is_err());
    let stored = create(&store, "web");
    assert_eq!(store.modify(&user(), &node("web"), refuse), Err(Refusal::Mine));
    assert_eq!(store.get(&node("web")).unwrap(), stored);
    assert_eq!(received(&mut watch), ["created web@1"]);
}

#[derive(Debug, PartialEq)]
enum Refusal {
    Mine,
    Store(StoreError),
}

impl std::convert::From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

#[test]
fn case_22_who_creates_too_late_modifies() {
    let store = store();
    let mut seen = Vec::new();
    let change = |resource: &mut Resource| {
        seen.push(resource.metadata.version);
        if seen.len() == 1 {
            let mut theirs = draft("web");
            theirs.spec = spec(1);
            store.create(&user(), theirs)?;
        }
        resource.metadata.labels.insert("mine".into(), "yes".into());
        Ok::<_, StoreError>(())
    };
    let left = store.upsert(&user(), draft("web"), change).unwrap();
    assert_eq!((left.metadata.version, &left.spec, left.metadata.labels.len()), (2, &spec(1), 1));
    assert_eq!(seen, [0, 1]);
}

#[test]
fn case_23_a_callback_that_changes_nothing_changes_nothing_but_needs_the_phase() {
    let store = store();
    create(&store, "web");
    let nothing = |_: &mut Resource| Ok::<_, StoreError>(());
    assert_eq!(store.modify(&user(), &node("web"), nothing).unwrap().metadata.version, 1);
    store.teardown(&user(), &node("web")).unwrap();
    let never = |_: &mut Resource| -> Result<(), StoreError> { panic!("it was called") };
    assert_eq!(failed(store.modify(&user(), &node("web"), never)).code(), "store/phase-conflict");
    let any = store.modify_with(&user(), &node("web"), UpdateOptions::any_phase(), nothing);
    assert_eq!(any.unwrap().metadata.version, 2);
}
