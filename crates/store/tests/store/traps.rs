//! Traps of other implementations of this state model; the rest are cases, named here.
//!
//! Stale writers after a re-create: case 9. Owner, phase, finalizers through an update: cases 11 and 14. Finalizers
//! added after tearing down was ready: case 15. Tearing down twice: cases 18 and 19. Overflow in numbers: case 29.
//! Bookmarks of other kinds: case 34. The race of modify with a create: case 22.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::{
    pin::Pin,
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    task::{Context, Poll},
};

use planloom_store::{
    BackingStore, Change, Closing, Counters, Expectation, From, MemoryBacking, Options, Resource, Scope,
    Store, StoreError, Transaction, UpdateOptions,
};

use crate::support::*;

#[test]
fn waiting_for_finalizers_of_what_is_destroyed_ends() {
    let store = store();
    store.create(&user(), draft("x").finalizer("f")).unwrap();
    let key = node("x");
    let drained = |found: Option<&Resource>| found.is_some_and(|it| it.metadata.finalizers.is_empty());
    let mut waiting = Box::pin(store.wait_for(&key, drained));
    assert_eq!(poll(&mut waiting), Poll::Pending);
    let gone = Transaction::new().remove_finalizers(key.clone(), ["f"]).destroy(key.clone());
    store.commit(&user(), gone).unwrap();
    assert_eq!(poll(&mut waiting), Poll::Ready(Err(StoreError::NotFound { key: key.clone() })));
    assert_eq!(store.stats().watchers(), 0);
    let mut waiting = Box::pin(store.wait_for(&key, drained));
    assert_eq!((poll(&mut waiting), store.stats().watchers()), (Poll::Pending, 1));
    drop(waiting);
    assert_eq!(store.stats().watchers(), 0);
}

#[test]
fn waiting_ends_with_the_store() {
    let store = store();
    let key = node("x");
    let mut waiting = Box::pin(store.wait_for(&key, |found| found.is_some()));
    assert_eq!(poll(&mut waiting), Poll::Pending);
    store.close();
    assert_eq!(poll(&mut waiting), Poll::Ready(Err(StoreError::Cancelled)));
}

#[test]
fn the_end_of_a_store_can_be_waited_for_without_a_watch() {
    let store = store();
    let (alarm, gone) = (Arc::<Alarm>::default(), Arc::<Alarm>::default());
    let wait = |closing: &mut Closing, alarm: &Arc<Alarm>| {
        Pin::new(closing).poll(&mut Context::from_waker(&alarm.clone().into()))
    };
    let (mut closing, mut dropped) = (store.closing(), store.closing());
    assert_eq!((wait(&mut closing, &alarm), wait(&mut dropped, &gone)), (Poll::Pending, Poll::Pending));
    drop(dropped);
    assert_eq!(Arc::strong_count(&gone), 1);
    create(&store, "x");
    assert_eq!((alarm.count(), store.stats().watchers(), store.is_closed()), (0, 0, false));
    store.close();
    assert_eq!((alarm.count(), gone.count(), store.is_closed()), (1, 0, true));
    assert_eq!(wait(&mut closing, &alarm), Poll::Ready(()));
    assert_eq!(wait(&mut store.closing(), &alarm), Poll::Ready(()));
}

#[test]
fn waiting_survives_falling_behind() {
    let store = with_log(1);
    let key = node("x");
    let mut waiting = Box::pin(store.wait_for(&key, |found| found.is_some_and(|it| it.spec == spec(3))));
    assert_eq!(poll(&mut waiting), Poll::Pending);
    create(&store, "x");
    (1..=3).for_each(|value| drop(say(&store, &user(), "x", value)));
    assert!(matches!(poll(&mut waiting), Poll::Ready(Ok(Some(_)))));
}

#[test]
fn an_update_cannot_add_or_remove_finalizers() {
    let store = store();
    let mut copy = (*store.create(&user(), draft("x").finalizer("theirs")).unwrap()).clone();
    copy.metadata.finalizers.clear();
    copy.metadata.finalizers.insert("mine".into());
    let same = store.update(&user(), copy.clone(), UpdateOptions::default()).unwrap();
    assert_eq!(same.metadata.version, 1, "nothing that an update may change is different");
    copy.spec = spec(1);
    let updated = store.update(&user(), copy, UpdateOptions::default()).unwrap();
    assert_eq!(updated.metadata.finalizers.iter().map(|name| &**name).collect::<Vec<_>>(), ["theirs"]);
}

#[test]
fn modify_follows_a_recreated_resource() {
    let store = store();
    create(&store, "x");
    let mut runs = 0;
    let change = |resource: &mut Resource| {
        runs += 1;
        if runs == 1 {
            store.destroy(&user(), &node("x"))?;
            create(&store, "x");
        }
        resource.spec = spec(5);
        // Only spec, labels and annotations are used.
        resource.metadata.version = 77;
        resource.metadata.key = node("other");
        Ok::<_, StoreError>(())
    };
    let left = store.modify(&user(), &node("x"), change).unwrap();
    assert_eq!((runs, left.metadata.uid.get(), left.metadata.version, &left.spec), (2, 2, 2, &spec(5)));
}

#[test]
fn a_callback_that_conflicts_with_itself_ends() {
    let store = store();
    create(&store, "x");
    let mut value = 0;
    let change = |resource: &mut Resource| {
        value += 1;
        say(&store, &user(), "x", value);
        resource.spec = spec(-1);
        Ok::<_, StoreError>(())
    };
    assert_eq!(store.modify(&user(), &node("x"), change).unwrap_err().code(), "store/version-conflict");
}

#[test]
fn an_earlier_name_of_an_owner_is_as_good() {
    let store = store();
    store.create(&planloom_store::Actor::named("old"), draft("x")).unwrap();
    assert_eq!(store.teardown(&planner(), &node("x")).unwrap_err().code(), "store/owner-conflict");
    assert_eq!(store.teardown(&planner().with_alias("old"), &node("x")), Ok(true));
    create(&store, "y");
    assert_eq!(
        store.teardown(&planner().with_alias("old"), &node("y")).unwrap_err().code(),
        "store/owner-conflict"
    );
}

/// Fails on request, and can be observed at work.
struct Scripted {
    inner: MemoryBacking,
    fail: Arc<Mutex<Option<String>>>,
    seen: Arc<Mutex<Vec<(usize, Counters)>>>,
    reader: Arc<Mutex<Option<Store>>>,
}

impl BackingStore for Scripted {
    fn load(&mut self, each: &mut dyn FnMut(Resource)) -> Result<Counters, String> {
        match self.fail.lock().unwrap().clone() {
            Some(why) => Err(why),
            None => self.inner.load(each),
        }
    }

    fn commit(&mut self, changes: &[Change], counters: Counters) -> Result<(), String> {
        // Readers are not blocked: this would never return if a lock that they need were held.
        if let Some(store) = &*self.reader.lock().unwrap() {
            let mut watch = watch(store, From::State);
            assert_eq!(watch.batch().len(), store.list(&nodes(), &Default::default()).len() + 2);
        }
        self.seen.lock().unwrap().push((changes.len(), counters));
        match self.fail.lock().unwrap().clone() {
            Some(why) => Err(why),
            None => self.inner.commit(changes, counters),
        }
    }
}

#[test]
fn a_backing_store_that_fails_changes_nothing_and_one_that_works_blocks_no_reader() {
    let (inner, fail, seen, reader) = <(MemoryBacking, Arc<_>, Arc<Mutex<Vec<_>>>, Arc<_>)>::default();
    let scripted = Scripted {
        inner: inner.clone(),
        fail: Arc::clone(&fail),
        seen: seen.clone(),
        reader: Arc::clone(&reader),
    };
    let store = fixture(Options::default(), Some(Box::new(scripted))).store;
    *reader.lock().unwrap() = Some(store.clone());
    let kept = create(&store, "x");
    let mut watch = watch(&store, From::Now);
    *fail.lock().unwrap() = Some("the disk is full".to_owned());
    let both = Transaction::new().create(draft("y")).destroy(node("x"));
    let error = store.commit(&user(), both.clone()).unwrap_err();
    assert_eq!(error, StoreError::Backing { why: "the disk is full".to_owned() });
    assert!(watch.batch().is_empty());
    assert_eq!(
        (store.revision().get(), inner.resources(), ids(&store, &Default::default())),
        (1, vec![kept], vec!["x".to_owned()])
    );
    *fail.lock().unwrap() = None;
    store.commit(&user(), both).unwrap();
    assert_eq!(received(&mut watch), ["created y@1", "destroyed x@1"]);
    let changes: Vec<usize> = seen.lock().unwrap().iter().map(|(changes, _)| *changes).collect();
    assert_eq!(changes, [1, 2, 2], "one call for each transaction");
    store.add_finalizers(&node("y"), [""; 0]).unwrap();
    assert_eq!(seen.lock().unwrap().len(), 3, "none for one that does nothing");
    *reader.lock().unwrap() = None;
}

#[test]
fn a_store_that_cannot_load_is_not_opened() {
    struct Broken;
    impl BackingStore for Broken {
        fn load(&mut self, _: &mut dyn FnMut(Resource)) -> Result<Counters, String> {
            Err("no such disk".to_owned())
        }
        fn commit(&mut self, _: &[Change], _: Counters) -> Result<(), String> {
            Ok(())
        }
    }
    let clock = Arc::new(planloom_store::testing::ManualClock::default());
    let error = Store::new(Options::default(), clock, Some(Box::new(Broken))).unwrap_err();
    assert_eq!(error, StoreError::Backing { why: "no such disk".to_owned() });
}

#[test]
fn a_restart_keeps_everything_and_gives_no_uid_twice() {
    let backing = MemoryBacking::default();
    let open = || fixture(Options::default(), Some(Box::new(backing.clone()))).store;
    let before = open();
    store_some(&before);
    let listed: Vec<_> = before.list(&nodes(), &Default::default()).iter().cloned().collect();
    let mark = bookmarks(&watch(&before, From::State).batch()).remove(0);
    let revision = before.revision();
    drop(before);
    let after = open();
    assert_eq!(after.list(&nodes(), &Default::default()).iter().cloned().collect::<Vec<_>>(), listed);
    assert_eq!(after.revision(), revision);
    assert_eq!(ids(&after, &planloom_store::Query::label("app", "a")), ["a"]);
    assert!(after.watch(Scope::One(node("a")), From::Revision(mark)).is_err());
    let new = create(&after, "gone");
    assert_eq!((new.metadata.uid.get(), new.metadata.revision.get()), (5, revision.get() + 1));
    let stale = Transaction::new().expect(node("gone"), Expectation::Uid(listed[0].metadata.uid));
    assert_eq!(after.commit(&user(), stale).unwrap_err().code(), "store/uid-conflict");
}

/// Two that stay, one of them replaced, and one that is destroyed, which was created last.
fn store_some(store: &Store) {
    store.create(&user(), draft("a").label("app", "a")).unwrap();
    store.create(&planner(), draft("b").finalizer("f")).unwrap();
    store.teardown(&planner(), &node("b")).unwrap();
    let replaced = Transaction::new().destroy(node("a")).create(draft("a").label("app", "b"));
    store.commit(&user(), replaced).unwrap();
    create(store, "gone");
    store.destroy(&user(), &node("gone")).unwrap();
    store
        .modify(&user(), &node("a"), |resource| {
            resource.metadata.labels.insert("app".into(), "a".into());
            Ok::<_, StoreError>(())
        })
        .unwrap();
}

#[test]
fn a_waker_may_own_another_watch() {
    // The waker's last owner is the store; it holds a watch, whose end needs the store's lock.
    struct Owner(
        #[expect(dead_code, reason = "it is dropped with its owner")] Mutex<planloom_store::Watch>,
        Sender<()>,
    );
    impl std::task::Wake for Owner {
        fn wake(self: Arc<Self>) {}
    }
    impl Drop for Owner {
        fn drop(&mut self) {
            self.1.send(()).unwrap();
        }
    }
    let store = store();
    let (done, dropped): (Sender<()>, Receiver<()>) = channel();
    let mut watched = watch(&store, From::Now);
    let owner = Owner(Mutex::new(watch(&store, From::Now)), done);
    let waker = std::task::Waker::from(Arc::new(owner));
    assert_eq!(watched.poll_batch(&mut std::task::Context::from_waker(&waker)), Poll::Pending);
    drop(waker);
    assert_eq!(
        watched.poll_batch(&mut std::task::Context::from_waker(std::task::Waker::noop())),
        Poll::Pending
    );
    dropped.try_recv().unwrap();
    assert_eq!(store.stats().watchers(), 1);
}
