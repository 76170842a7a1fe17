//! Enough resources that lists are made from an index, and enough events that they are read in parts.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use planloom_store::{Glob, Query, Resource, Snapshot, Store, StoreError};

use crate::support::*;

/// A hundred resources, of which each tenth has a label and another tenth an owner.
fn hundred() -> Store {
    let store = store();
    for at in 0..100 {
        let draft = draft(&format!("r{at:02}"));
        match at % 10 {
            3 => store.create(&user(), draft.label("tier", "web")),
            7 => store.create(&planner(), draft),
            _ => store.create(&user(), draft),
        }
        .unwrap();
    }
    store
}

fn names(found: &Snapshot) -> Vec<String> {
    found.iter().map(|it| it.id().to_string()).collect()
}

fn by_tier(tier: &str) -> Query {
    Query::label("tier", tier)
}

#[test]
fn a_list_by_label_follows_each_change() {
    let store = hundred();
    assert_eq!(ids(&store, &by_tier("web")).len(), 10);
    label(&store, "r50", "tier", "web");
    label(&store, "r03", "tier", "db");
    store.destroy(&user(), &node("r13")).unwrap();
    assert_eq!(ids(&store, &by_tier("web")), ["r23", "r33", "r43", "r50", "r53", "r63", "r73", "r83", "r93"]);
    assert_eq!(ids(&store, &by_tier("db")), ["r03"]);
    let unlabel = |resource: &mut Resource| {
        resource.metadata.labels.clear();
        Ok::<_, StoreError>(())
    };
    store.modify(&user(), &node("r03"), unlabel).unwrap();
    assert_eq!(ids(&store, &by_tier("db")), [""; 0]);
}

#[test]
fn a_list_by_label_or_owner_is_narrowed_by_the_id() {
    let store = hundred();
    let narrowed =
        |query: Query, pattern: &str| ids(&store, &Query { id: Some(Glob::new(pattern).unwrap()), ..query });
    assert_eq!(narrowed(by_tier("web"), "r23"), ["r23"]);
    assert_eq!(narrowed(by_tier("web"), "r4*"), ["r43"]);
    assert_eq!(narrowed(by_tier("web"), "r42"), [""; 0]);
    assert_eq!(narrowed(Query::owner("planner"), "r?7"), ids(&store, &Query::owner("planner")));
    assert_eq!(narrowed(Query::owner("planner"), "r97"), ["r97"]);
}

#[test]
fn a_list_goes_on_after_an_id() {
    let store = hundred();
    let after =
        |found: &Snapshot, id: &str| found.after(id).map(|it| it.id().to_string()).collect::<Vec<_>>();
    for query in [Query::all(), by_tier("web"), Query::owner("planner")] {
        let found = store.list(&nodes(), &query);
        let all = names(&found);
        assert_eq!(after(&found, ""), all);
        for (at, id) in all.iter().enumerate() {
            assert_eq!(after(&found, id), all[at + 1..], "{id}");
            assert_eq!(after(&found, &format!("{id}!")), all[at + 1..], "one that is not there");
        }
    }
}

#[test]
fn a_list_says_how_many_are_left_and_of_when_it_is() {
    let store = hundred();
    for (query, count) in [(Query::all(), 100), (by_tier("web"), 10)] {
        let found = store.list(&nodes(), &query);
        assert_eq!((found.len(), found.revision()), (count, store.revision()));
        let mut items = found.iter();
        for left in (0..=count).rev() {
            assert_eq!((items.len(), items.size_hint()), (left, (left, Some(left))));
            items.next();
        }
    }
}

#[test]
fn a_late_watch_receives_each_event_once() {
    let store = store();
    let mut all = watch(&store, planloom_store::From::Now);
    let mut one = watch_one(&store, "x", planloom_store::From::Now);
    create(&store, "x");
    for value in 1..=700 {
        say(&store, &user(), "x", value);
    }
    // The last of them is of another kind.
    let other = planloom_store::Kind::new("app", "Links");
    store.create(&user(), planloom_store::Draft::new(other.key("l"), spec(0))).unwrap();
    for watch in [&mut all, &mut one] {
        let received = received(watch);
        assert_eq!((received.len(), &*received[700]), (701, "updated x@700 x@701"));
    }
}
