//! The conformance cases detect a backend that violates a requirement.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
};

use futures::executor::block_on;
use planloom_state::{
    Backend, BackendError, Claim, Commit, HISTORY, Holder, Lease, MemoryBackend, Snapshot, Version,
    testing::{BackendFeatures, Bench, CASES, LeapingTimer, Opener, conform},
};
use protocol::LocalFuture;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Flaw {
    None,
    /// Commits are confirmed, but not kept.
    Forgets,
    /// Refused commits are confirmed.
    Agrees,
    /// The lock does not exclude others.
    Shares,
    /// Leases end later than reported.
    Lasts,
    /// There is a version of each serial.
    Invents,
}

struct Flawed {
    inner: MemoryBackend,
    flaw: Flaw,
}

type Answer<T> = LocalFuture<Result<T, BackendError>>;

impl Backend for Flawed {
    fn load(&self) -> Answer<Option<Snapshot>> {
        self.inner.load()
    }

    fn commit(&self, lease: &Lease, commit: Rc<Commit>, after: Rc<Snapshot>) -> Answer<()> {
        let flaw = self.flaw;
        let kept = (flaw != Flaw::Forgets).then(|| self.inner.commit(lease, commit, after));
        Box::pin(async move {
            match kept {
                Some(kept) if flaw != Flaw::Agrees => kept.await,
                Some(kept) => kept.await.or(Ok(())),
                None => Ok(()),
            }
        })
    }

    fn checkpoint(&self, lease: &Lease, snapshot: Rc<Snapshot>) -> Answer<()> {
        self.inner.checkpoint(lease, snapshot)
    }

    fn acquire(&self, claim: Claim) -> Answer<Lease> {
        let (inner, flaw) = (self.inner.clone(), self.flaw);
        let ttl = if flaw == Flaw::Lasts { claim.ttl * 1000 } else { claim.ttl };
        Box::pin(async move {
            if let Some(holder) = inner.holder().await?.filter(|_| flaw == Flaw::Shares) {
                inner.unlock(&holder.id).await?;
            }
            let until = claim.now.saturating_add_unsigned(claim.ttl);
            let lease = inner.acquire(Claim { ttl, ..claim }).await?;
            Ok(Lease { holder: Holder { until, ..lease.holder }, ..lease })
        })
    }

    fn renew(&self, lease: &Lease, now: i64, ttl: u64) -> Answer<Lease> {
        self.inner.renew(lease, now, ttl)
    }

    fn release(&self, lease: &Lease) -> Answer<()> {
        self.inner.release(lease)
    }

    fn holder(&self) -> Answer<Option<Holder>> {
        self.inner.holder()
    }

    fn unlock(&self, id: &str) -> Answer<()> {
        self.inner.unlock(id)
    }

    fn versions(&self) -> Answer<Vec<Version>> {
        self.inner.versions()
    }

    fn version(&self, serial: u64) -> Answer<Option<Snapshot>> {
        let kept = self.inner.version(serial);
        if self.flaw != Flaw::Invents {
            return kept;
        }
        Box::pin(async move { kept.await.map(|it| it.or_else(|| Some(Snapshot::new("shop", "l")))) })
    }
}

fn bench(flaw: Flaw) -> Bench {
    let fresh = move |_: &str| {
        let inner = MemoryBackend::default();
        Rc::new(move || Rc::new(Flawed { inner: inner.clone(), flaw }) as Rc<dyn Backend>) as Opener
    };
    let can = BackendFeatures { expire: true, name_holder: true, history: Some(HISTORY) };
    let timer = Rc::new(LeapingTimer::at(1_700_000_000_000));
    Bench { fresh: Rc::new(fresh), timer, ttl: 1000, can }
}

fn passes(work: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(work)).is_ok()
}

#[test]
fn each_flaw_is_found_by_the_case_that_is_for_it() {
    let found = [
        ("nothing is kept at first", Flaw::Invents),
        ("commits are kept", Flaw::Forgets),
        ("other serials are refused", Flaw::Agrees),
        ("another deployment is refused", Flaw::Agrees),
        ("what cannot be read is not written", Flaw::Agrees),
        ("of two writers one wins", Flaw::Shares),
        ("a lock names its holder", Flaw::Shares),
        ("a lease ends", Flaw::Lasts),
        ("a renewed lease goes on", Flaw::Shares),
        ("versions are kept", Flaw::Invents),
        ("old versions are not", Flaw::Invents),
        ("a version is restored", Flaw::Forgets),
        ("ten thousand resources", Flaw::Forgets),
        ("unknown fields survive", Flaw::Forgets),
    ];
    for ((name, case), (said, flaw)) in CASES.into_iter().zip(found) {
        assert_eq!(name, said, "each case is here");
        assert!(!passes(|| block_on(case(bench(flaw)))), "{name}: {flaw:?}");
        if name != "ten thousand resources" {
            assert!(passes(|| block_on(case(bench(Flaw::None)))), "{name}");
        }
    }
}

#[test]
fn a_kind_of_backend_with_a_flaw_does_not_conform() {
    for flaw in [Flaw::Invents, Flaw::Forgets] {
        assert!(!passes(|| block_on(conform(bench(flaw)))), "{flaw:?}");
    }
    assert!(format!("{:?}", bench(Flaw::None)).contains("history: Some(20)"));
}
