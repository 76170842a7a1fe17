//! One suite for every way to set up a store: with and without a backing store, with a short log, strict and not.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::panic::{AssertUnwindSafe, catch_unwind};

use planloom_store::{MemoryBacking, Options, Store};

use crate::{scenarios_resources as resources, scenarios_watches as watches, support::fixture};

/// In the order and with the subjects of COSI's own suite, rewritten.
const SCENARIOS: [Scenario; 20] = [
    ("resources come, are listed and go", resources::come_and_go),
    ("modify gives a changed copy", resources::modify_gives_a_copy),
    ("owners", resources::owners),
    ("a kind is watched", watches::of_a_kind),
    ("tails", watches::tails),
    ("watches with labels", watches::with_labels),
    ("finalizers from many sides", resources::finalizers_from_many_sides),
    ("waiting", watches::waiting),
    ("one resource is watched", watches::of_one),
    ("bookmarks of one resource", watches::bookmarks_of_one),
    ("bookmarks of a kind", watches::bookmarks_of_a_kind),
    ("many who destroy", resources::many_who_destroy),
    ("tearing down with finalizers", resources::teardown_with_finalizers),
    ("updates", resources::updates),
    ("labels", resources::labels),
    ("patterns for ids", resources::patterns),
    ("being notified of tearing down", watches::torn_down),
    ("tearing down and destroying", watches::teardown_and_destroy),
    ("upsert", resources::upsert),
    ("upsert and owners", resources::upsert_and_owners),
];

type Scenario = (&'static str, fn(&Store));

fn conformance(make: impl Fn() -> Store) {
    let failed = SCENARIOS.iter().filter(|(_, scenario)| {
        let store = make();
        catch_unwind(AssertUnwindSafe(|| scenario(&store))).is_err()
    });
    let failed: Vec<&str> = failed.map(|(name, _)| *name).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn conforms_in_memory() {
    conformance(|| fixture(Options::default(), None).store);
}

#[test]
fn conforms_with_a_backing_store() {
    conformance(|| fixture(Options::default(), Some(Box::new(MemoryBacking::default()))).store);
}

#[test]
fn conforms_with_a_short_log() {
    conformance(|| fixture(Options { log_entries: 16, ..Options::default() }, None).store);
    conformance(|| fixture(Options { log_bytes: 16_000, ..Options::default() }, None).store);
}

#[test]
fn conforms_when_strict() {
    conformance(|| fixture(Options { strict_destroy: true, ..Options::default() }, None).store);
}
