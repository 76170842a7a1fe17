use std::{cell::RefCell, fmt, rc::Rc};

use protocol::{LocalFuture, Transport};
use runtime::Timer;

use super::{EtcdOptions, gateway::Gateway, head::VersionedHead};
use crate::{Backend, BackendError, Claim, Commit, Holder, Lease, Snapshot, Version, with_repair_advice};

/// A state in etcd. Clones share the same client.
#[derive(Clone)]
pub struct EtcdBackend(Rc<Client>);

struct Client {
    gateway: Gateway,
    /// The head as it was last read or written, so that a commit is one round trip.
    known: RefCell<Option<VersionedHead>>,
}

impl EtcdBackend {
    /// A backend for that cluster. The timer is that of the deployment's host: it also provides the time at
    /// which versions are written.
    pub fn new(transport: Rc<dyn Transport>, timer: Rc<dyn Timer>, options: EtcdOptions) -> Self {
        let gateway = Gateway::new(transport, timer, options);
        Self(Rc::new(Client { gateway, known: RefCell::default() }))
    }

    fn answer<T: 'static, F: Future<Output = Result<T, BackendError>> + 'static>(
        &self,
        work: impl FnOnce(Rc<Client>) -> F,
    ) -> LocalFuture<Result<T, BackendError>> {
        Box::pin(work(self.0.clone()))
    }
}

impl Client {
    async fn load(&self) -> Result<Option<Snapshot>, BackendError> {
        let (snapshot, known) = self.gateway.load().await?;
        self.known.replace(Some(known));
        Ok(snapshot)
    }

    /// The known head, and whether it was read just now. During a write it is taken away, so that after a
    /// cancelled write it is read again.
    async fn take(&self) -> Result<(VersionedHead, bool), BackendError> {
        match self.known.take() {
            Some(known) => Ok((known, false)),
            None => Ok((self.gateway.head().await?, true)),
        }
    }

    async fn commit(&self, lease: &Lease, commit: &Commit, after: &Snapshot) -> Result<(), BackendError> {
        let (known, is_fresh) = self.take().await?;
        let written = match self.gateway.commit(known, lease, commit, after).await {
            // Another writer may have written since, and this commit may be the next one after that.
            Err(BackendError::Stale { .. } | BackendError::Invalid(_)) if !is_fresh => {
                let known = self.gateway.head().await?;
                self.gateway.commit(known, lease, commit, after).await
            }
            written => written,
        };
        self.known.replace(Some(written?));
        Ok(())
    }

    async fn checkpoint(&self, lease: &Lease, snapshot: &Snapshot) -> Result<(), BackendError> {
        let (known, _) = self.take().await?;
        let known = self.gateway.checkpoint(known, lease, snapshot).await?;
        self.known.replace(Some(known));
        Ok(())
    }
}

impl Backend for EtcdBackend {
    fn load(&self) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        let own = self.clone();
        Box::pin(async move { with_repair_advice(&own, own.0.load().await).await })
    }

    fn commit(
        &self,
        lease: &Lease,
        commit: Rc<Commit>,
        after: Rc<Snapshot>,
    ) -> LocalFuture<Result<(), BackendError>> {
        let lease = lease.clone();
        self.answer(|client| async move { client.commit(&lease, &commit, &after).await })
    }

    fn checkpoint(&self, lease: &Lease, snapshot: Rc<Snapshot>) -> LocalFuture<Result<(), BackendError>> {
        let lease = lease.clone();
        self.answer(|client| async move { client.checkpoint(&lease, &snapshot).await })
    }

    fn acquire(&self, claim: Claim) -> LocalFuture<Result<Lease, BackendError>> {
        self.answer(|client| async move { client.gateway.acquire(claim).await })
    }

    fn renew(&self, lease: &Lease, now: i64, _: u64) -> LocalFuture<Result<Lease, BackendError>> {
        // A lease of etcd is renewed for as long as it was granted.
        let lease = lease.clone();
        self.answer(|client| async move { client.gateway.renew(&lease, now).await })
    }

    fn release(&self, lease: &Lease) -> LocalFuture<Result<(), BackendError>> {
        let lease = lease.clone();
        self.answer(|client| async move { client.gateway.release(&lease).await })
    }

    fn holder(&self) -> LocalFuture<Result<Option<Holder>, BackendError>> {
        self.answer(|client| async move { client.gateway.holder().await })
    }

    fn unlock(&self, id: &str) -> LocalFuture<Result<(), BackendError>> {
        let id = id.to_owned();
        self.answer(|client| async move { client.gateway.unlock(&id).await })
    }

    fn versions(&self) -> LocalFuture<Result<Vec<Version>, BackendError>> {
        self.answer(|client| async move { client.gateway.versions().await })
    }

    fn version(&self, serial: u64) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        self.answer(|client| async move { client.gateway.version_at(serial).await })
    }
}

impl fmt::Debug for EtcdBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EtcdBackend").field(&self.0.gateway.options.endpoints).finish()
    }
}
