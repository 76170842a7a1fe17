//! Conformance scenarios about watches and waiting.

use std::task::Poll;

use planloom_store::{Event, From, Op, Phase, Query, Resource, Scope, Store, StoreError, Term, Watch};

use crate::support::*;

fn go(store: &Store, id: &str) {
    store.teardown(&user(), &node(id)).unwrap();
    store.destroy(&user(), &node(id)).unwrap();
}

pub(crate) fn of_a_kind(store: &Store) {
    create(store, "b");
    let mut first = watch(store, From::Now);
    create(store, "a");
    go(store, "b");
    let events = ["created a@1", "updated b@1 b@2", "destroyed b@2"];
    assert_eq!(received(&mut first), events);
    create(store, "c");
    let mut second = watch(store, From::State);
    assert_eq!(received(&mut second), ["init", "apply a@1", "apply c@1", "done"]);
    say(store, &user(), "c", 1);
    let events = first.batch();
    let [Event::Created { .. }, Event::Updated { old, new, .. }] = &events[..] else { panic!("{events:?}") };
    assert_eq!((&old.spec, &new.spec), (&spec(0), &spec(1)));
    assert_eq!(received(&mut second), ["updated c@1 c@2"]);
    let other = planloom_store::Draft::new(planloom_store::Key::new("app", "Others", "a"), spec(0));
    store.create(&user(), other).unwrap();
    assert!(first.batch().is_empty(), "another kind's");
}

pub(crate) fn tails(store: &Store) {
    create(store, "a");
    say(store, &user(), "a", 1);
    create(store, "b");
    say(store, &user(), "a", 2);
    assert_eq!(received(&mut watch(store, From::Tail(2))), ["created b@1", "updated a@2 a@3"]);
    assert_eq!(received(&mut watch(store, From::Tail(100))).len(), 4);
    assert_eq!(received(&mut watch_one(store, "a", From::Tail(2))), ["updated a@1 a@2", "updated a@2 a@3"]);
    assert_eq!(received(&mut watch_one(store, "a", From::Tail(100))).len(), 3);
}

pub(crate) fn with_labels(store: &Store) {
    let open = |query: Query, from| store.watch(Scope::Kind(nodes(), query), from).unwrap();
    let equal = Query::label("env", "prod");
    let exists = Query::term(Term::new("env", Op::Exists));
    let either = Query::label("env", "prod").or(Query::label("app", "web"));
    let mut watches: Vec<Watch> = [equal, exists, either].map(|query| open(query, From::State)).into();
    let mut check = |expected: [&[&str]; 3]| {
        watches.iter_mut().zip(expected).for_each(|(watch, expected)| assert_eq!(received(watch), expected));
    };
    check([&["init", "done"]; 3]);
    store.create(&user(), draft("a").label("app", "web")).unwrap();
    check([&[], &[], &["created a@1"]]);
    label(store, "a", "env", "prod");
    check([&["created a@2"], &["created a@2"], &["updated a@1 a@2"]]);
    say(store, &user(), "a", 1);
    check([&["updated a@2 a@3"]; 3]);
    label(store, "a", "env", "dev");
    check([&["destroyed a@4"], &["updated a@3 a@4"], &["updated a@3 a@4"]]);
    go(store, "a");
    check([&[], &["updated a@4 a@5", "destroyed a@5"], &["updated a@4 a@5", "destroyed a@5"]]);
}

pub(crate) fn waiting(store: &Store) {
    let key = node("a");
    let mut there = Box::pin(store.wait_for(&key, |found| found.is_some()));
    assert_eq!(poll(&mut there), Poll::Pending);
    let created = create(store, "a");
    assert_eq!(poll(&mut there), Poll::Ready(Ok(Some(created))));
    store.add_finalizers(&key, ["f"]).unwrap();
    let ready = |found: Option<&Resource>| found.is_some_and(|it| it.metadata.destroy_ready());
    let mut going = Box::pin(store.wait_for(&key, ready));
    let torn = |found: Option<&Resource>| found.is_some_and(|it| it.metadata.phase == Phase::TearingDown);
    let mut torn = Box::pin(store.wait_for(&key, torn));
    let mut gone = Box::pin(store.wait_for(&key, |found| found.is_none()));
    store.teardown(&user(), &key).unwrap();
    assert!(poll(&mut torn).is_ready() && poll(&mut going).is_pending() && poll(&mut gone).is_pending());
    store.remove_finalizers(&key, ["f"]).unwrap();
    assert!(poll(&mut going).is_ready() && poll(&mut gone).is_pending());
    store.destroy(&user(), &key).unwrap();
    assert_eq!(poll(&mut gone), Poll::Ready(Ok(None)));
}

pub(crate) fn of_one(store: &Store) {
    let mut watch = watch_one(store, "a", From::State);
    assert_eq!(received(&mut watch), ["init", "absent a", "done"]);
    create(store, "a");
    create(store, "b");
    store.add_finalizers(&node("a"), ["f"]).unwrap();
    store.teardown(&user(), &node("a")).unwrap();
    store.remove_finalizers(&node("a"), ["f"]).unwrap();
    store.destroy(&user(), &node("a")).unwrap();
    let rest = ["created a@1", "updated a@1 a@2", "updated a@2 a@3", "updated a@3 a@4", "destroyed a@4"];
    assert_eq!(received(&mut watch), rest);
    assert_eq!(received(&mut watch_one(store, "b", From::State)), ["init", "apply b@1", "done"]);
}

/// Checks that each bookmark resumes with exactly the remaining events and those that come later.
fn resume(store: &Store, events: &[Event], open: impl Fn(From) -> Watch) {
    let marks = bookmarks(events);
    assert_eq!(marks.len(), events.len());
    let mut resumed: Vec<Watch> = marks.into_iter().map(|mark| open(From::Revision(mark))).collect();
    for (at, watch) in resumed.iter_mut().enumerate() {
        assert_eq!(watch.batch(), events[at + 1..]);
    }
    say(store, &user(), "a", 99);
    resumed.iter_mut().for_each(|watch| assert_eq!(watch.batch().len(), 1));
}

pub(crate) fn bookmarks_of_one(store: &Store) {
    let mut watch = watch_one(store, "a", From::Now);
    create(store, "a");
    for value in 1..5 {
        create(store, &format!("n{value}"));
        say(store, &user(), "a", value);
    }
    let events = watch.batch();
    assert_eq!(events.len(), 5);
    resume(store, &events, |from| watch_one(store, "a", from));
}

pub(crate) fn bookmarks_of_a_kind(store: &Store) {
    let empty = bookmarks(&watch(store, From::State).batch()).remove(0);
    let mut live = watch(store, From::Now);
    for (value, id) in ["b", "a", "c"].into_iter().enumerate() {
        create(store, id);
        say(store, &user(), id, value as i64 + 1);
    }
    let events = live.batch();
    assert_eq!((events.len(), watch(store, From::Revision(empty)).batch()), (6, events.clone()));
    resume(store, &events, |from| watch(store, from));
    let after = bookmarks(&watch(store, From::State).batch()).remove(0);
    assert!(watch(store, From::Revision(after)).batch().is_empty());
}

pub(crate) fn torn_down(store: &Store) {
    let keys = [node("none"), node("a"), node("b")];
    assert_eq!(now(store.wait_for_teardown(&keys[0])), Ok(()));
    create(store, "a");
    create(store, "b");
    let [mut a, mut b] =
        [Box::pin(store.wait_for_teardown(&keys[1])), Box::pin(store.wait_for_teardown(&keys[2]))];
    assert!(poll(&mut a).is_pending() && poll(&mut b).is_pending());
    store.teardown(&user(), &keys[1]).unwrap();
    assert_eq!((poll(&mut a), poll(&mut b)), (Poll::Ready(Ok(())), Poll::Pending));
    go(store, "b");
    assert_eq!(poll(&mut b), Poll::Ready(Ok(())));
}

pub(crate) fn teardown_and_destroy(store: &Store) {
    let (actor, key) = (user(), node("a"));
    let missing = now(store.teardown_and_destroy(&actor, &key));
    assert_eq!(missing, Err(StoreError::NotFound { key: key.clone() }));
    create(store, "a");
    assert_eq!(now(store.teardown_and_destroy(&actor, &key)), Ok(()));
    store.create(&user(), draft("a").finalizer("f").finalizer("g")).unwrap();
    let mut going = Box::pin(store.teardown_and_destroy(&actor, &key));
    assert_eq!(poll(&mut going), Poll::Pending);
    store.remove_finalizers(&key, ["f"]).unwrap();
    assert_eq!(poll(&mut going), Poll::Pending);
    store.remove_finalizers(&key, ["g"]).unwrap();
    assert_eq!(poll(&mut going), Poll::Ready(Ok(())));
    assert!(store.get(&key).is_err());
}
