use futures_util::{FutureExt, future::join_all};
use protocol::LocalFuture;
use state::{Holder, MemoryBackend, Version};
use tokio::sync::Notify;

use super::*;

/// A state in memory that fails the next commit or renewal with this error, if set, and completes each commit
/// only when permitted.
#[derive(Clone, Default)]
struct FaultyBackend {
    inner: MemoryBackend,
    says: Rc<RefCell<Option<BackendError>>>,
    gate: Option<Rc<Notify>>,
}

impl FaultyBackend {
    fn or_says<T: 'static>(
        &self,
        answer: LocalFuture<Result<T, BackendError>>,
    ) -> LocalFuture<Result<T, BackendError>> {
        match self.says.take() {
            Some(error) => Box::pin(async { Err(error) }),
            None => answer,
        }
    }
}

impl Backend for FaultyBackend {
    fn load(&self) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        self.inner.load()
    }

    fn commit(
        &self,
        lease: &Lease,
        commit: Rc<Commit>,
        after: Rc<Snapshot>,
    ) -> LocalFuture<Result<(), BackendError>> {
        let (kept, gate) = (self.or_says(self.inner.commit(lease, commit, after)), self.gate.clone());
        Box::pin(async move {
            if let Some(gate) = gate {
                gate.notified().await;
            }
            kept.await
        })
    }

    fn checkpoint(&self, lease: &Lease, snapshot: Rc<Snapshot>) -> LocalFuture<Result<(), BackendError>> {
        self.inner.checkpoint(lease, snapshot)
    }

    fn acquire(&self, claim: Claim) -> LocalFuture<Result<Lease, BackendError>> {
        self.inner.acquire(claim)
    }

    fn renew(&self, lease: &Lease, now: i64, ttl: u64) -> LocalFuture<Result<Lease, BackendError>> {
        self.or_says(self.inner.renew(lease, now, ttl))
    }

    fn release(&self, lease: &Lease) -> LocalFuture<Result<(), BackendError>> {
        self.inner.release(lease)
    }

    fn holder(&self) -> LocalFuture<Result<Option<Holder>, BackendError>> {
        self.inner.holder()
    }

    fn unlock(&self, id: &str) -> LocalFuture<Result<(), BackendError>> {
        self.inner.unlock(id)
    }

    fn versions(&self) -> LocalFuture<Result<Vec<Version>, BackendError>> {
        self.inner.versions()
    }

    fn version(&self, serial: u64) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        self.inner.version(serial)
    }
}

type ReportedSerials = Rc<RefCell<Vec<u64>>>;

fn now<T>(work: impl Future<Output = T>) -> T {
    work.now_or_never().expect("nothing is waited for")
}

/// A ledger of a new state, whose lease is not acquired yet, and the serials that it reports.
fn ledger_of(backend: &FaultyBackend) -> (Ledger, ReportedSerials) {
    let reported = ReportedSerials::default();
    let sink = reported.clone();
    let ledger = Ledger::new(Rc::new(backend.clone()), move |serial| sink.borrow_mut().push(serial));
    now(ledger.load(Snapshot::new("shop", "lineage"))).expect("loaded");
    (ledger, reported)
}

fn taken_of(backend: &FaultyBackend) -> (Ledger, ReportedSerials) {
    let (ledger, reported) = ledger_of(backend);
    now(ledger.acquire(state::testing::claim("ada", 0, 1_000))).expect("taken");
    (ledger, reported)
}

fn taken() -> (Ledger, FaultyBackend, ReportedSerials) {
    let backend = FaultyBackend::default();
    let (ledger, reported) = taken_of(&backend);
    (ledger, backend, reported)
}

fn put(address: &str) -> Vec<Change> {
    vec![Change::Put(address.into(), Box::new(state::testing::entry("x")))]
}

fn holder(backend: &FaultyBackend) -> Option<i64> {
    now(backend.holder()).expect("answered").map(|it| it.until)
}

fn versions(backend: &FaultyBackend) -> Vec<u64> {
    now(backend.versions()).expect("answered").iter().map(|it| it.serial).collect()
}

#[test]
fn commits_are_stored_and_announced() {
    let (ledger, backend, reported) = taken();
    assert_eq!(now(ledger.commit(put("services.a"))), Ok(()));
    assert_eq!(now(ledger.commit(put("services.b"))), Ok(()));
    let kept = now(backend.load()).expect("read").expect("kept");
    assert_eq!((kept.serial, kept.resources.len(), &*reported.borrow()), (2, 2, &vec![1, 2]));
    assert_eq!((&kept, ledger.error()), (&*ledger.snapshot(), None));
}

#[test]
fn without_the_right_nothing_is_written() {
    let backend = FaultyBackend::default();
    let (ledger, reported) = ledger_of(&backend);
    assert_eq!(now(ledger.commit(put("services.a"))), Err(BackendError::LeaseLost));
    assert_eq!((now(backend.load()), ledger.error()), (Ok(None), Some(BackendError::LeaseLost)));
    assert_eq!((ledger.snapshot().serial, reported.borrow().len()), (0, 0));
    assert_eq!(
        (
            now(ledger.renew(Millis(0), Duration::from_millis(10))),
            now(ledger.checkpoint()),
            now(ledger.release())
        ),
        (Ok(()), Ok(()), Ok(()))
    );
    assert_eq!(versions(&backend), vec![0; 0]);
}

/// It is not known what the backend has then, until the state is read again.
#[test]
fn after_an_error_nothing_is_recorded_until_it_is_read_again() {
    let (ledger, backend, reported) = taken();
    now(ledger.commit(put("services.a"))).expect("kept");
    let error = BackendError::Unavailable("the disk is full".into());
    backend.says.replace(Some(error.clone()));
    assert_eq!(now(ledger.commit(put("services.b"))), Err(error.clone()));
    assert_eq!(now(ledger.commit(put("services.c"))), Err(error.clone()));
    assert_eq!((ledger.error(), &*reported.borrow()), (Some(error), &vec![1]));
    assert_eq!((now(ledger.checkpoint()), versions(&backend)), (Ok(()), vec![]));
    now(ledger.load(Snapshot::new("shop", "another"))).expect("loaded");
    assert_eq!((ledger.error(), ledger.snapshot().serial), (None, 2), "it was kept after all");
    assert_eq!(now(ledger.commit(put("services.d"))), Ok(()));
    assert_eq!((&*ledger.snapshot().lineage, &*reported.borrow()), ("lineage", &vec![1, 3]));
}

#[test]
fn the_right_is_renewed_and_lost() {
    let (ledger, backend, _) = taken();
    assert_eq!(
        (holder(&backend), now(ledger.renew(Millis(500), Duration::from_millis(1_000))), holder(&backend)),
        (Some(1_000), Ok(()), Some(1_500))
    );
    backend.says.replace(Some(BackendError::Unavailable("not now".into())));
    assert_eq!(
        (now(ledger.renew(Millis(600), Duration::from_millis(1_000))), ledger.error()),
        (Ok(()), None),
        "it still holds"
    );
    now(backend.unlock("lease of ada")).expect("unlocked");
    assert_eq!(now(ledger.renew(Millis(700), Duration::from_millis(1_000))), Err(BackendError::LeaseLost));
    assert_eq!(ledger.error(), Some(BackendError::LeaseLost));
}

#[test]
fn the_whole_is_a_version_once_something_is_recorded() {
    let (ledger, backend, _) = taken();
    assert_eq!((now(ledger.checkpoint()), versions(&backend)), (Ok(()), vec![]));
    now(ledger.commit(put("services.a"))).expect("kept");
    assert_eq!((now(ledger.checkpoint()), versions(&backend)), (Ok(()), vec![1]));
    now(ledger.commit(put("services.b"))).expect("kept");
    assert_eq!((now(ledger.release()), versions(&backend)), (Ok(()), vec![2, 1]));
    assert_eq!((holder(&backend), now(ledger.release())), (None, Ok(())));
}

#[test]
fn a_lineage_is_taken_over_where_nothing_ever_was() {
    let (ledger, _, _) = taken();
    assert!(ledger.take_lineage("former"));
    assert_eq!(ledger.snapshot().lineage, "former");
    now(ledger.commit(put("services.a"))).expect("kept");
    assert!(!ledger.take_lineage("another"));
    assert_eq!(ledger.snapshot().lineage, "former");
}

/// Three commits that arrive while the first is being written are written together.
#[test]
fn pending_commits_are_written_together() {
    let gate = Rc::new(Notify::new());
    let backend = FaultyBackend {
        inner: MemoryBackend::default().recording_commits(),
        gate: Some(gate.clone()),
        ..FaultyBackend::default()
    };
    let (ledger, reported) = taken_of(&backend);
    let mut all =
        std::pin::pin!(join_all(["services.a", "services.b", "services.c"].map(|it| ledger.commit(put(it)))));
    assert_eq!(all.as_mut().now_or_never(), None);
    gate.notify_one();
    assert_eq!(all.as_mut().now_or_never(), None);
    assert_eq!(*reported.borrow(), [1]);
    gate.notify_one();
    assert_eq!(all.as_mut().now_or_never(), Some(vec![Ok(()); 3]));
    let changes: Vec<usize> = backend.inner.commits().iter().map(|it| it.changes.len()).collect();
    assert_eq!((changes, &*reported.borrow()), (vec![1, 2], &vec![1, 2]));
}
