//! Repair of a state that cannot be read: a version replaces it, and the damaged files are kept beside it.

use std::path::{Path, PathBuf};

use state::{BackendError, Lease, RepairReport, Snapshot};

use super::{
    Client, busy, bytes,
    disk::{Disk, Outcome},
    read::{self, CommitBase},
};

impl Client {
    /// The new serial is greater than all that are or may have been stored.
    pub(super) async fn repair(
        &self,
        lease: &Lease,
        mut snapshot: Snapshot,
    ) -> Result<RepairReport, BackendError> {
        self.known.take();
        let raw = self.on_disk(Disk::read).await?;
        let (stamp, commits) = (raw.stamp, raw.journal.iter().filter(|it| **it == b'\n').count());
        match read::compose(&self.disk.paths, raw, &self.encryption) {
            Err(BackendError::Corrupt(_) | BackendError::Sealed(_)) => {}
            Err(other) => return Err(other),
            Ok(_) => {
                return Err(BackendError::Invalid("the state can be read: nothing has to be fixed".into()));
            }
        }
        let latest = self.on_disk(Disk::versions).await?.first().copied().unwrap_or_default();
        let serial = latest.max(snapshot.serial) + commits as u64 + 1;
        snapshot.serial = serial;
        let (id, whole) = (lease.holder.id.clone(), self.whole(&snapshot)?);
        let done = self.on_disk(move |disk| {
            let aside = disk.set_aside()?;
            Ok((disk.replace(&id, stamp, &whole, Some(serial))?, aside))
        });
        let (Outcome::Done(stamp), aside) = done.await? else { return Err(busy()) };
        self.known.replace(Some(CommitBase::of(&snapshot, stamp)));
        Ok(RepairReport { serial, aside: aside.iter().map(|it| it.display().to_string()).collect() })
    }
}

impl Disk {
    /// Copies the current files; returns the paths of the copies.
    fn set_aside(&self) -> Result<Vec<PathBuf>, BackendError> {
        let mut aside = Vec::new();
        for path in [&self.paths.state, &self.paths.journal] {
            let Some(bytes) = bytes::read(path)?.filter(|it| !it.is_empty()) else { continue };
            let copy = free(path);
            bytes::replace(&copy, &bytes)?;
            aside.push(copy);
        }
        Ok(aside)
    }
}

/// An unused name beside a file: `state.json.unreadable`, `state.json.unreadable-2`.
fn free(path: &Path) -> PathBuf {
    let named = |number: usize| {
        let mut name = path.as_os_str().to_owned();
        name.push(if number > 1 { format!(".unreadable-{number}") } else { ".unreadable".into() });
        PathBuf::from(name)
    };
    let mut number = 1;
    while named(number).exists() {
        number += 1;
    }
    named(number)
}
