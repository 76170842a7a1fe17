//! One change, and who watches it.

use std::{
    sync::Arc,
    task::{Context, Waker},
};

use store::{Actor, From, Query, Scope, Store, Watch, testing::ManualClock};

use crate::{
    Host, Row,
    resources::{draft, id, kind, say},
};

const TIMES: usize = 1_000;

pub fn rows(host: &Host) -> Vec<Row> {
    let one = |at: usize| Scope::One(kind().key(id(at)));
    let whole = |_: usize| Scope::Kind(kind(), Query::all());
    vec![
        update(host, "update, with nobody watching", 0, whole),
        update(host, "update, with 100 watches of the same resource", 100, |_| one(5)),
        update(host, "update, with 1,000 watches of other resources", 1_000, |at| one(10 + at)),
        update(host, "update, with 1,000 watches of its kind", 1_000, whole),
        report(host, "update, told to 1,000 watches of its kind", 1_000, whole),
    ]
}

fn store() -> Store {
    let store = Store::in_memory(Arc::new(ManualClock::default()));
    (0..2_000).for_each(|at| drop(store.create(&Actor::user(), draft(at)).expect("it is new")));
    store
}

fn open(store: &Store, watches: usize, of: impl Fn(usize) -> Scope) -> Vec<Watch> {
    (0..watches).map(|at| store.watch(of(at), From::Now).expect("it is open")).collect()
}

/// The writer's part, with all watches waiting.
fn update(host: &Host, what: &'static str, watches: usize, of: impl Fn(usize) -> Scope) -> Row {
    let store = store();
    let mut open = open(&store, watches, of);
    let mut took = 0.0;
    for at in 0..TIMES {
        open.iter_mut().for_each(read);
        let start = (host.now)();
        say(&store, 5, at);
        took += (host.now)() - start;
    }
    host.row(what, TIMES, took)
}

/// The writer's part and the reading of all watches.
fn report(host: &Host, what: &'static str, watches: usize, of: impl Fn(usize) -> Scope) -> Row {
    let store = store();
    let mut open = open(&store, watches, of);
    open.iter_mut().for_each(read);
    let times = TIMES / 10;
    let (_, row) = host.once(what, times, || {
        for at in 0..times {
            say(&store, 5, at);
            open.iter_mut().for_each(read);
        }
    });
    row
}

/// All there is; then it waits.
fn read(watch: &mut Watch) {
    while watch.poll_batch(&mut Context::from_waker(Waker::noop())).is_ready() {}
}
