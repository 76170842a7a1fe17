use std::rc::Rc;

use protocol::LocalFuture;
use serde_json::json;

use super::{Bench, bench::HeldState, commits, entry, intent};
use crate::{BackendError, Change, Commit, Entry, Snapshot};

/// A requirement of every backend. It panics if the backend violates it.
pub type Case = fn(Bench) -> LocalFuture<()>;

/// The requirements of every backend, by name.
pub const CASES: [(&str, Case); 14] = [
    ("nothing is kept at first", |it| Box::pin(nothing(it))),
    ("commits are kept", |it| Box::pin(commits_are_kept(it))),
    ("other serials are refused", |it| Box::pin(other_serials(it))),
    ("another deployment is refused", |it| Box::pin(other_lineage(it))),
    ("what cannot be read is not written", |it| Box::pin(unreadable(it))),
    ("of two writers one wins", |it| Box::pin(two_writers(it))),
    ("a lock names its holder", |it| Box::pin(lock_names(it))),
    ("a lease ends", |it| Box::pin(lease_ends(it))),
    ("a renewed lease goes on", |it| Box::pin(lease_renewed(it))),
    ("versions are kept", |it| Box::pin(versions(it))),
    ("old versions are not", |it| Box::pin(pruned(it))),
    ("a version is restored", |it| Box::pin(restored(it))),
    ("ten thousand resources", |it| Box::pin(many(it))),
    ("unknown fields survive", |it| Box::pin(unknown_fields(it))),
];

/// Tests a kind of backend for all requirements.
pub async fn conform(bench: Bench) {
    for (_, case) in CASES {
        case(bench.clone()).await;
    }
}

async fn nothing(bench: Bench) {
    let backend = (bench.fresh)("nothing")();
    assert_eq!(backend.load().await, Ok(None));
    if bench.can.name_holder {
        assert_eq!(backend.holder().await, Ok(None));
    }
    if bench.can.history.is_some() {
        assert_eq!(backend.versions().await, Ok(Vec::new()));
        assert_eq!(backend.version(1).await, Ok(None));
    }
    assert_eq!(backend.unlock("unknown").await, Ok(()));
}

async fn commits_are_kept(bench: Bench) {
    let mut held = bench.held("commits").await;
    for (index, (commit, after)) in commits(&held.snapshot, 40, 1).into_iter().enumerate() {
        let kept = held.backend.commit(&held.lease, commit, after.clone()).await;
        assert_eq!(kept, Ok(()));
        held.snapshot = (*after).clone();
        if index % 8 == 0 {
            held.check().await;
        }
        if index % 15 == 14 {
            held.checkpoint().await;
            held.check().await;
        }
    }
    held.check().await;
}

async fn other_serials(bench: Bench) {
    let mut held = bench.held("serials").await;
    for serial in [2, 7] {
        assert_eq!(held.try_serial(serial).await, Err(BackendError::Stale { requested: serial, kept: 0 }));
    }
    assert_eq!((held.open)().load().await, Ok(None));
    for word in ["one", "two", "three"] {
        held.put("services.web", word).await;
    }
    for serial in [1, 3, 5] {
        assert_eq!(held.try_serial(serial).await, Err(BackendError::Stale { requested: serial, kept: 3 }));
        held.check().await;
    }
    held.put("services.web", "four").await;
    held.check().await;
}

async fn other_lineage(bench: Bench) {
    let mut held = bench.held("lineage").await;
    held.put("services.web", "one").await;
    let own = std::mem::replace(&mut held.snapshot.lineage, "another".into());
    let refused = held.try_serial(2).await;
    assert!(matches!(refused, Err(BackendError::Invalid(_))), "{refused:?}");
    held.snapshot.lineage = own;
    held.check().await;
}

async fn unreadable(bench: Bench) {
    let mut held = bench.held("unreadable").await;
    held.put("services.web", "one").await;
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    let spec = serde_json::Map::from_iter([("deep".to_owned(), deep)]);
    for (address, entry) in [
        ("services.api", Entry::default()),
        ("services.api", Entry { phase: "on fire".into(), ..entry("") }),
        ("services.api", Entry { spec, ..entry("") }),
        ("services.api", Entry { depends_on: vec!["?".into()], ..entry("") }),
        ("no address", entry("")),
    ] {
        let commit = Commit { serial: 2, changes: vec![Change::Put(address.into(), Box::new(entry))] };
        let mut after = held.snapshot.clone();
        after.take(&commit);
        let refused = held.backend.commit(&held.lease, Rc::new(commit), Rc::new(after)).await;
        assert!(matches!(refused, Err(BackendError::Invalid(_))), "{refused:?}");
        held.check().await;
    }
}

async fn two_writers(bench: Bench) {
    let mut first = bench.held("writers").await;
    first.put("services.web", "one").await;
    let backend = (first.open)();
    let refused = backend.acquire(bench.claim("bob")).await;
    assert!(matches!(&refused, Err(BackendError::Locked(by)) if by.id == "lease of ada"), "{refused:?}");
    assert_eq!(backend.unlock("lease of ada").await, Ok(()));
    let lease = backend.acquire(bench.claim("bob")).await.expect("it is unlocked");
    let mut second = HeldState { open: first.open.clone(), backend, lease, snapshot: first.snapshot.clone() };
    second.put("services.web", "two").await;
    let refused = first.try_serial(2).await;
    assert!(matches!(refused, Err(BackendError::LeaseLost | BackendError::Stale { .. })), "{refused:?}");
    second.check().await;
    second.put("services.web", "three").await;
    second.check().await;
    assert_eq!(
        first.backend.release(&first.lease).await,
        Ok(()),
        "giving back what one has lost is no error"
    );
    second.put("services.web", "four").await;
}

async fn lock_names(bench: Bench) {
    let open = (bench.fresh)("lock");
    let (ada, bob) = (open(), open());
    let lease = ada.acquire(bench.claim("ada")).await.expect("it is not held");
    for refused in [bob.acquire(bench.claim("bob")).await, open().acquire(bench.claim("eve")).await] {
        let Err(BackendError::Locked(holder)) = refused else { panic!("{refused:?}") };
        assert_eq!((&*holder.id, &*holder.who), ("lease of ada", "ada@host (1)"));
        assert_eq!((&*holder.operation, holder.since), ("apply", lease.holder.since));
    }
    if bench.can.name_holder {
        let holder = bob.holder().await;
        assert!(matches!(&holder, Ok(Some(it)) if it.id == "lease of ada"), "{holder:?}");
    }
    let refused = bob.unlock("unknown lease").await;
    assert!(matches!(&refused, Err(BackendError::Locked(by)) if by.id == "lease of ada"), "{refused:?}");
    for _ in 0..2 {
        assert_eq!(ada.release(&lease).await, Ok(()));
    }
    let lease = bob.acquire(bench.claim("bob")).await.expect("it was given back");
    assert_eq!(ada.unlock("lease of bob").await, Ok(()));
    if bench.can.expire {
        assert_eq!(bob.renew(&lease, bench.now(), bench.ttl).await, Err(BackendError::LeaseLost));
    }
    assert!(ada.acquire(bench.claim("ada")).await.is_ok());
}

async fn lease_ends(bench: Bench) {
    if !bench.can.expire {
        return;
    }
    let open = (bench.fresh)("expiry");
    let (ada, bob) = (open(), open());
    let lease = ada.acquire(super::claim("ada", bench.now(), bench.ttl)).await.expect("it is not held");
    let snapshot = Snapshot::new("shop", "expiry");
    let mut held = HeldState { open, backend: ada, lease, snapshot };
    held.put("services.web", "one").await;
    bench.pass(held.lease.holder.until.abs_diff(bench.now()) + 1500).await;
    let lease = bob.acquire(bench.claim("bob")).await.expect("its time is over");
    assert_eq!(held.try_serial(2).await, Err(BackendError::LeaseLost));
    let refused = held.backend.renew(&held.lease, bench.now(), bench.ttl).await;
    assert_eq!(refused, Err(BackendError::LeaseLost));
    held.check().await;
    assert_eq!(bob.release(&lease).await, Ok(()));
}

async fn lease_renewed(bench: Bench) {
    let open = (bench.fresh)("renewal");
    let (ada, bob) = (open(), open());
    let mut lease = ada.acquire(super::claim("ada", bench.now(), bench.ttl)).await.expect("it is not held");
    for _ in 0..3 {
        bench.pass(bench.ttl / 2).await;
        lease = ada.renew(&lease, bench.now(), bench.ttl).await.expect("it is still held");
        assert!(!bench.can.expire || lease.holder.until > bench.now());
    }
    let refused = bob.acquire(bench.claim("bob")).await;
    assert!(matches!(refused, Err(BackendError::Locked(_))), "{refused:?}");
}

async fn versions(bench: Bench) {
    if bench.can.history.is_none() {
        return;
    }
    let mut held = bench.held("versions").await;
    let mut kept = Vec::new();
    for (address, word) in [("services.a", "one"), ("services.b", "two"), ("services.c", "three")] {
        held.put(address, word).await;
        held.put(address, "again").await;
        held.checkpoint().await;
        held.checkpoint().await;
        kept.push(held.snapshot.clone());
    }
    held.put("services.d", "not in the history").await;
    let other = (held.open)();
    let versions = other.versions().await.expect("it keeps versions");
    let reported: Vec<_> = versions.iter().map(|it| (it.serial, it.resources)).collect();
    assert_eq!(reported, [(6, 3), (4, 2), (2, 1)]);
    for snapshot in kept {
        assert_eq!(other.version(snapshot.serial).await, Ok(Some(snapshot)));
    }
    assert_eq!(other.version(7).await, Ok(None));
    held.check().await;
}

async fn pruned(bench: Bench) {
    let Some(most) = bench.can.history else { return };
    let mut held = bench.held("pruned").await;
    for number in 0..most + 3 {
        held.put("services.a", &format!("{number}")).await;
        held.checkpoint().await;
    }
    let versions = held.backend.versions().await.expect("it keeps versions");
    let serials: Vec<u64> = versions.iter().map(|it| it.serial).collect();
    let last = held.snapshot.serial;
    assert_eq!(serials, (last + 1 - most as u64..=last).rev().collect::<Vec<_>>());
    assert_eq!(held.backend.version(1).await, Ok(None));
    held.check().await;
}

async fn restored(bench: Bench) {
    let mut held = bench.held("restored").await;
    held.put("services.a", "one").await;
    held.put("services.b", "one").await;
    held.checkpoint().await;
    let old = held.snapshot.clone();
    held.put("services.a", "two").await;
    held.keep(vec![Change::Remove("services.b".into())]).await;
    held.put("services.c", "two").await;
    held.keep(vec![Change::Begin(Box::new(intent("i", "services.c")))]).await;
    let refused = held.snapshot.restore(&old);
    assert!(matches!(refused, Err(BackendError::Invalid(_))), "{refused:?}");
    held.keep(vec![Change::Settle("i".into())]).await;
    let commit = held.snapshot.restore(&old).expect("nothing is being done");
    held.keep(commit.changes).await;
    assert_eq!(held.snapshot, Snapshot { serial: 8, ..old });
    held.check().await;
}

async fn many(bench: Bench) {
    let mut held = bench.held("many").await;
    let put = |number: usize| {
        let address = format!("services.s{number}");
        Change::Put(address, Box::new(entry(&format!("{number}"))))
    };
    held.keep((0..10_000).map(put).collect()).await;
    held.check().await;
    held.keep((0..10_000).step_by(2).map(put).collect()).await;
    for number in 0..3 {
        held.put(&format!("services.s{number}"), "other").await;
    }
    held.check().await;
    held.checkpoint().await;
    held.keep(vec![Change::Remove("services.s9999".into())]).await;
    held.check().await;
}

async fn unknown_fields(bench: Bench) {
    let mut held = bench.held("unknown").await;
    let extra = || serde_json::Map::from_iter([("since 2030".to_owned(), json!({"a": [1, 2.5, null]}))]);
    held.snapshot.rest = extra();
    let known = Entry { rest: extra(), ..entry("web") };
    let mut begun = intent("i", "services.web");
    begun.rest = extra();
    begun.entry.rest = extra();
    held.keep(vec![Change::Put("services.web".into(), Box::new(known))]).await;
    held.check().await;
    held.keep(vec![Change::Begin(Box::new(begun))]).await;
    held.check().await;
    held.checkpoint().await;
    held.check().await;
    assert_eq!(held.snapshot.journal[0].entry.rest, extra());
}
