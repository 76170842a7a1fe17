//! The same store from several threads; not for wasm, which has none.

use std::{sync::Arc, thread};

use futures::executor::block_on;
use planloom_store::{Event, From, Options, Query, Resource, StoreError};

use crate::support::*;

#[test]
fn every_increment_counts_and_every_watch_sees_each_once() {
    let store = fixture(Options { log_entries: 100_000, ..Options::default() }, None).store;
    create(&store, "x");
    let mut watch = watch_one(&store, "x", From::Now);
    let write = || {
        for _ in 0..200 {
            let one_more = |resource: &mut Resource| {
                let value: serde_json::Value = resource.read()?;
                resource.spec = spec(value["value"].as_i64().unwrap_or_default() + 1);
                Ok::<_, StoreError>(())
            };
            while store.modify(&user(), &node("x"), one_more).is_err() {}
        }
    };
    thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(write))));
    let stored = store.get(&node("x")).unwrap();
    assert_eq!((&stored.spec, stored.metadata.version), (&spec(800), 801));
    let versions: Vec<u64> =
        watch.batch().iter().filter_map(Event::resource).map(|it| it.metadata.version).collect();
    assert_eq!(versions, (2..=801).collect::<Vec<_>>());
}

#[test]
fn a_mirror_kept_by_another_thread_ends_up_equal() {
    let store = with_log(16);
    let mut watch = watch(&store, From::State);
    let reader = thread::spawn(move || {
        let mut mirror = std::collections::BTreeMap::new();
        loop {
            let events = block_on(std::future::poll_fn(|cx| watch.poll_batch(cx)));
            if events.is_empty() {
                return mirror;
            }
            events.into_iter().for_each(|event| apply(&mut mirror, event));
        }
    });
    for at in 0..2_000_i64 {
        let id = format!("n{}", at % 37);
        match at % 5 {
            4 => drop(store.destroy(&user(), &node(&id))),
            _ => drop(store.upsert(&user(), draft(&id), |resource| {
                resource.spec = spec(at);
                Ok::<_, StoreError>(())
            })),
        }
    }
    let listed: Vec<_> = store.list(&nodes(), &Query::all()).iter().cloned().collect();
    drop(store);
    assert_eq!(reader.join().unwrap().into_values().collect::<Vec<_>>(), listed);
}

fn apply(mirror: &mut std::collections::BTreeMap<Arc<str>, Arc<Resource>>, event: Event) {
    match event {
        Event::Init => mirror.clear(),
        Event::InitApply(new) | Event::Created { new, .. } | Event::Updated { new, .. } => {
            mirror.insert(new.id().clone(), new);
        }
        Event::Destroyed { last, .. } => drop(mirror.remove(last.id())),
        _ => {}
    }
}
