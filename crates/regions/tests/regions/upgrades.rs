//! The version that a deployment operates on: the sequence of Goten's guide, and which storage answers.

use std::{num::NonZeroU16, sync::Arc};

use planloom_regions::upgrade::{
    ActiveVersion, Change, Freeze, NotServed, NotUpgradable, check_regions, shard_of,
};
use proptest::prelude::*;
use serde_json::{Value, json};

type Version = ActiveVersion<Arc<str>>;

/// A deployment with two versions that operates on the first one, and a server that is known.
fn deployment() -> Version {
    let version = json!({
        "supportedVersions": ["v1", "v2"],
        "currentVersion": "v1",
        "generation": 0,
        "nodes": { "a": 0 },
    });
    serde_json::from_value(version).unwrap()
}

fn begin(target: &str, shards: u16) -> Change<Arc<str>> {
    Change::Begin { target: target.into(), shards: NonZeroU16::new(shards).unwrap() }
}

fn observe(node: &str, generation: u64) -> Change<Arc<str>> {
    Change::Observe { node: node.into(), generation }
}

fn changed(version: &Version, change: &Change<Arc<str>>, now: i64) -> Version {
    version.changed(change, now).unwrap()
}

/// The version after shards are ready.
fn ready(version: &Version, shards: impl IntoIterator<Item = u16>, now: i64) -> Version {
    let generation = version.generation;
    let change = |version, shard| changed(&version, &Change::Ready { shard, generation }, now);
    shards.into_iter().fold(version.clone(), change)
}

/// The fields that the guide shows.
fn shown(version: &Version) -> Value {
    let Value::Object(mut all) = serde_json::to_value(version).unwrap() else { panic!("not an object") };
    all.retain(|key, _| key == "currentVersion" || key == "upgradeState");
    Value::Object(all)
}

#[test]
fn an_upgrade_goes_through_the_states_of_the_guide() {
    let all: Vec<u16> = (0..16).collect();
    let begun = changed(&deployment(), &begin("v2", 16), 0);
    let state =
        |stage, pending: &[u16]| json!({ "targetVersion": "v2", "pendingShards": pending, "state": stage });
    assert_eq!(
        shown(&begun),
        json!({ "currentVersion": "v1", "upgradeState": state("INITIAL_SYNCING", &all) })
    );
    let two = ready(&begun, [0, 2], 0);
    let pending: Vec<u16> = [1].into_iter().chain(3..16).collect();
    let mut expected = state("INITIAL_SYNCING", &pending);
    expected["readyShards"] = json!([0, 2]);
    assert_eq!(shown(&two), json!({ "currentVersion": "v1", "upgradeState": expected }));
    let switching = ready(&two, pending, 0);
    assert_eq!(
        shown(&switching),
        json!({ "currentVersion": "v1", "upgradeState": state("SWITCHING", &all) })
    );
    assert_eq!(shown(&ready(&switching, all, 0)), json!({ "currentVersion": "v2" }));
}

#[test]
fn a_freeze_has_a_beginning_and_an_end() {
    let switching = ready(&changed(&deployment(), &begin("v2", 1), 10), [0], 20);
    assert_eq!(switching.freeze, Some(Freeze { began: 20, ended: None }));
    let switched = ready(&changed(&switching, &observe("a", 1), 30), [0], 40);
    assert!(switched.is_frozen() && &*switched.current_version == "v2");
    let joined = changed(&switched, &observe("b", 2), 50);
    assert!(joined.is_frozen(), "one server has not observed the switch");
    let observed = changed(&joined, &observe("a", 2), 60);
    assert_eq!(observed.freeze, Some(Freeze { began: 20, ended: Some(60) }));
    let left = changed(&joined, &Change::Leave { node: "a".into() }, 70);
    assert_eq!(left.freeze, Some(Freeze { began: 20, ended: Some(70) }));
}

#[test]
fn a_cancelled_upgrade_ends_the_freeze_when_all_have_observed_it() {
    let switching = ready(&changed(&deployment(), &begin("v2", 1), 0), [0], 5);
    let cancelled = changed(&switching, &Change::Cancel, 6);
    assert_eq!((shown(&cancelled), cancelled.is_frozen()), (json!({ "currentVersion": "v1" }), true));
    let late = changed(&cancelled, &Change::Ready { shard: 0, generation: 1 }, 7);
    assert_eq!(late, cancelled, "what was ready for the cancelled upgrade does not count");
    assert_eq!(changed(&cancelled, &observe("a", 2), 8).freeze, Some(Freeze { began: 5, ended: Some(8) }));
}

#[test]
fn requests_of_each_version_have_a_storage() {
    let v1 = deployment();
    let switching = ready(&changed(&v1, &begin("v2", 1), 0), [0], 0);
    let v2 = changed(&ready(&switching, [0], 0), &observe("a", 2), 0);
    let (old, new): (Arc<str>, Arc<str>) = ("v1".into(), "v2".into());
    let read_only = NotServed::ReadOnly { current: old.clone() };
    let rows = [
        (&v1, &old, Ok(&old), Ok(&old)),
        (&v1, &new, Ok(&new), Err(read_only.clone())),
        (&switching, &old, Ok(&old), Err(NotServed::Unavailable)),
        (&switching, &new, Ok(&new), Err(read_only.clone())),
        (&v2, &old, Ok(&new), Ok(&new)),
        (&v2, &new, Ok(&new), Ok(&new)),
    ];
    for (version, requested, read, written) in rows {
        assert_eq!(version.read_from(requested), read, "{version:?} {requested}");
        assert_eq!(version.write_to(requested), written, "{version:?} {requested}");
    }
    assert!(NotServed::<Arc<str>>::Unavailable.is_retryable() && !read_only.is_retryable());
    let unknown: Arc<str> = "v3".into();
    assert_eq!(v1.read_from(&unknown), Err(NotServed::Unsupported(unknown.clone())));
}

#[test]
fn an_upgrade_that_cannot_begin_is_refused() {
    let begun = changed(&deployment(), &begin("v2", 4), 0);
    assert_eq!(changed(&begun, &begin("v2", 4), 9), begun, "a lost reply does no harm");
    assert_eq!(changed(&deployment(), &begin("v1", 4), 0), deployment());
    let refused = |version: &Version, target| version.changed(&begin(target, 4), 0).unwrap_err();
    assert_eq!(refused(&deployment(), "v3"), NotUpgradable::Unsupported("v3".into()));
    assert_eq!(refused(&begun, "v1"), NotUpgradable::Upgrading("v2".into()));
    let (east, west): (Arc<str>, Arc<str>) = ("eastus2".into(), "us-west2".into());
    let old = Version { supported_versions: vec!["v1".into()], ..deployment() };
    let regions = [(&west, &deployment()), (&east, &old)];
    let missing = NotUpgradable::UnsupportedIn { region: east.clone(), version: "v2".into() };
    assert_eq!(check_regions(&"v2".into(), regions), Err(missing));
    assert_eq!(check_regions(&"v1".into(), regions), Ok(()));
}

#[test]
fn shards_are_those_of_fnv() {
    let sixteen = NonZeroU16::new(16).unwrap();
    // The published values of FNV-1a with 64 bits: cbf29ce484222325, af63dc4c8601ec8c and 85944171f73967e8.
    for (name, shard) in [("", 5), ("a", 12), ("foobar", 8)] {
        assert_eq!(shard_of(name, sixteen), shard, "{name}");
    }
}

proptest! {
    /// Whatever shards are said to be ready in whatever order, the shards of the upgrade stay the same ones, the version changes
    /// only after all of them were ready twice, and a freeze is open as long as versions are switched.
    #[test]
    fn no_shard_is_lost(shards in 1_u16..5, changes in proptest::collection::vec((0_u16..6, 0_u64..4), 0..40)) {
        let mut version = changed(&deployment(), &begin("v2", shards), 0);
        for (shard, generation) in changes {
            version = changed(&version, &Change::Ready { shard, generation }, 1);
            if let Some(state) = &version.upgrade_state {
                let all: Vec<u16> = state.ready_shards.union(&state.pending_shards).copied().collect();
                prop_assert_eq!(all, (0..shards).collect::<Vec<_>>());
                prop_assert!(!state.pending_shards.is_empty());
            }
            let switched = &*version.current_version == "v2";
            prop_assert_eq!(switched, version.generation == 2);
            prop_assert_eq!(version.is_frozen(), version.generation > 0);
        }
    }
}
