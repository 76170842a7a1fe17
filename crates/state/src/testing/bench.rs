use std::{fmt, rc::Rc};

use runtime::Timer;
use store::Millis;

use crate::{Backend, BackendError, Change, Claim, Commit, Lease, Snapshot};

/// Opens the same place once more, as another process would.
pub type Opener = Rc<dyn Fn() -> Rc<dyn Backend>>;

/// A kind of backend that is tested for conformance.
#[derive(Clone)]
pub struct Bench {
    /// Creates a new empty place; the name distinguishes those of one run.
    pub fresh: Rc<dyn Fn(&str) -> Opener>,
    /// The time of the backends.
    pub timer: Rc<dyn Timer>,
    /// The shortest lease that is worth testing, in milliseconds.
    pub ttl: u64,
    /// The features of this kind.
    pub can: BackendFeatures,
}

/// The features that not every kind of backend has.
#[derive(Clone, Copy, Debug)]
pub struct BackendFeatures {
    /// True if leases expire.
    pub expire: bool,
    /// True if the holder of a lease is also reported to clients that do not try to acquire it.
    pub name_holder: bool,
    /// The number of versions that it keeps, if it does.
    pub history: Option<usize>,
}

impl Bench {
    pub(super) fn now(&self) -> i64 {
        self.timer.now().0
    }

    pub(super) async fn pass(&self, millis: u64) {
        self.timer.sleep_until(Millis(self.now().saturating_add_unsigned(millis))).await;
    }

    /// A claim that is long enough.
    pub(super) fn claim(&self, who: &str) -> Claim {
        super::claim(who, self.now(), 60_000)
    }

    /// A new place with its first client, which holds it.
    pub(super) async fn held(&self, name: &str) -> HeldState {
        let open = (self.fresh)(name);
        let backend = open();
        let lease = backend.acquire(self.claim("ada")).await.expect("a new state is not held");
        let snapshot = Snapshot::new("shop", format!("lineage of {name}"));
        HeldState { open, backend, lease, snapshot }
    }
}

/// A client that holds a state, and what it expects to be kept.
pub(super) struct HeldState {
    pub(super) open: Opener,
    pub(super) backend: Rc<dyn Backend>,
    pub(super) lease: Lease,
    pub(super) snapshot: Snapshot,
}

impl HeldState {
    pub(super) async fn keep(&mut self, changes: Vec<Change>) {
        let commit = Commit { serial: self.snapshot.serial + 1, changes };
        assert!(self.snapshot.take(&commit), "the next commit fits");
        let kept = self.backend.commit(&self.lease, Rc::new(commit), Rc::new(self.snapshot.clone())).await;
        assert_eq!(kept, Ok(()), "commit {}", self.snapshot.serial);
    }

    pub(super) async fn put(&mut self, address: &str, word: &str) {
        self.keep(vec![Change::Put(address.into(), Box::new(super::entry(word)))]).await;
    }

    /// Tries a commit of that serial that would be noticed if it were kept.
    pub(super) async fn try_serial(&self, serial: u64) -> Result<(), BackendError> {
        let change = Change::Put("services.intruder".into(), Box::new(super::entry("intruder")));
        let commit = Commit { serial, changes: vec![change] };
        let mut after = Snapshot { serial: serial.saturating_sub(1), ..self.snapshot.clone() };
        after.take(&commit);
        self.backend.commit(&self.lease, Rc::new(commit), Rc::new(after)).await
    }

    pub(super) async fn checkpoint(&self) {
        let kept = self.backend.checkpoint(&self.lease, Rc::new(self.snapshot.clone())).await;
        assert_eq!(kept, Ok(()), "checkpoint {}", self.snapshot.serial);
    }

    /// Checks that this client and a new one read what is expected.
    pub(super) async fn check(&self) {
        assert_eq!(
            self.backend.load().await.as_ref(),
            Ok(&Some(self.snapshot.clone())),
            "who wrote reads it"
        );
        let other = (self.open)().load().await;
        assert_eq!(other.as_ref(), Ok(&Some(self.snapshot.clone())), "another reads it");
    }
}

impl fmt::Debug for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bench").field("ttl", &self.ttl).field("can", &self.can).finish_non_exhaustive()
    }
}
