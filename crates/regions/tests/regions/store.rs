//! The policies that a deployment knows.

use planloom_regions::{Governing, PolicyStore};

use crate::support::policy;

fn written(governing: Governing<'_>) -> String {
    match governing {
        Governing::Holder { name, policy } => format!("{name}: {}", policy.default_control_region),
        Governing::Service => "service".to_owned(),
        Governing::Unread(name) => format!("read {name}"),
    }
}

fn store() -> PolicyStore {
    let mut store = PolicyStore::default();
    store.set("projects/p1", Some(policy("a b")));
    store.set("organizations/o", Some(policy("c")));
    store.set("projects/bare", None);
    store.set("projects/empty", Some(policy("")));
    store
}

#[test]
fn the_nearest_holder_with_regions_governs() {
    let rows: [(&[&str], &str); 9] = [
        (&[], "service"),
        (&["projects/p1"], "projects/p1: a"),
        (&["projects/p1", "organizations/o"], "projects/p1: a"),
        (&["organizations/o", "projects/p1"], "organizations/o: c"),
        (&["projects/bare", "organizations/o"], "organizations/o: c"),
        (&["projects/empty", "organizations/o"], "organizations/o: c"),
        (&["projects/empty", "projects/bare"], "service"),
        (&["projects/p2", "organizations/o"], "read projects/p2"),
        (&["projects/p1", "organizations/o2"], "projects/p1: a"),
    ];
    for (above, expected) in rows {
        assert_eq!(written(store().governing(above.iter().copied())), expected, "{above:?}");
    }
}

#[test]
fn a_change_of_a_holder_is_seen_at_once() {
    let mut store = store();
    let of = |store: &PolicyStore| written(store.governing(["projects/p1", "organizations/o"]));
    store.set("projects/p1", Some(policy("b a")));
    assert_eq!(of(&store), "projects/p1: b");
    store.set("projects/p1", None);
    assert_eq!(of(&store), "organizations/o: c");
    store.forget("projects/p1");
    assert_eq!(of(&store), "read projects/p1");
    store.set("projects/p1", Some(policy("a")));
    assert_eq!(of(&store), "projects/p1: a");
    store.clear();
    assert_eq!(of(&store), "read projects/p1");
    assert_eq!(written(store.governing([])), "service");
}

#[test]
fn only_a_holder_has_a_policy_here() {
    let store = store();
    assert_eq!(store.governing(["projects/p1"]).policy(), Some(&policy("a b")));
    assert_eq!(store.governing([]).policy(), None);
    assert_eq!(store.governing(["projects/p2"]).policy(), None);
}
