//! Several writers of the same state.

use std::rc::Rc;

use futures::executor::block_on;
use planloom_state::{Backend, BackendError, Commit, Snapshot};

use super::{Rig, Writer};

/// Two writers that know the same version; the second one took the lock from the first.
fn rivals() -> (Rig, Writer, Writer) {
    let rig = Rig::new();
    let mut ada = rig.writer("ada");
    ada.put("services.a", "one").expect("nothing is wrong");
    let bob = rig.successor(&ada, "bob");
    (rig, ada, bob)
}

#[test]
fn a_lost_lock_is_reported_even_with_equal_serials() {
    let (rig, mut ada, mut bob) = rivals();
    bob.put("services.a", "bob").expect("it holds the lock");
    assert_eq!(ada.put("services.a", "ada"), Err(BackendError::LeaseLost));
    bob.check(&rig);
}

#[test]
fn a_lost_lock_keeps_no_version() {
    let (rig, ada, bob) = rivals();
    bob.checkpoint().expect("it holds the lock");
    assert_eq!(ada.checkpoint(), Err(BackendError::LeaseLost));
    bob.check(&rig);
}

#[test]
fn a_client_that_another_with_the_same_lock_overtook_looks_again() {
    let rig = Rig::new();
    let mut ada = rig.writer("ada");
    ada.put("services.a", "one").expect("nothing is wrong");
    let mut other = Writer { backend: rig.open(), lease: ada.lease.clone(), snapshot: ada.snapshot.clone() };
    other.put("services.a", "two").expect("it has the lock too");
    let behind = ada.put("services.a", "three");
    assert_eq!(behind, Err(BackendError::Stale { requested: 2, kept: 2 }));
    assert_eq!(block_on(ada.backend.load()), Ok(Some(other.snapshot.clone())));
    other.put("services.a", "three").expect("it has the lock too");
    ada.snapshot = other.snapshot.clone();
    ada.put("services.a", "four").expect("the next one after the other's");
    ada.check(&rig);
}

#[test]
fn a_stale_writer_is_refused_without_rereading() {
    let rig = Rig::new();
    let mut ada = rig.writer("ada");
    ada.put("services.a", "one").expect("nothing is wrong");
    let mut late =
        Writer { backend: rig.open(), lease: ada.lease.clone(), snapshot: Snapshot::new("shop", "l") };
    rig.server.requests();
    assert_eq!(late.put("services.a", "late"), Err(BackendError::Stale { requested: 1, kept: 1 }));
    assert_eq!(rig.paths(), ["/kv/range"]);
}

#[test]
fn only_what_is_kept_becomes_a_version() {
    let rig = Rig::new();
    let mut ada = rig.writer("ada");
    ada.put("services.a", "one").expect("nothing is wrong");
    let mut ahead = ada.snapshot.clone();
    ahead.take(&Commit { serial: 2, changes: Vec::new() });
    let refused = block_on(ada.backend.checkpoint(&ada.lease, Rc::new(ahead)));
    assert_eq!(refused, Err(BackendError::Stale { requested: 2, kept: 1 }));
    assert_eq!(block_on(ada.backend.versions()), Ok(Vec::new()));
    ada.checkpoint().expect("nothing is wrong");
    rig.server.requests();
    assert_eq!(block_on(rig.open().version(1)), Ok(Some(ada.snapshot.clone())));
}
