use std::{cell::RefCell, future::ready, rc::Rc};

use js_sys::{Function, Promise, Reflect};
use protocol::LocalFuture;
use state::{Backend, BackendError, Claim, Commit, Holder, Lease, Snapshot, Version};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// A state that two functions of the caller keep: `load()` gives its text or null, `save(text)` keeps it. Both may give
/// promises.
///
/// A commit is saved before it counts, and only over the state that it follows. The lease is that of this call: the
/// caller has to see to it that there is only one writer at a time.
#[derive(Clone)]
pub(super) struct GivenBackend(Rc<Inner>);

struct Inner {
    load: Function,
    save: Function,
    holder: RefCell<Option<Holder>>,
}

impl GivenBackend {
    /// The functions of an object.
    ///
    /// # Errors
    /// The function that is missing, in one line.
    pub(super) fn new(functions: &JsValue) -> Result<Self, String> {
        let function = |name: &str| {
            let found =
                Reflect::get(functions, &name.into()).ok().and_then(|it| it.dyn_into::<Function>().ok());
            found.ok_or_else(|| format!("`backend.{name}` must be a function"))
        };
        let (load, save) = (function("load")?, function("save")?);
        Ok(Self(Rc::new(Inner { load, save, holder: RefCell::default() })))
    }
}

impl Inner {
    async fn load(&self) -> Result<Option<Snapshot>, BackendError> {
        let found = settled(self.load.call0(&JsValue::UNDEFINED)).await?;
        let Some(text) = found.as_string() else { return Ok(None) };
        Snapshot::read(&text).map(Some).map_err(|why| BackendError::Corrupt(format!("the state: {why}")))
    }

    async fn commit(&self, lease: &Lease, commit: &Commit, after: &Snapshot) -> Result<(), BackendError> {
        self.holds(lease)?;
        let kept = self.load().await?;
        commit.follows(kept.as_ref().map(Snapshot::place), after)?;
        settled(self.save.call1(&JsValue::UNDEFINED, &after.to_text().into())).await.map(drop)
    }

    fn holds(&self, lease: &Lease) -> Result<(), BackendError> {
        let is_held = self.holder.borrow().as_ref().is_some_and(|it| it.id == lease.holder.id);
        if is_held { Ok(()) } else { Err(BackendError::LeaseLost) }
    }

    fn acquire(&self, claim: Claim) -> Lease {
        let Claim { id, who, operation, now, ttl } = claim;
        let holder = Holder { id, who, operation, since: now, until: now.saturating_add_unsigned(ttl) };
        self.holder.replace(Some(holder.clone()));
        Lease { token: holder.id.clone(), holder }
    }

    fn renew(&self, lease: &Lease, until: i64) -> Result<Lease, BackendError> {
        self.holds(lease)?;
        let holder = Holder { until, ..lease.holder.clone() };
        self.holder.replace(Some(holder.clone()));
        Ok(Lease { holder, token: lease.token.clone() })
    }
}

/// The value of the promise that a function of the caller returned; an error if it threw or rejected.
async fn settled(called: Result<JsValue, JsValue>) -> Result<JsValue, BackendError> {
    let refused = |error: JsValue| {
        let why = error.dyn_ref::<js_sys::Error>().map_or_else(String::new, |it| it.message().into());
        BackendError::Unavailable(format!("`backend`: {why}"))
    };
    JsFuture::from(Promise::resolve(&called.map_err(refused)?)).await.map_err(refused)
}

impl Backend for GivenBackend {
    fn load(&self) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        let inner = self.0.clone();
        Box::pin(async move { inner.load().await })
    }

    fn commit(
        &self,
        lease: &Lease,
        commit: Rc<Commit>,
        after: Rc<Snapshot>,
    ) -> LocalFuture<Result<(), BackendError>> {
        let (inner, lease) = (self.0.clone(), lease.clone());
        Box::pin(async move { inner.commit(&lease, &commit, &after).await })
    }

    fn checkpoint(&self, lease: &Lease, _: Rc<Snapshot>) -> LocalFuture<Result<(), BackendError>> {
        Box::pin(ready(self.0.holds(lease)))
    }

    fn acquire(&self, claim: Claim) -> LocalFuture<Result<Lease, BackendError>> {
        Box::pin(ready(Ok(self.0.acquire(claim))))
    }

    fn renew(&self, lease: &Lease, now: i64, ttl: u64) -> LocalFuture<Result<Lease, BackendError>> {
        Box::pin(ready(self.0.renew(lease, now.saturating_add_unsigned(ttl))))
    }

    fn release(&self, lease: &Lease) -> LocalFuture<Result<(), BackendError>> {
        if self.0.holds(lease).is_ok() {
            self.0.holder.replace(None);
        }
        Box::pin(ready(Ok(())))
    }

    fn holder(&self) -> LocalFuture<Result<Option<Holder>, BackendError>> {
        Box::pin(ready(Ok(self.0.holder.borrow().clone())))
    }

    fn unlock(&self, _: &str) -> LocalFuture<Result<(), BackendError>> {
        self.0.holder.replace(None);
        Box::pin(ready(Ok(())))
    }

    fn versions(&self) -> LocalFuture<Result<Vec<Version>, BackendError>> {
        Box::pin(ready(Ok(Vec::new())))
    }

    fn version(&self, _: u64) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        Box::pin(ready(Ok(None)))
    }
}
