//! A state in memory.

use futures::executor::block_on;
use planloom_state::{
    Backend, BackendError, MemoryBackend, Snapshot,
    testing::{claim, commits},
};

#[test]
fn a_memory_backend_continues_a_snapshot_and_records_commits() {
    let start = Snapshot { serial: 7, ..Snapshot::new("shop", "l") };
    let (silent, noting) =
        (MemoryBackend::of(start.clone()), MemoryBackend::of(start.clone()).recording_commits());
    for backend in [&silent, &noting] {
        assert_eq!(block_on(backend.load()), Ok(Some(start.clone())));
        let lease = block_on(backend.acquire(claim("ada", 0, 1000))).expect("it is not held");
        for (commit, after) in commits(&start, 3, 1) {
            assert_eq!(block_on(backend.commit(&lease, commit, after)), Ok(()));
        }
    }
    let made: Vec<_> = commits(&start, 3, 1).into_iter().map(|it| it.0).collect();
    assert_eq!(noting.clone().commits(), made);
    assert!(silent.commits().is_empty());
}

#[test]
fn a_lease_is_held_until_its_time_and_not_longer() {
    let backend = MemoryBackend::default();
    let lease = block_on(backend.acquire(claim("ada", 0, 1000))).expect("it is not held");
    let lease = block_on(backend.renew(&lease, 500, 1000)).expect("it is held");
    assert_eq!(lease.holder.until, 1500);
    assert_eq!(block_on(backend.holder()), Ok(Some(lease.holder.clone())));
    let early = block_on(backend.acquire(claim("bob", 1499, 1000)));
    assert_eq!(early, Err(BackendError::Locked(Box::new(lease.holder))));
    assert!(block_on(backend.acquire(claim("bob", 1500, 1000))).is_ok());
}
