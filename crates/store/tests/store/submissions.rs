//! Transactions that are submitted while others are written: each is as if committed after those before it, a
//! failed write fails what depends on it and nothing else, and readers see what is kept.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex},
    task::Poll,
    thread,
};

use futures::executor::block_on;
use planloom_store::{
    BackingStore, Change, ChangeCheck, Commit, Committed, Counters, Draft, From, Key, MemoryBacking, Millis,
    Options, Query, Resource, Scope, Store, StoreError, Submission, Transaction, Watch, Writer,
    testing::ManualClock,
};
use proptest::prelude::*;

use crate::{
    laws::{actor, key, kinds, labels, transaction},
    model::{Action, Move, moves},
    support::*,
};

/// A backing store that keeps at most so many transactions in each of its next writes, or fails them.
#[derive(Clone, Default)]
struct Planned {
    inner: MemoryBacking,
    plan: Arc<Mutex<VecDeque<Result<usize, String>>>>,
}

impl Planned {
    fn check(changes: &[Change]) -> Result<(), String> {
        if changes.len() > 3 { Err("too large".to_owned()) } else { Ok(()) }
    }

    /// Another one with the same content.
    fn copy(&self) -> Self {
        let (mut copy, mut changes) = (Self::default(), Vec::new());
        let counters = self.inner.clone().load(&mut |it| changes.push(Change::Put(Arc::new(it)))).unwrap();
        copy.inner.commit(&changes, counters).unwrap();
        copy
    }
}

impl BackingStore for Planned {
    fn load(&mut self, each: &mut dyn FnMut(Resource)) -> Result<Counters, String> {
        self.inner.load(each)
    }

    fn commit(&mut self, changes: &[Change], counters: Counters) -> Result<(), String> {
        Self::check(changes)?;
        self.inner.commit(changes, counters)
    }

    fn commit_many(&mut self, commits: &[Commit]) -> Result<usize, String> {
        let most = self.plan.lock().unwrap().pop_front().unwrap_or(Ok(usize::MAX))?;
        let kept = commits.len().min(most.max(1));
        for Commit { changes, counters } in &commits[..kept] {
            self.inner.commit(changes, *counters)?;
        }
        Ok(kept)
    }

    fn check(&self) -> Option<ChangeCheck> {
        Some(Arc::new(Self::check))
    }
}

type Outcome = Result<Committed, StoreError>;

/// A store and what it should be like.
struct Run {
    planned: Planned,
    clock: Arc<ManualClock>,
    store: Store,
    writer: Writer,
    watches: Vec<Watch>,
    /// A store that commits the same at once, until a write fails.
    ahead: Store,
    /// A store that commits only what is kept, at the time at which it was submitted.
    behind: Store,
    kept: Planned,
    time: Arc<ManualClock>,
    seen: Vec<Watch>,
    pending: VecDeque<Expected>,
}

struct Expected {
    submission: Submission,
    outcome: Outcome,
    now: Millis,
    who: Option<usize>,
    transaction: Transaction,
    is_effective: bool,
}

fn store_of(backing: &Planned, clock: &Arc<ManualClock>) -> Store {
    Store::new(Options::default(), clock.clone(), Some(Box::new(backing.clone()))).unwrap()
}

fn content(store: &Store) -> BTreeMap<Key, Arc<Resource>> {
    let lists = kinds().map(|kind| store.list(&kind, &Query::all()));
    lists.iter().flatten().map(|it| (it.key().clone(), it.clone())).collect()
}

fn watches(store: &Store) -> Vec<Watch> {
    kinds().map(|kind| store.watch(Scope::Kind(kind, Query::all()), From::State).unwrap()).into()
}

impl Run {
    fn new() -> Self {
        let (planned, kept) = (Planned::default(), Planned::default());
        let (clock, time) = (Arc::new(ManualClock::at(T0)), Arc::new(ManualClock::at(T0)));
        let (store, writer) =
            Store::with_writer(Options::default(), clock.clone(), Box::new(planned.clone())).unwrap();
        let (ahead, behind) = (store_of(&Planned::default(), &clock), store_of(&kept, &time));
        let (watches, seen, pending) = (watches(&store), watches(&behind), VecDeque::new());
        Self { planned, clock, store, writer, watches, ahead, behind, kept, time, seen, pending }
    }

    fn submit(&mut self, (who, later, actions): Move) {
        self.clock.advance(later);
        let copies = actions.iter().filter_map(|it| self.copy(it)).collect();
        let transaction = transaction(&actions, copies);
        let submission = self.store.submit(&actor(who), |writing| {
            assert_eq!(writing.revision(), self.ahead.revision());
            let queries = [Query::all(), Query::label("l", "1"), Query::owner("0")];
            for (kind, query) in kinds().iter().flat_map(|kind| queries.iter().map(move |it| (kind, it))) {
                let (here, there) = (writing.list(kind, query), self.ahead.list(kind, query));
                assert!(here.iter().eq(there.iter()), "{here:?} is not {there:?}");
                assert_eq!(here.revision(), there.revision());
            }
            for of in 0..crate::model::RESOURCES {
                assert_eq!(writing.get(&key(of)), self.ahead.get(&key(of)).ok());
            }
            Ok(transaction.clone())
        });
        let before = self.ahead.revision();
        let outcome = self.ahead.commit(&actor(who), transaction.clone()).map_err(|error| match error {
            // A writer checks it before it is written.
            StoreError::Backing { why } => StoreError::Invalid { what: "transaction".to_owned(), why },
            other => other,
        });
        let is_effective = self.ahead.revision() != before;
        let now = self.store.now();
        self.pending.push_back(Expected { submission, outcome, now, who, transaction, is_effective });
        self.settle(0);
    }

    /// Copies as submitted before or as kept, or one that was never stored.
    fn copy(&self, action: &Action) -> Option<Resource> {
        let Action::Update { of, ago, label, spec: value, .. } = action else { return None };
        let never = || Resource::from(Draft::new(key(*of), spec(0)));
        let read = match ago {
            None => None,
            Some(0) => self.ahead.get(&key(*of)).ok(),
            Some(_) => self.store.get(&key(*of)).ok(),
        };
        let mut copy = read.map_or_else(never, |read| (*read).clone());
        (copy.spec, copy.metadata.labels) = (spec(*value), labels(*label));
        Some(copy)
    }

    fn write(&mut self, most: Result<usize, String>) {
        *self.planned.plan.lock().unwrap() = [most.clone()].into();
        let effective = self.pending.iter().filter(|it| it.is_effective).count();
        assert_eq!(self.writer.write(), effective > 0, "it writes if there is anything to write");
        match most {
            _ if effective == 0 => self.settle(0),
            Ok(most) => self.settle(most.max(1)),
            Err(why) => {
                for mut expected in self.pending.drain(..) {
                    let error = StoreError::Backing { why: why.clone() };
                    assert_eq!(poll(&mut expected.submission), Poll::Ready(Err(error)));
                }
                self.ahead = store_of(&self.kept.copy(), &self.clock);
                self.settle(0);
            }
        }
    }

    /// Checks which results are ready, and what readers see, when so many more transactions are kept.
    fn settle(&mut self, mut kept: usize) {
        while let Some(mut first) = self.pending.pop_front_if(|it| !it.is_effective || kept > 0) {
            kept -= usize::from(first.is_effective);
            assert_eq!(poll(&mut first.submission), Poll::Ready(first.outcome));
            self.time.set(first.now);
            let committed = self.behind.commit(&actor(first.who), first.transaction);
            assert!(committed.is_ok() || !first.is_effective);
        }
        for expected in &mut self.pending {
            assert_eq!(poll(&mut expected.submission), Poll::Pending);
        }
        assert_eq!(content(&self.store), content(&self.behind));
        assert_eq!(self.store.revision(), self.behind.revision());
        assert!(self.planned.inner.resources().iter().eq(content(&self.store).values()));
        for (watch, seen) in self.watches.iter_mut().zip(&mut self.seen) {
            assert_eq!(received(watch), received(seen));
        }
    }
}

/// A step: a transaction, a write of so many, or one that fails.
#[derive(Clone, Debug)]
enum Step {
    Submit(Move),
    Write(usize),
    Fail,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let one = moves().prop_map(|moves| moves.into_iter().map(Step::Submit).take(4).collect::<Vec<_>>());
    let write = prop_oneof![
        3 => (0..4_usize).prop_map(Step::Write),
        2 => Just(Step::Write(usize::MAX)),
        2 => Just(Step::Fail),
    ];
    let some = (one, write).prop_map(|(mut moves, write)| {
        moves.push(write);
        moves
    });
    prop::collection::vec(some, 0..10).prop_map(|all| all.concat())
}

proptest! {
    #[test]
    fn submitting_is_committing_one_after_the_other(steps in steps()) {
        let mut run = Run::new();
        for step in steps {
            match step {
                Step::Submit(it) => run.submit(it),
                Step::Write(most) => run.write(Ok(most)),
                Step::Fail => run.write(Err("the disk is full".to_owned())),
            }
        }
        run.store.close();
        while run.pending.iter().any(|it| it.is_effective) {
            run.write(Ok(2));
        }
        run.settle(0);
        let restarted = store_of(&run.planned, &run.clock);
        assert_eq!((content(&restarted), restarted.revision()), (content(&run.store), run.store.revision()));
    }
}

/// Every sequence of six steps over one resource: created, incremented and destroyed by what is submitted.
#[test]
fn all_short_sequences_of_submissions_and_writes_are_sequential() {
    let update = Action::Update { of: 0, ago: Some(0), any_phase: false, touch: false, label: 1, spec: 1 };
    let create = Action::Create { of: 0, owner: None, finalizer: None, label: 0, spec: 0 };
    let submit = |action: &Action| Step::Submit((None, 1, vec![action.clone()]));
    let all = [
        submit(&create),
        submit(&update),
        submit(&Action::Destroy { of: 0 }),
        Step::Write(1),
        Step::Write(usize::MAX),
        Step::Fail,
    ];
    for number in 0..6_usize.pow(6) {
        let mut run = Run::new();
        for place in 0..6 {
            match all[number / 6_usize.pow(place) % 6].clone() {
                Step::Submit(it) => run.submit(it),
                Step::Write(most) => run.write(Ok(most)),
                Step::Fail => run.write(Err("the disk is full".to_owned())),
            }
        }
    }
}

fn with_writer(backing: impl BackingStore + 'static) -> (Store, Writer) {
    Store::with_writer(Options::default(), Arc::new(ManualClock::at(T0)), Box::new(backing)).unwrap()
}

#[test]
fn threads_that_commit_and_submit_lose_nothing() {
    let planned = Planned::default();
    planned.plan.lock().unwrap().extend((0..1000).map(|at| match at % 5 {
        0 => Err("interrupted".to_owned()),
        at => Ok(at),
    }));
    let (store, writer) = with_writer(planned.clone());
    let writer = thread::spawn(|| writer.run());
    while store.create(&user(), draft("x")).is_err() {}
    let increment = |store: &Store| {
        store.submit(&user(), |writing| {
            let mut resource = (*writing.get(&node("x")).unwrap()).clone();
            let value = resource.spec.value()["value"].as_i64().unwrap_or_default();
            resource.spec = spec(value + 1);
            Ok::<_, StoreError>(Transaction::new().update(resource))
        })
    };
    thread::scope(|scope| {
        for at in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for _ in 0..100 {
                    let kept = loop {
                        let submission = increment(store);
                        match if at % 2 == 0 { block_on(submission) } else { submission.wait() } {
                            Ok(committed) => break committed,
                            Err(error) => assert_eq!(error.code(), "store/backing"),
                        }
                    };
                    // Read your writes.
                    assert!(store.revision() >= kept.revision);
                    let read = store.get(&node("x")).unwrap();
                    assert!(read.metadata.revision >= kept.revision);
                }
            });
        }
    });
    let stored = store.get(&node("x")).unwrap();
    assert_eq!((&stored.spec, stored.metadata.version), (&spec(400), 401));
    drop(store);
    writer.join().unwrap();
    assert_eq!(planned.inner.resources(), [stored]);
}

#[test]
fn what_was_submitted_before_the_end_is_written() {
    let planned = Planned::default();
    let (store, writer) = with_writer(planned.clone());
    let mut first = store.submit::<StoreError>(&user(), |_| Ok(Transaction::new().create(draft("x"))));
    assert_eq!(poll(&mut first), Poll::Pending);
    let closing = store.clone();
    closing.close();
    let mut late = store.submit::<StoreError>(&user(), |_| Ok(Transaction::new().create(draft("y"))));
    assert_eq!(poll(&mut late), Poll::Pending, "it is not said before what it depends on is known");
    writer.run();
    assert!(now(first).is_ok());
    assert_eq!(now(late).unwrap_err(), StoreError::Cancelled);
    assert_eq!(planned.inner.resources().len(), 1);
    assert_eq!(
        store.commit(&user(), Transaction::new().create(draft("z"))).unwrap_err(),
        StoreError::Cancelled
    );
}

#[test]
fn a_writer_that_ends_early_leaves_no_one_waiting() {
    struct Panicking;
    impl BackingStore for Panicking {
        fn load(&mut self, _: &mut dyn FnMut(Resource)) -> Result<Counters, String> {
            Ok(Counters::default())
        }
        fn commit(&mut self, _: &[Change], _: Counters) -> Result<(), String> {
            panic!("a defect of a backing store")
        }
    }
    let (store, writer) = with_writer(Panicking);
    let submission = store.submit::<StoreError>(&user(), |_| Ok(Transaction::new().create(draft("x"))));
    let alarm = Arc::new(Alarm::default());
    let mut submission = Box::pin(submission);
    let waker = std::task::Waker::from(alarm.clone());
    let polled = submission.as_mut().poll(&mut std::task::Context::from_waker(&waker));
    assert_eq!(polled, Poll::Pending);
    assert!(thread::spawn(|| writer.run()).join().is_err());
    assert_eq!((alarm.count(), now(submission)), (1, Err(StoreError::Cancelled)));
    assert!(store.is_closed());
    assert!(store.list(&nodes(), &Query::all()).is_empty());
}

#[test]
fn without_a_writer_the_call_itself_writes() {
    let backing = MemoryBacking::default();
    let store = fixture(Options::default(), Some(Box::new(backing.clone()))).store;
    let submission = store.submit::<StoreError>(&user(), |_| Ok(Transaction::new().create(draft("x"))));
    assert_eq!(backing.resources().len(), 1);
    assert_eq!(now(submission).unwrap().revision.get(), 1);
}
