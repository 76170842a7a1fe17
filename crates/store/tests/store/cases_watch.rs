//! Events of watches.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::{
    sync::{Arc, Weak},
    task::Poll,
};

use planloom_store::{Bookmark, Event, From, Kind, Options, Phase, Query, Resource, Scope, Spec, StoreError};

use crate::support::*;

#[test]
fn case_30_what_is_not_there_is_not_running() {
    let store = store();
    assert_eq!(received(&mut watch_one(&store, "web", From::State)), ["init", "absent web", "done"]);
    let key = node("web");
    let running = |found: Option<&Resource>| found.is_some_and(|it| it.metadata.phase == Phase::Running);
    let mut waiting = Box::pin(store.wait_for(&key, running));
    assert_eq!(poll(&mut waiting), Poll::Pending);
    let created = create(&store, "web");
    assert_eq!(poll(&mut waiting), Poll::Ready(Ok(Some(created))));
}

#[test]
fn case_31_a_watch_of_a_kind_starts_now_or_with_the_state() {
    let store = store();
    for id in ["c", "a", "b"] {
        create(&store, id);
    }
    let (mut from_now, mut with_state) = (watch(&store, From::Now), watch(&store, From::State));
    assert!(from_now.batch().is_empty());
    let events = with_state.batch();
    assert_eq!(events.iter().filter(|event| event.bookmark().is_some()).count(), 1);
    assert!(matches!(events.last(), Some(Event::InitDone(_))));
    let named: Vec<_> =
        events.iter().filter_map(|event| event.resource()).map(|it| it.id().to_string()).collect();
    assert_eq!(named, ["a", "b", "c"]);
    say(&store, &user(), "b", 1);
    for watch in [&mut from_now, &mut with_state] {
        assert_eq!(received(watch), ["updated b@1 b@2"]);
    }
}

#[test]
fn a_watch_that_has_received_nothing_can_be_continued() {
    let store = store();
    create(&store, "before");
    let mut all = watch(&store, From::Now);
    let mut one = watch_one(&store, "web", From::Now);
    let (all_at, one_at) = (all.bookmark().unwrap(), one.bookmark().unwrap());
    create(&store, "web");
    create(&store, "other");
    assert_eq!(received(&mut watch(&store, From::Revision(all_at))), ["created web@1", "created other@1"]);
    assert_eq!(received(&mut watch_one(&store, "web", From::Revision(one_at))), ["created web@1"]);
    // What was sent is not sent again, one event at a time either.
    assert_eq!((received(&mut all).len(), received(&mut one).len()), (2, 1));
    let (all_at, one_at) = (all.bookmark().unwrap(), one.bookmark().unwrap());
    assert!(watch(&store, From::Revision(all_at)).batch().is_empty());
    assert!(watch_one(&store, "web", From::Revision(one_at)).batch().is_empty());
    let tail = watch(&store, From::Tail(1));
    assert_eq!(received(&mut watch(&store, From::Revision(tail.bookmark().unwrap()))), ["created other@1"]);
}

#[test]
fn a_watch_has_no_bookmark_while_it_sends_the_state() {
    let store = store();
    let mut watch = watch(&store, From::State);
    assert_eq!(watch.bookmark(), None);
    let events = watch.batch();
    assert_eq!(watch.bookmark(), events.last().and_then(Event::bookmark));
}

#[test]
fn case_32_beginning_and_ceasing_to_match_is_coming_and_going() {
    let store = store();
    create(&store, "x");
    let prod = Query::label("env", "prod");
    let mut watch = store.watch(Scope::Kind(nodes(), prod), From::State).unwrap();
    assert_eq!(received(&mut watch), ["init", "done"]);
    label(&store, "x", "env", "prod");
    assert_eq!(received(&mut watch), ["created x@2"]);
    say(&store, &user(), "x", 1);
    assert_eq!(received(&mut watch), ["updated x@2 x@3"]);
    label(&store, "x", "env", "dev");
    let events = watch.batch();
    let Some(Event::Destroyed { last, .. }) = events.first() else { panic!("{events:?}") };
    assert_eq!((events.len(), &*last.metadata.labels["env"]), (1, "dev"));
    store.destroy(&user(), &node("x")).unwrap();
    assert!(watch.batch().is_empty());
}

#[test]
fn case_33_a_bookmark_goes_on_strictly_after_it() {
    let store = store();
    create(&store, "x");
    let mut first = watch(&store, From::Tail(10));
    label(&store, "x", "env", "prod");
    (2..7).for_each(|value| drop(say(&store, &user(), "x", value)));
    let marks = bookmarks(&first.batch());
    assert_eq!(marks.len(), 7);
    let rest = ["updated x@3 x@4", "updated x@4 x@5", "updated x@5 x@6", "updated x@6 x@7"];
    let third = From::Revision(marks[2].clone());
    assert_eq!(received(&mut watch(&store, third.clone())), rest);
    assert_eq!(received(&mut watch_one(&store, "x", third.clone())), rest);
    let with = |query| store.watch(Scope::Kind(nodes(), query), third.clone()).unwrap();
    assert_eq!(received(&mut with(Query::label("env", "prod"))), rest);
    assert!(with(Query::label("env", "dev")).batch().is_empty());
    let mut last = watch(&store, From::Revision(marks[6].clone()));
    assert!(last.batch().is_empty());
    say(&store, &user(), "x", 9);
    assert_eq!(received(&mut last), ["updated x@7 x@8"]);
}

#[test]
fn case_34_bookmarks_of_anything_else_are_refused() {
    let store = with_log(4);
    create(&store, "x");
    let mark = bookmarks(&watch(&store, From::State).batch()).remove(0);
    let text = mark.to_string();
    assert_eq!(text.parse::<Bookmark>().as_ref(), Ok(&mark));
    let code = |store: &planloom_store::Store, kind: Kind, mark: Bookmark| {
        store
            .watch(Scope::Kind(kind, Query::all()), From::Revision(mark))
            .map(drop)
            .map_err(|error| error.code())
    };
    let refused = Err("store/invalid-bookmark");
    assert_eq!(code(&store, nodes(), mark.clone()), Ok(()));
    assert_eq!(code(&store, Kind::new("app", "Links"), mark.clone()), refused);
    assert_eq!(code(&crate::support::store(), nodes(), mark.clone()), refused);
    for length in 0..text.len() {
        let cut = text[..length].parse::<Bookmark>().map_err(|error| error.code());
        assert_eq!(cut.and_then(|mark| code(&store, nodes(), mark)), refused, "{}", &text[..length]);
    }
    let (head, tail) = text.split_once(".1.").unwrap();
    assert_eq!(code(&store, nodes(), format!("{head}.2.{tail}").parse().unwrap()), refused);
    (1..=5).for_each(|value| drop(say(&store, &user(), "x", value)));
    assert_eq!(code(&store, nodes(), mark), refused, "the log no longer reaches back");
}

#[test]
fn case_35_a_slow_watcher_is_resynchronised() {
    let store = with_log(8);
    create(&store, "a");
    let mut late = watch(&store, From::Now);
    (0..9).for_each(|at| drop(create(&store, &format!("b{at}"))));
    let events = late.batch();
    assert!(
        matches!(events[..2], [Event::Resync(_), Event::Init]) && matches!(events[12], Event::InitDone(_))
    );
    let state: Vec<_> = events.iter().filter_map(Event::resource).cloned().collect();
    assert_eq!(state, store.list(&nodes(), &Query::all()).iter().cloned().collect::<Vec<_>>());
    assert_eq!(store.stats().resyncs(), 1);
    create(&store, "c");
    assert_eq!(received(&mut late), ["created c@1"]);
    (0..8).for_each(|value| drop(say(&store, &user(), "c", value + 1)));
    assert_eq!((late.batch().len(), store.stats().resyncs()), (8, 1), "as many as the log keeps are no lag");
}

#[test]
fn case_36_a_tail_is_the_last_events_of_its_scope() {
    let store = store();
    create(&store, "x");
    (1..5).for_each(|value| {
        say(&store, &user(), "x", value);
        create(&store, &format!("noise{value}"));
    });
    let last = ["updated x@2 x@3", "updated x@3 x@4", "updated x@4 x@5"];
    let mut tail = watch_one(&store, "x", From::Tail(3));
    assert_eq!(received(&mut tail), last);
    assert_eq!(received(&mut watch_one(&store, "x", From::Tail(99))).len(), 5);
    assert_eq!(received(&mut watch(&store, From::Tail(2))), ["updated x@4 x@5", "created noise4@1"]);
    assert!(watch(&store, From::Tail(0)).batch().is_empty());
    say(&store, &user(), "x", 9);
    assert_eq!(received(&mut tail), ["updated x@5 x@6"]);
    // A tail cannot be combined with a bookmark or a state; a log of 0 entries can be configured.
    let none = Options { log_entries: 0, ..Options::default() };
    let error =
        planloom_store::Store::new(none, Arc::new(planloom_store::testing::ManualClock::at(T0)), None);
    assert_eq!(error.unwrap_err().code(), "store/invalid-options");
}

#[test]
fn case_37_a_watch_that_is_dropped_leaves_nothing() {
    let store = with_log(1);
    let held: Weak<Resource> = Arc::downgrade(&create(&store, "old"));
    let alarm = Arc::new(Alarm::default());
    let unread = watch(&store, From::State);
    let mut read =
        [watch(&store, From::Now), watch_one(&store, "old", From::Now), watch_one(&store, "no", From::Now)];
    read.iter_mut().for_each(|watch| alarm.wait(watch));
    let stats = store.stats().kinds[&nodes()];
    assert_eq!((stats.watchers, stats.waiting, Arc::strong_count(&alarm)), (4, 3, 4));
    store.destroy(&user(), &node("old")).unwrap();
    create(&store, "new");
    assert!(held.upgrade().is_some(), "the state that is not read yet has it");
    drop(unread);
    assert!(held.upgrade().is_none());
    drop(read);
    let stats = store.stats().kinds[&nodes()];
    assert_eq!((stats.watchers, stats.waiting, stats.log_entries), (0, 0, 1));
    assert_eq!(Arc::strong_count(&alarm), 1);
    drop(store.watch(Scope::Kind(Kind::new("never", "Seen"), Query::all()), From::State));
    assert_eq!(store.stats().kinds.len(), 1);
}

#[test]
fn case_38_one_update_wakes_one_of_a_thousand() {
    let store = store();
    let mut watches: Vec<_> = (0..1000)
        .map(|at| {
            let id = format!("n{at}");
            create(&store, &id);
            (watch_one(&store, &id, From::Now), Arc::new(Alarm::default()))
        })
        .collect();
    watches.iter_mut().for_each(|(watch, alarm)| alarm.wait(watch));
    say(&store, &user(), "n500", 1);
    let woken: Vec<_> = (0..1000).filter(|at| watches[*at].1.count() > 0).collect();
    assert_eq!((woken, watches[500].1.count()), (vec![500], 1));
    assert_eq!(received(&mut watches[500].0), ["updated n500@1 n500@2"]);
}

#[test]
fn a_quiet_kind_is_not_lagged_by_a_noisy_one() {
    let store = fixture(Options { log_bytes: 8_000, log_entries: 64, ..Options::default() }, None).store;
    let noise = Kind::new("app", "Noise");
    let mut quiet = watch(&store, From::Now);
    create(&store, "x");
    for at in 0..500 {
        let draft = planloom_store::Draft::new(noise.key(format!("n{at}")), Spec::parse("[1,2,3]").unwrap());
        store.create(&user(), draft).unwrap();
    }
    let stats = store.stats();
    assert!(stats.kinds.values().map(|kind| kind.log_bytes).sum::<usize>() <= 8_000, "{stats:?}");
    assert_eq!((received(&mut quiet), store.stats().resyncs()), (vec!["created x@1".to_owned()], 0));
}

#[test]
fn a_quiet_resource_is_not_lagged_by_its_kind() {
    let store = with_log(8);
    create(&store, "x");
    let (mut quiet, mut hit) = (watch_one(&store, "x", From::Now), watch_one(&store, "y", From::Now));
    create(&store, "y");
    (0..100).for_each(|at| drop(create(&store, &format!("n{at}"))));
    assert!(quiet.batch().is_empty());
    assert_eq!(received(&mut hit), ["resync", "init", "apply y@1", "done"]);
    say(&store, &user(), "x", 1);
    store.destroy(&user(), &node("y")).unwrap();
    assert_eq!(received(&mut quiet), ["updated x@1 x@2"]);
    assert_eq!(received(&mut hit), ["destroyed y@1"]);
}

#[test]
fn watches_end_with_the_store() {
    let store = store();
    let mut watch = watch(&store, From::Now);
    let alarm = Arc::new(Alarm::default());
    alarm.wait(&mut watch);
    create(&store, "x");
    drop(store);
    assert_eq!(alarm.count(), 1);
    assert_eq!(received(&mut watch), ["created x@1"]);
    let end = now(std::future::poll_fn(|cx| watch.poll_batch(cx)));
    assert_eq!(end, []);
}

#[test]
fn a_closed_store_is_read_but_not_watched() {
    let store = store();
    create(&store, "x");
    store.close();
    assert!(store.get(&node("x")).is_ok());
    let scope = Scope::Kind(nodes(), Query::all());
    assert_eq!(store.watch(scope, From::State).map(drop), Err(StoreError::Cancelled));
}
