//! A state that `planloom serve` keeps, so that all browsers on it work with the same.
//!
//! A lock there does not end by itself. So a session that wants it first takes the lock of this browser, which ends
//! with its tab, and names the browser in its claim. A session that has the browser's lock knows that a lock there of
//! this browser was left behind.

use std::{cell::RefCell, fmt, rc::Rc};

use protocol::LocalFuture;
use state::{
    Backend, BackendError, Claim, Commit, Holder, Lease, Snapshot, Version, terraform::TerraformBackend,
};

/// The state of one deployment; its copies are the same.
#[derive(Clone)]
pub struct SharedBackend(Rc<Inner>);

struct Inner {
    here: Rc<dyn Backend>,
    there: TerraformBackend,
    /// The suffix of the holder's name in locks of this browser.
    mark: String,
    /// The holder that the last refusal named, until it is asked for.
    refused: RefCell<Option<Holder>>,
}

impl SharedBackend {
    /// The state `there`, with the locks of the browser of that name.
    pub fn new(here: Rc<dyn Backend>, there: TerraformBackend, browser: &str) -> Self {
        let mark = format!(", browser {browser}");
        Self(Rc::new(Inner { here, there, mark, refused: RefCell::default() }))
    }
}

impl Inner {
    async fn acquire(self: Rc<Self>, claim: Claim) -> Result<Lease, BackendError> {
        let lease = self.noted(self.here.acquire(claim.clone()).await)?;
        let who = format!("{}{}", claim.who, self.mark);
        let taken = self.noted(self.take(Claim { who, ..claim }).await);
        if taken.is_err() {
            // The error there says more than an error here might.
            drop(self.here.release(&lease).await);
        }
        taken.map(|()| lease)
    }

    /// Takes the lock there, also from a tab of this browser that is gone.
    async fn take(&self, claim: Claim) -> Result<(), BackendError> {
        match self.there.acquire(claim.clone()).await {
            Err(BackendError::Locked(holder)) if holder.who.ends_with(&self.mark) => {
                self.there.unlock(&holder.id).await?;
                self.there.acquire(claim).await.map(drop)
            }
            taken => taken.map(drop),
        }
    }

    /// Remembers the holder of a lock that was refused.
    fn noted<T>(&self, taken: Result<T, BackendError>) -> Result<T, BackendError> {
        let holder = match &taken {
            Err(BackendError::Locked(holder)) => Some((**holder).clone()),
            _ => None,
        };
        self.refused.replace(holder);
        taken
    }

    async fn release(self: Rc<Self>, lease: Lease) -> Result<(), BackendError> {
        // There first: a session that gets the lock here may treat a lock there as left behind.
        let released = self.there.release(&lease).await;
        released.and(self.here.release(&lease).await)
    }

    async fn unlock(self: Rc<Self>, id: String) -> Result<(), BackendError> {
        self.there.unlock(&id).await?;
        self.refused.replace(None);
        match self.here.holder().await? {
            Some(holder) if holder.id == id => self.here.unlock(&id).await,
            _ => Ok(()),
        }
    }

    async fn holder(self: Rc<Self>) -> Result<Option<Holder>, BackendError> {
        let refused = self.refused.take();
        if refused.is_some() { Ok(refused) } else { self.here.holder().await }
    }
}

impl Backend for SharedBackend {
    fn load(&self) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        self.0.there.load()
    }

    fn commit(
        &self,
        lease: &Lease,
        commit: Rc<Commit>,
        after: Rc<Snapshot>,
    ) -> LocalFuture<Result<(), BackendError>> {
        self.0.there.commit(lease, commit, after)
    }

    fn checkpoint(&self, lease: &Lease, snapshot: Rc<Snapshot>) -> LocalFuture<Result<(), BackendError>> {
        self.0.there.checkpoint(lease, snapshot)
    }

    fn acquire(&self, claim: Claim) -> LocalFuture<Result<Lease, BackendError>> {
        Box::pin(self.0.clone().acquire(claim))
    }

    fn renew(&self, lease: &Lease, now: i64, ttl: u64) -> LocalFuture<Result<Lease, BackendError>> {
        self.0.here.renew(lease, now, ttl)
    }

    fn release(&self, lease: &Lease) -> LocalFuture<Result<(), BackendError>> {
        Box::pin(self.0.clone().release(lease.clone()))
    }

    fn holder(&self) -> LocalFuture<Result<Option<Holder>, BackendError>> {
        Box::pin(self.0.clone().holder())
    }

    fn unlock(&self, id: &str) -> LocalFuture<Result<(), BackendError>> {
        Box::pin(self.0.clone().unlock(id.to_owned()))
    }

    fn versions(&self) -> LocalFuture<Result<Vec<Version>, BackendError>> {
        self.0.there.versions()
    }

    fn version(&self, serial: u64) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        self.0.there.version(serial)
    }
}

impl fmt::Debug for SharedBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedBackend").field("there", &self.0.there).finish_non_exhaustive()
    }
}
