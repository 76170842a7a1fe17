//! Creating, reading, listing, updating 100,000 resources.

use std::{hint::black_box, sync::Arc};

use store::{
    Actor, Draft, From, Kind, Query, Resource, Scope, Spec, Store, StoreError, testing::ManualClock,
};

use crate::{Host, Row};

pub const MANY: usize = 100_000;

pub fn rows(host: &Host) -> Vec<Row> {
    let before = (host.bytes)();
    let drafts: Vec<Draft> = order().map(draft).collect();
    let store = Store::in_memory(Arc::new(ManualClock::default()));
    let (_, create) = host.once("create, of 100,000", MANY, || {
        drafts.into_iter().for_each(|draft| drop(store.create(&Actor::user(), draft).expect("it is new")));
    });
    let bytes = ((host.bytes)() - before) / MANY as f64;
    let memory = Row {
        what: "memory, of 100,000 with a label and 40 bytes of spec",
        each: bytes,
        unit: "B",
        count: MANY,
    };
    let mut rows = vec![create, memory];
    let keys: Vec<_> = order().take(10_000).map(|at| kind().key(id(at))).collect();
    rows.push(host.best("get", keys.len(), || {
        keys.iter().for_each(|key| drop(black_box(store.get(key).expect("it is there"))));
    }));
    rows.push(host.best("list 100,000", 1, || store.list(&kind(), &Query::all())));
    rows.push(
        host.best("list 100,000 and look at each", 1, || store.list(&kind(), &Query::all()).iter().count()),
    );
    let query = Query::label("group", "7");
    assert_eq!(store.list(&kind(), &query).len(), 100);
    rows.push(host.best("list 100 of 100,000 by label", 1, || store.list(&kind(), &query)));
    rows.push(host.best("watch: the state of 100,000", 1, || {
        let watch = store.watch(Scope::Kind(kind(), Query::all()), From::State);
        let reported = watch.expect("it is open").batch().len();
        assert_eq!(reported, MANY + 2);
    }));
    let times = 10_000;
    rows.push(
        host.once("update, of 100,000", times, || (0..times).for_each(|at| say(&store, at * 7 % MANY, at))).1,
    );
    rows
}

pub fn kind() -> Kind {
    Kind::new("app", "Nodes")
}

pub fn id(at: usize) -> String {
    format!("node-{at:06}")
}

/// In no order: a step that shares no factor with the number.
fn order() -> impl Iterator<Item = usize> {
    (1..=MANY as u64).map(|at| (at * 61_803 % MANY as u64) as usize)
}

pub fn draft(at: usize) -> Draft {
    let spec = Spec::of(&(at, "a text of some length, as specs have")).expect("it has a JSON form");
    Draft::new(kind().key(id(at)), spec).label("group", (at % (MANY / 100)).to_string())
}

pub fn say(store: &Store, at: usize, value: usize) {
    let change = |resource: &mut Resource| {
        resource.spec = Spec::of(&(value, "another text"))?;
        Ok::<_, StoreError>(())
    };
    store.modify(&Actor::user(), &kind().key(id(at)), change).map(drop).expect("it is there");
}
