//! Changes of the state that are no run: restoring a version, taking another state in, accepting what was seen.

use std::rc::Rc;

use protocol::hex;
use serde_json::Value as Json;
use state::{Backend, BackendError, Change, Claim, Commit, Lease, Snapshot};

use crate::Host;

/// The time to live of the lease of such a change, in milliseconds.
const TTL: u64 = 30_000;

/// Makes one commit of what is kept, as a version of its own.
///
/// # Errors
/// The error that `make` or the backend returns.
pub async fn write(
    host: &Host,
    backend: &dyn Backend,
    operation: &str,
    make: impl AsyncFnOnce(Option<Snapshot>) -> Result<(Commit, Snapshot), BackendError>,
) -> Result<(), BackendError> {
    let id = hex(&(host.environment.random)());
    let (who, operation, now) =
        (host.environment.who.clone(), operation.to_owned(), host.environment.timer.now().0);
    let lease = backend.acquire(Claim { id, who, operation, now, ttl: TTL }).await?;
    let written = write_held(backend, &lease, make).await;
    let released = backend.release(&lease).await;
    written.and(released)
}

async fn write_held(
    backend: &dyn Backend,
    lease: &Lease,
    make: impl AsyncFnOnce(Option<Snapshot>) -> Result<(Commit, Snapshot), BackendError>,
) -> Result<(), BackendError> {
    let kept = backend.load().await?;
    let (commit, mut after) = make(kept).await?;
    if commit.changes.is_empty() {
        return Ok(());
    }
    if !after.take(&commit) {
        return Err(BackendError::Stale { requested: commit.serial, kept: after.serial });
    }
    let after = Rc::new(after);
    backend.commit(lease, Rc::new(commit), after.clone()).await?;
    backend.checkpoint(lease, after).await
}

/// Restores the resources of that version. Returns the addresses of resources that may exist and are no longer
/// recorded.
///
/// # Errors
/// The version is no longer kept, or the backend refuses.
pub async fn restore(host: &Host, backend: &dyn Backend, serial: u64) -> Result<Vec<String>, BackendError> {
    let mut forgotten = Vec::new();
    write(host, backend, "restore", async |kept| {
        let old = backend.version(serial).await?;
        let (Some(kept), Some(old)) = (kept, old) else {
            return Err(BackendError::Invalid(format!("version {serial} is no longer kept")));
        };
        forgotten = kept.lost_by_restoring(&old).into_iter().map(str::to_owned).collect();
        Ok((kept.restore(&old)?, kept))
    })
    .await?;
    Ok(forgotten)
}

/// A text is the state from now on. Only where none is kept yet, or one of the same deployment.
///
/// # Errors
/// The text is no state, or the state of another deployment.
pub async fn import(host: &Host, backend: &dyn Backend, text: &str) -> Result<(), BackendError> {
    let new =
        Snapshot::read(text).map_err(|why| BackendError::Invalid(format!("this is not a state: {why}")))?;
    write(host, backend, "import", async |kept| match kept {
        Some(kept) => Ok((kept.restore(&new)?, kept)),
        None => {
            let mut lineage = new.lineage.clone();
            if lineage.is_empty() {
                lineage = hex(&(host.environment.random)());
            }
            let empty = Snapshot { serial: 0, resources: Default::default(), lineage, ..new.clone() };
            let put = |(address, entry)| Change::Put(address, Box::new(entry));
            Ok((Commit { serial: 1, changes: new.resources.into_iter().map(put).collect() }, empty))
        }
    })
    .await
}

/// Records the observed value of an attribute.
///
/// # Errors
/// There is no such resource or attribute.
pub async fn accept(
    host: &Host,
    backend: &dyn Backend,
    address: &str,
    path: &str,
    value: &Json,
) -> Result<(), BackendError> {
    write(host, backend, "accept", async |kept| {
        let missing = || BackendError::Invalid(format!("nothing is recorded at {path} of {address}"));
        let kept = kept.ok_or_else(missing)?;
        let mut entry = kept.resources.get(address).cloned().ok_or_else(missing)?;
        let mut spec = Json::Object(std::mem::take(&mut entry.spec));
        set(&mut spec, path, value.clone()).ok_or_else(missing)?;
        if let Json::Object(spec) = spec {
            entry.spec = spec;
        }
        let changes = vec![Change::Put(address.to_owned(), Box::new(entry))];
        Ok((Commit { serial: kept.serial + 1, changes }, kept))
    })
    .await
}

fn set(spec: &mut Json, path: &str, value: Json) -> Option<()> {
    let (parent, last) = path.rsplit_once('/')?;
    let last = last.replace("~1", "/").replace("~0", "~");
    match spec.pointer_mut(parent)? {
        Json::Object(fields) if value.is_null() => drop(fields.shift_remove(&last)),
        Json::Object(fields) => drop(fields.insert(last, value)),
        Json::Array(items) => *items.get_mut(last.parse::<usize>().ok()?)? = value,
        _ => return None,
    }
    Some(())
}
