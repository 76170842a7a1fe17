//! States in the browser's database.
//!
//! For each deployment: a head (lineage, serial, holder, list of versions), the whole state as of the last checkpoint,
//! and the commits since. A commit is one transaction that is on the disk when it is over; it is only kept when its
//! serial is the next and its lease is the one in the head.
//!
//! A lease is a lock of the browser, which ends with its tab, and an entry in the head, which tells others who the
//! holder is. If the browser has no such locks, the entry's time counts. A lease that was not renewed in time is
//! stolen.

use std::{cell::RefCell, fmt, rc::Rc};

use js_sys::encode_uri_component;
use protocol::LocalFuture;
use runtime::Timer;
use serde::{Deserialize, Serialize};
use state::{
    Backend, BackendError, Claim, Commit, HISTORY, Holder, Lease, Snapshot, Version, with_repair_advice,
};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

use crate::{
    Database, Found, Mode, Put, Reads,
    locks::{self, HeldLock},
};

/// The state of one deployment; its copies hold the same lock.
#[derive(Clone)]
pub struct IndexedBackend(Rc<Inner>);

struct Inner {
    database: Database,
    /// The deployment's name, as it stands in keys.
    name: String,
    timer: Rc<dyn Timer>,
    lock: RefCell<Option<HeldLock>>,
}

/// The known head of a state, without reading it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Head {
    lineage: String,
    serial: u64,
    holder: Option<Holder>,
    versions: Vec<Version>,
}

impl fmt::Debug for IndexedBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexedBackend").field("name", &self.0.name).finish_non_exhaustive()
    }
}

impl IndexedBackend {
    /// The state of a deployment.
    pub fn new(database: Database, deployment: &str, timer: Rc<dyn Timer>) -> Self {
        let name = encode_uri_component(deployment).into();
        Self(Rc::new(Inner { database, name, timer, lock: RefCell::default() }))
    }
}

impl Inner {
    fn key(&self, what: &str) -> String {
        format!("{what}/{}", self.name)
    }

    /// The key of the commit or version with that serial; the order of the keys is that of the serials.
    fn numbered(&self, what: &str, serial: u64) -> String {
        format!("{what}/{}/{serial:020}", self.name)
    }

    fn put(&self, head: &Head) -> Put {
        Put::Text(self.key("head"), serde_json::to_string(head).unwrap_or_default())
    }

    /// Reads the head and writes what `decide` says.
    async fn with_head<T: 'static>(
        self: Rc<Self>,
        mode: Mode,
        decide: impl FnOnce(&Self, Head) -> Result<(Vec<Put>, T), BackendError> + 'static,
    ) -> Result<T, BackendError> {
        let (this, reads) = (self.clone(), Reads { keys: vec![self.key("head")], range: None });
        let decide = move |found: Found| decide(&this, head(found.texts.first().cloned().flatten())?);
        self.database.transact(mode, reads, decide).await
    }

    async fn load(self: Rc<Self>) -> Result<Option<Snapshot>, BackendError> {
        let log = (self.numbered("log", 0), self.numbered("log", u64::MAX));
        let reads = Reads { keys: vec![self.key("whole")], range: Some(log) };
        let found = self.database.transact(Mode::Read, reads, |found| Ok((Vec::new(), found))).await?;
        let Some(whole) = found.texts.into_iter().flatten().next() else { return Ok(None) };
        let mut snapshot = read(&whole)?;
        for line in found.range {
            let commit =
                Commit::read(&line).map_err(|why| BackendError::Corrupt(format!("a commit: {why}")))?;
            if !snapshot.take(&commit) {
                return Err(BackendError::Corrupt(format!("commit {} is missing", snapshot.serial + 1)));
            }
        }
        Ok(Some(snapshot))
    }

    fn commit(
        &self,
        head: Head,
        lease: &Lease,
        commit: &Commit,
        after: &Snapshot,
    ) -> Result<Vec<Put>, BackendError> {
        head.holds(lease)?;
        let is_new = head.serial == 0;
        commit.follows((!is_new).then_some((&*head.lineage, head.serial)), after)?;
        let head = Head { lineage: after.lineage.clone(), serial: commit.serial, ..head };
        let kept = if is_new {
            Put::Text(self.key("whole"), after.to_text())
        } else {
            Put::Text(self.numbered("log", commit.serial), commit.to_line())
        };
        Ok(vec![self.put(&head), kept])
    }

    fn checkpoint(
        &self,
        mut head: Head,
        lease: &Lease,
        snapshot: &Snapshot,
    ) -> Result<Vec<Put>, BackendError> {
        head.holds(lease)?;
        let (serial, text) = (snapshot.serial, snapshot.to_text());
        if serial != head.serial {
            return Err(BackendError::Stale { requested: serial, kept: head.serial });
        }
        let version = Version { serial, at: self.timer.now().0, resources: snapshot.resources.len() };
        head.versions.retain(|it| it.serial != serial);
        head.versions.insert(0, version);
        let old = head.versions.split_off(head.versions.len().min(HISTORY));
        let mut puts = vec![
            self.put(&head),
            Put::Text(self.key("whole"), text.clone()),
            Put::Text(self.numbered("version", serial), text),
            Put::NothingBetween(self.numbered("log", 0), self.numbered("log", serial)),
        ];
        puts.extend(old.iter().map(|it| Put::Nothing(self.numbered("version", it.serial))));
        Ok(puts)
    }

    async fn acquire(self: Rc<Self>, claim: Claim) -> Result<Lease, BackendError> {
        let (now, id) = (claim.now, claim.id.clone());
        let lock = match self.clone().lock(false).await {
            Lock::Elsewhere => {
                let holder = self.clone().holder().await?;
                if let Some(holder) = holder.filter(|it| it.until > now) {
                    return Err(BackendError::Locked(Box::new(holder)));
                }
                self.clone().lock(true).await
            }
            lock => lock,
        };
        let is_alone = matches!(lock, Lock::Held(_));
        let until = now.saturating_add_unsigned(claim.ttl);
        let holder = Holder { id, who: claim.who, operation: claim.operation, since: now, until };
        let lease = Lease { token: holder.id.clone(), holder: holder.clone() };
        let taken = self.clone().with_head(Mode::Strict, move |this, head| {
            // The lock shows that the tab of the holder in the head is gone.
            if let Some(other) = head.holder.as_ref().filter(|it| !is_alone && it.until > now) {
                return Err(BackendError::Locked(Box::new(other.clone())));
            }
            let head = Head { holder: Some(holder), ..head };
            Ok((vec![this.put(&head)], ()))
        });
        let taken = taken.await;
        if let Lock::Held(lock) = lock {
            *self.lock.borrow_mut() = Some(lock);
        }
        if taken.is_err() {
            self.let_go();
        }
        taken.map(|()| lease)
    }

    async fn lock(self: Rc<Self>, steal: bool) -> Lock {
        match JsFuture::from(locks::hold(&self.lock_name(), steal)).await {
            Ok(lock) if lock.is_null() => Lock::Elsewhere,
            Ok(lock) if lock.is_object() => Lock::Held(lock.unchecked_into()),
            _ => Lock::Unknown,
        }
    }

    fn lock_name(&self) -> String {
        format!("planloom/state/{}", self.name)
    }

    /// The holder in the head; `None` if the browser knows that the holder's tab is gone.
    async fn holder(self: Rc<Self>) -> Result<Option<Holder>, BackendError> {
        let name = self.lock_name();
        let holder = self.with_head(Mode::Read, |_, head| Ok((Vec::new(), head.holder))).await?;
        if holder.is_none() {
            return Ok(None);
        }
        let is_held = JsFuture::from(locks::is_held(&name)).await;
        let is_gone = is_held.is_ok_and(|it| it.as_bool() == Some(false));
        Ok(holder.filter(|_| !is_gone))
    }

    async fn release(self: Rc<Self>, lease: Lease) -> Result<(), BackendError> {
        let released = self.clone().with_head(Mode::Strict, move |this, head| {
            let is_held = head.holds(&lease).is_ok();
            let head = Head { holder: None, ..head };
            Ok((if is_held { vec![this.put(&head)] } else { Vec::new() }, is_held))
        });
        let released = released.await;
        // Only then: the next holder of the lock must not be taken for the previous one.
        self.let_go();
        released.map(drop)
    }

    async fn unlock(self: Rc<Self>, id: String) -> Result<(), BackendError> {
        let unlocked = self.clone().with_head(Mode::Strict, move |this, head| match &head.holder {
            Some(holder) if holder.id != id => Err(BackendError::Locked(Box::new(holder.clone()))),
            None => Ok((Vec::new(), false)),
            Some(_) => Ok((vec![this.put(&Head { holder: None, ..head })], true)),
        });
        if unlocked.await?
            && let Lock::Held(lock) = self.lock(true).await
        {
            lock.release();
        }
        Ok(())
    }

    fn let_go(&self) {
        self.lock.borrow_mut().take().iter().for_each(HeldLock::release);
    }
}

/// The result of asking for the browser's lock.
enum Lock {
    Held(HeldLock),
    /// Another live tab has it.
    Elsewhere,
    /// The browser has no locks.
    Unknown,
}

impl Head {
    fn holds(&self, lease: &Lease) -> Result<(), BackendError> {
        let is_held = self.holder.as_ref().is_some_and(|it| it.id == lease.holder.id);
        if is_held { Ok(()) } else { Err(BackendError::LeaseLost) }
    }
}

fn head(text: Option<String>) -> Result<Head, BackendError> {
    let Some(text) = text else { return Ok(Head::default()) };
    serde_json::from_str(&text)
        .map_err(|error| BackendError::Corrupt(format!("the head of the state: {error}")))
}

fn read(text: &str) -> Result<Snapshot, BackendError> {
    Snapshot::read(text).map_err(|why| BackendError::Corrupt(format!("the state: {why}")))
}

impl Backend for IndexedBackend {
    fn load(&self) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        let own = self.clone();
        Box::pin(async move { with_repair_advice(&own, own.0.clone().load().await).await })
    }

    fn commit(
        &self,
        lease: &Lease,
        commit: Rc<Commit>,
        after: Rc<Snapshot>,
    ) -> LocalFuture<Result<(), BackendError>> {
        let lease = lease.clone();
        let decide = move |this: &Inner, head| Ok((this.commit(head, &lease, &commit, &after)?, ()));
        Box::pin(self.0.clone().with_head(Mode::Strict, decide))
    }

    fn checkpoint(&self, lease: &Lease, snapshot: Rc<Snapshot>) -> LocalFuture<Result<(), BackendError>> {
        let lease = lease.clone();
        let decide = move |this: &Inner, head| Ok((this.checkpoint(head, &lease, &snapshot)?, ()));
        Box::pin(self.0.clone().with_head(Mode::Strict, decide))
    }

    fn acquire(&self, claim: Claim) -> LocalFuture<Result<Lease, BackendError>> {
        Box::pin(self.0.clone().acquire(claim))
    }

    fn renew(&self, lease: &Lease, now: i64, ttl: u64) -> LocalFuture<Result<Lease, BackendError>> {
        let lease = lease.clone();
        Box::pin(self.0.clone().with_head(Mode::Relaxed, move |this, head| {
            head.holds(&lease)?;
            let holder = Holder { until: now.saturating_add_unsigned(ttl), ..lease.holder.clone() };
            let head = Head { holder: Some(holder.clone()), ..head };
            Ok((vec![this.put(&head)], Lease { holder, token: lease.token.clone() }))
        }))
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
        Box::pin(self.0.clone().with_head(Mode::Read, |_, head| Ok((Vec::new(), head.versions))))
    }

    fn version(&self, serial: u64) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        let this = self.0.clone();
        Box::pin(async move {
            let reads = Reads { keys: vec![this.numbered("version", serial)], range: None };
            let found = this.database.transact(Mode::Read, reads, |found| Ok((Vec::new(), found))).await?;
            found.texts.into_iter().flatten().next().map(|text| read(&text)).transpose()
        })
    }
}
