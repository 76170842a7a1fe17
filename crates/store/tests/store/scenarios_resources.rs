//! Conformance scenarios about resources. All tear down before they destroy, so that strict stores pass too.

use futures::{executor::LocalPool, task::LocalSpawnExt};
use planloom_store::{Glob, Kind, Op, Phase, Query, Resource, Store, StoreError, Term, UpdateOptions};

use crate::support::*;

fn code<T>(result: Result<T, StoreError>) -> &'static str {
    result.map_or_else(|error| error.code(), |_| "ok")
}

pub(crate) fn come_and_go(store: &Store) {
    assert_eq!(code(store.get(&node("a"))), "store/not-found");
    assert!(store.list(&nodes(), &Query::all()).is_empty());
    let (b, a) = (create(store, "b"), create(store, "a"));
    assert_eq!(store.get(&node("a")), Ok(a.clone()));
    let listed = store.list(&nodes(), &Query::all());
    assert_eq!(listed.iter().cloned().collect::<Vec<_>>(), [a.clone(), b]);
    assert_eq!(code(store.create(&user(), draft("a"))), "store/already-exists");
    assert_eq!(store.teardown(&user(), &node("a")), Ok(true));
    store.destroy(&user(), &node("a")).unwrap();
    assert_eq!(code(store.teardown(&user(), &node("a"))), "store/not-found");
    assert_eq!(code(store.destroy(&user(), &node("a"))), "store/not-found");
    assert_eq!(code(store.get(&node("a"))), "store/not-found");
    assert_eq!(ids(store, &Query::all()), ["b"]);
    assert_eq!((listed.len(), listed.get("a")), (2, Some(&a)), "a list stays as it was");
    assert!(create(store, "a").metadata.uid > a.metadata.uid);
    assert!(store.list(&Kind::new("app", "Others"), &Query::all()).is_empty());
}

pub(crate) fn modify_gives_a_copy(store: &Store) {
    let created = create(store, "a");
    let modified = say(store, &user(), "a", 1);
    assert_eq!((&created.spec, created.metadata.version), (&spec(0), 1));
    assert_eq!((&modified.spec, modified.metadata.version, modified.metadata.generation), (&spec(1), 2, 2));
    assert_eq!(store.get(&node("a")), Ok(modified));
}

pub(crate) fn owners(store: &Store) {
    let created = store.create(&planner(), draft("a")).unwrap();
    let mut copy = (*created).clone();
    copy.spec = spec(1);
    let other = planloom_store::Actor::named("other");
    for actor in [user(), other.clone()] {
        assert_eq!(
            code(store.update(&actor, copy.clone(), UpdateOptions::default())),
            "store/owner-conflict"
        );
        assert_eq!(code(store.teardown(&actor, &node("a"))), "store/owner-conflict");
        assert_eq!(code(store.destroy(&actor, &node("a"))), "store/owner-conflict");
    }
    store.update(&planner(), copy, UpdateOptions::default()).unwrap();
    store.add_finalizers(&node("a"), ["f"]).unwrap();
    store.remove_finalizers(&node("a"), ["f"]).unwrap();
    assert_eq!(store.teardown(&planner(), &node("a")), Ok(true));
    assert_eq!(code(store.destroy(&other, &node("a"))), "store/owner-conflict");
    store.destroy(&planner(), &node("a")).unwrap();
}

pub(crate) fn finalizers_from_many_sides(store: &Store) {
    create(store, "a");
    let mut pool = LocalPool::new();
    let names = |range: std::ops::Range<usize>| range.map(|at| format!("f{at}")).collect::<Vec<_>>();
    for add in names(0..8) {
        let store = store.clone();
        let adding = async move {
            others().await;
            store.add_finalizers(&node("a"), [add]).unwrap();
        };
        pool.spawner().spawn_local(adding).unwrap();
    }
    for remove in names(0..3) {
        let store = store.clone();
        let removing = async move {
            others().await;
            store.remove_finalizers(&node("a"), [remove]).unwrap();
        };
        pool.spawner().spawn_local(removing).unwrap();
    }
    pool.run();
    names(0..3).into_iter().for_each(|name| drop(store.remove_finalizers(&node("a"), [name]).unwrap()));
    let left: Vec<String> =
        store.get(&node("a")).unwrap().metadata.finalizers.iter().map(|it| it.to_string()).collect();
    assert_eq!(left, names(3..8));
}

pub(crate) fn many_who_destroy(store: &Store) {
    create(store, "a");
    let mut pool = LocalPool::new();
    let tasks: Vec<_> = (0..10)
        .map(|_| {
            let store = store.clone();
            let task = async move {
                let torn_down = store.teardown(&user(), &node("a"));
                others().await;
                torn_down.and_then(|_| store.destroy(&user(), &node("a")))
            };
            pool.spawner().spawn_local_with_handle(task).unwrap()
        })
        .collect();
    let answers = pool.run_until(futures::future::join_all(tasks));
    let mut codes: Vec<_> = answers.into_iter().map(code).collect();
    codes.sort_unstable();
    assert_eq!((codes[0], &codes[1..]), ("ok", &["store/not-found"; 9][..]));
}

pub(crate) fn teardown_with_finalizers(store: &Store) {
    create(store, "a");
    store.add_finalizers(&node("a"), ["f"]).unwrap();
    let destroy = || code(store.destroy(&user(), &node("a")));
    assert_eq!(destroy(), "store/pending-finalizers");
    assert_eq!(store.teardown(&user(), &node("a")), Ok(false));
    assert_eq!(destroy(), "store/pending-finalizers");
    assert_eq!(store.teardown(&user(), &node("a")), Ok(false));
    store.remove_finalizers(&node("a"), ["f"]).unwrap();
    assert_eq!(store.teardown(&user(), &node("a")), Ok(true));
    assert_eq!(destroy(), "ok");
}

pub(crate) fn updates(store: &Store) {
    let update = |version: u64, uid_of: &Resource, options| {
        let mut copy = uid_of.clone();
        copy.metadata.version = version;
        copy.spec = spec(i64::try_from(version).unwrap() + 1);
        code(store.update(&user(), copy, options))
    };
    let options = UpdateOptions::default();
    assert_eq!(update(1, &draft("a").into(), options), "store/not-found");
    let stored = create(store, "a");
    assert_eq!(update(1, &stored, options), "ok");
    assert_eq!(update(1, &stored, options), "store/version-conflict");
    assert_eq!(update(3, &stored, options), "store/version-conflict");
    store.teardown(&user(), &node("a")).unwrap();
    assert_eq!(update(3, &stored, options), "store/phase-conflict");
    let torn_down = UpdateOptions { expected_phase: Some(Phase::TearingDown), touch: false };
    assert_eq!(update(3, &stored, torn_down), "ok");
    assert_eq!(update(4, &stored, UpdateOptions::any_phase()), "ok");
}

pub(crate) fn labels(store: &Store) {
    for (id, app, size) in [("a", "web", "10"), ("b", "web", "2k"), ("c", "db", "1Mi"), ("d", "db", "x")] {
        store.create(&user(), draft(id).label("app", app).label("size", size)).unwrap();
    }
    create(store, "e");
    let term = |name: &str, op| Term::new(name, op);
    let check = |query: Query, expected: &[&str]| assert_eq!(ids(store, &query), expected, "{query:?}");
    check(Query::term(term("app", Op::Exists)), &["a", "b", "c", "d"]);
    check(Query::term(term("app", Op::Exists).inverted()), &["e"]);
    check(Query::label("app", "web").and(term("size", Op::Equal("10".into()))), &["a"]);
    check(Query::label("size", "10").or(Query::label("app", "db")), &["a", "c", "d"]);
    check(Query::term(term("app", Op::In(vec!["db".into(), "no".into()]))), &["c", "d"]);
    check(Query::term(term("size", Op::LtNumeric("3k".into()))), &["a", "b"]);
    check(Query::term(term("size", Op::LteNumeric("2000".into())).inverted()), &["c"]);
    check(Query::term(term("app", Op::Lt("web".into()))), &["c", "d"]);
    check(Query::term(term("app", Op::Lte("web".into()))), &["a", "b", "c", "d"]);
}

pub(crate) fn patterns(store: &Store) {
    for id in ["api-1", "api-2", "web-1"] {
        store.create(&user(), draft(id).label("n", &id[4..])).unwrap();
    }
    let query = Query::id(Glob::new("api-*").unwrap());
    assert_eq!(ids(store, &query), ["api-1", "api-2"]);
    assert_eq!(ids(store, &query.clone().and(Term::new("n", Op::Equal("1".into())))), ["api-1"]);
    let scope = planloom_store::Scope::Kind(nodes(), query);
    let mut watch = store.watch(scope, planloom_store::From::State).unwrap();
    assert_eq!(received(&mut watch), ["init", "apply api-1@1", "apply api-2@1", "done"]);
    say(store, &user(), "web-1", 1);
    say(store, &user(), "api-2", 1);
    assert_eq!(received(&mut watch), ["updated api-2@1 api-2@2"]);
}

pub(crate) fn upsert(store: &Store) {
    let set = |value| {
        move |resource: &mut Resource| {
            resource.spec = spec(value);
            Ok::<_, StoreError>(())
        }
    };
    assert_eq!(store.upsert(&user(), draft("a"), set(1)).unwrap().metadata.version, 1);
    assert_eq!(store.upsert(&user(), draft("a"), set(2)).unwrap().metadata.version, 2);
    let refuse = |_: &mut Resource| Err(StoreError::Cancelled);
    assert_eq!(store.upsert(&user(), draft("a"), refuse), Err(StoreError::Cancelled));
    assert_eq!(store.get(&node("a")).unwrap().spec, spec(2));
    store.teardown(&user(), &node("a")).unwrap();
    assert_eq!(code(store.upsert(&user(), draft("a"), set(3))), "store/phase-conflict");
    let any = store.upsert_with(&user(), draft("a"), UpdateOptions::any_phase(), set(3)).unwrap();
    assert_eq!((any.metadata.version, any.metadata.phase), (4, Phase::TearingDown));
}

pub(crate) fn upsert_and_owners(store: &Store) {
    let set = |value| {
        move |resource: &mut Resource| {
            resource.spec = spec(value);
            Ok::<_, StoreError>(())
        }
    };
    let created = store.upsert(&planner(), draft("a"), set(1)).unwrap();
    assert_eq!(created.metadata.owner.as_deref(), Some("planner"));
    assert_eq!(store.upsert(&planner(), draft("a"), set(2)).unwrap().metadata.version, 2);
    assert_eq!(code(store.upsert(&user(), draft("a"), set(3))), "store/owner-conflict");
    assert_eq!(store.get(&node("a")).unwrap().spec, spec(2));
}
