use std::{cell::RefCell, future::ready, rc::Rc};

use http::Method;
use protocol::{LocalFuture, Transport, percent_encoded};
use runtime::Timer;

use super::{
    TerraformOptions,
    history::written,
    lock::LockInfo,
    server::{RequestOutcome, Server, refusal},
};
use crate::{
    Backend, BackendError, Claim, Commit, Holder, Lease, RepairReport, SealedPart, Snapshot, Version,
    with_repair_advice,
};

/// A state on a server that speaks Terraform's HTTP protocol. Clones share the same client.
#[derive(Clone)]
pub struct TerraformBackend(Rc<Server>);

impl TerraformBackend {
    /// A backend for that server.
    pub fn new(transport: Rc<dyn Transport>, timer: Rc<dyn Timer>, options: TerraformOptions) -> Self {
        Self(Rc::new(Server { transport, timer, options, history: RefCell::default() }))
    }

    /// Deletes the state, permanently.
    ///
    /// # Errors
    /// If the server refuses.
    pub async fn purge(&self, lease: &Lease) -> Result<(), BackendError> {
        let to = self.0.state(lease);
        let answer = self.0.send(&Method::DELETE, &to, &[]).await?;
        match answer.status().as_u16() {
            200..=299 | 404 | 410 => Ok(()),
            409 | 423 => Err(BackendError::LeaseLost),
            _ => Err(refusal(&answer)),
        }
    }

    fn answer<T: 'static, F: Future<Output = Result<T, BackendError>> + 'static>(
        &self,
        work: impl FnOnce(Rc<Server>) -> F,
    ) -> LocalFuture<Result<T, BackendError>> {
        Box::pin(work(self.0.clone()))
    }
}

impl Server {
    /// The address that the state is written to under a lock.
    pub(super) fn state(&self, lease: &Lease) -> String {
        if lease.token.is_empty() {
            return self.options.address.clone();
        }
        let joint = if self.options.address.contains('?') { '&' } else { '?' };
        format!("{}{joint}ID={}", self.options.address, percent_encoded(&lease.token))
    }

    pub(super) async fn load(&self) -> Result<Option<Snapshot>, BackendError> {
        let address = &self.options.address;
        let answer = self.whole(address).await?;
        match answer.status().as_u16() {
            200 if !answer.body().is_empty() => self.read(address, answer.body()).map(Some),
            200 | 204 | 404 => Ok(None),
            _ => Err(refusal(&answer)),
        }
    }

    async fn commit(&self, lease: &Lease, commit: &Commit, after: &Snapshot) -> Result<(), BackendError> {
        commit.follows(self.load().await?.as_ref().map(Snapshot::place), after)?;
        let body = self.options.encryption.close(SealedPart::Snapshot, after.to_text().into_bytes())?;
        self.fits(commit, body.len())?;
        self.write(lease, &body, commit.serial, after).await
    }

    /// Checks that a state of that size can be read again, and that its resources can be destroyed.
    fn fits(&self, commit: &Commit, bytes: usize) -> Result<(), BackendError> {
        let (longest, to_begin) = (self.options.longest, self.options.longest_to_begin);
        let why = if bytes > longest {
            format!(
                "the state would have {}, and at most {} can be read over HTTP",
                size(bytes),
                size(longest)
            )
        } else if bytes > to_begin && commit.may_grow_state() {
            format!(
                "the state would have {}, and over HTTP nothing new is created above {}, so that \
                 everything can still be destroyed",
                size(bytes),
                size(to_begin)
            )
        } else {
            return Ok(());
        };
        Err(BackendError::Unsupported(why))
    }

    async fn write(
        &self,
        lease: &Lease,
        body: &[u8],
        serial: u64,
        after: &Snapshot,
    ) -> Result<(), BackendError> {
        let (to, mut tries) = (self.state(lease), 0);
        loop {
            let why = match self.once(&self.options.update_method, &to, body).await? {
                RequestOutcome::Answer(answer) => return written(&answer),
                RequestOutcome::NotDone(why) => why,
                RequestOutcome::Unclear(why) => match self.load().await? {
                    Some(kept) if kept == *after => return Ok(()),
                    // The request that is in flight may still arrive; sending the same again does no harm.
                    kept if kept.as_ref().map_or(0, |it| it.serial) + 1 == serial => why,
                    kept => {
                        let kept = kept.map_or(0, |it| it.serial);
                        return Err(BackendError::Stale { requested: serial, kept });
                    }
                },
            };
            self.again(&mut tries, why).await?;
        }
    }

    async fn acquire(&self, claim: Claim) -> Result<Lease, BackendError> {
        let info = LockInfo::of(&claim);
        if !self.options.locks {
            return Ok(Lease { holder: info.holder(), token: String::new() });
        }
        let to = self.options.lock_address.as_ref().unwrap_or(&self.options.address);
        let answer = self.send(&self.options.lock_method, to, &body(&info)).await?;
        match (answer.status().as_u16(), LockInfo::read(answer.body())) {
            (200..=299, _) => Ok(Lease { holder: info.holder(), token: claim.id }),
            // An earlier try, whose answer was lost, acquired it.
            (409 | 423, Some(held)) if held.id == claim.id => {
                Ok(Lease { holder: held.holder(), token: claim.id })
            }
            (409 | 423, held) => Err(BackendError::Locked(Box::new(held.unwrap_or_default().holder()))),
            _ => Err(refusal(&answer)),
        }
    }

    async fn give_back(&self, info: &LockInfo) -> Result<(), BackendError> {
        if !self.options.locks {
            return Ok(());
        }
        let to = self.options.unlock_address.as_ref().unwrap_or(&self.options.address);
        let answer = self.send(&self.options.unlock_method, to, &body(info)).await?;
        match (answer.status().as_u16(), LockInfo::read(answer.body())) {
            (200..=299 | 404 | 410, _) => Ok(()),
            (409 | 423, Some(held)) if held.id.is_empty() => Ok(()),
            (409 | 423, held) => Err(BackendError::Locked(Box::new(held.unwrap_or_default().holder()))),
            _ => Err(refusal(&answer)),
        }
    }
}

fn size(bytes: usize) -> String {
    match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        mib => format!("{mib} MiB"),
    }
}

fn body(info: &LockInfo) -> Vec<u8> {
    // Text can always be written.
    serde_json::to_vec(info).unwrap_or_default()
}

impl Backend for TerraformBackend {
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
        self.answer(|server| async move { server.commit(&lease, &commit, &after).await })
    }

    fn checkpoint(&self, lease: &Lease, snapshot: Rc<Snapshot>) -> LocalFuture<Result<(), BackendError>> {
        // Each commit wrote the whole: only the history is left to write.
        let lock = percent_encoded(&lease.token);
        self.answer(|server| async move { server.keep(&lock, &snapshot).await })
    }

    fn acquire(&self, claim: Claim) -> LocalFuture<Result<Lease, BackendError>> {
        self.answer(|server| async move { server.acquire(claim).await })
    }

    fn renew(&self, lease: &Lease, _: i64, _: u64) -> LocalFuture<Result<Lease, BackendError>> {
        // Such a lock does not expire.
        Box::pin(ready(Ok(lease.clone())))
    }

    fn release(&self, lease: &Lease) -> LocalFuture<Result<(), BackendError>> {
        let info = LockInfo::held(&lease.holder);
        self.answer(|server| async move {
            match server.give_back(&info).await {
                Err(BackendError::Locked(_)) => Ok(()),
                other => other,
            }
        })
    }

    fn holder(&self) -> LocalFuture<Result<Option<Holder>, BackendError>> {
        let why = "this server reports the lock's holder only when a client tries to lock";
        Box::pin(ready(Err(BackendError::Unsupported(why.into()))))
    }

    fn unlock(&self, id: &str) -> LocalFuture<Result<(), BackendError>> {
        let info = LockInfo::named(id);
        self.answer(|server| async move { server.give_back(&info).await })
    }

    fn versions(&self) -> LocalFuture<Result<Vec<Version>, BackendError>> {
        self.answer(|server| async move { server.versions().await })
    }

    fn version(&self, serial: u64) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        self.answer(|server| async move { server.version(serial).await })
    }

    fn repair(&self, lease: &Lease, snapshot: Snapshot) -> LocalFuture<Result<RepairReport, BackendError>> {
        let lease = lease.clone();
        self.answer(|server| async move { server.repair(&lease, snapshot).await })
    }
}

impl std::fmt::Debug for TerraformBackend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("TerraformBackend").field(&self.0.options.address).finish()
    }
}
