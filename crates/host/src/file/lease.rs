use std::{
    collections::BTreeMap,
    fs::{File, OpenOptions, TryLockError},
    io::{self, Seek, Write},
    sync::{MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};
use state::{BackendError, Claim, Holder, Lease};

use super::{
    bytes::{self, failed, remove},
    disk::Disk,
    mutex,
};
use crate::new_file::private;

/// The files of the leases that this process holds, by their ids: as long as one is open, its lock is held.
pub(super) type Locks = BTreeMap<String, File>;

/// The content of a lock's file.
#[derive(Serialize, Deserialize)]
struct Written {
    #[serde(flatten)]
    holder: Holder,
    pid: u32,
    host: String,
}

impl Disk {
    pub(super) fn acquire(&self, claim: Claim) -> Result<Lease, BackendError> {
        let _step = mutex::exclusive(&self.paths.journal)?;
        let file = match self.take()? {
            Some(file) => file,
            None => self.take_over(claim.now)?,
        };
        let until = claim.now.saturating_add_unsigned(claim.ttl);
        let holder =
            Holder { id: claim.id, who: claim.who, operation: claim.operation, since: claim.now, until };
        self.write(&file, &holder)?;
        self.locks().insert(holder.id.clone(), file);
        Ok(Lease { token: holder.id.clone(), holder })
    }

    /// The lock file, locked; `None` if another process has it.
    fn take(&self) -> Result<Option<File>, BackendError> {
        let path = &self.paths.lock;
        let mut options = OpenOptions::new();
        private(options.read(true).write(true).create(true).truncate(false));
        let file = options.open(path).map_err(|why| failed("open", path, &why))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(why)) => Err(failed("lock", path, &why)),
        }
    }

    /// Takes the lock from a process that is running and does not renew it: a new file replaces the lock
    /// file.
    fn take_over(&self, now: i64) -> Result<File, BackendError> {
        let holder = self.written()?.unwrap_or_default();
        if holder.until > now {
            return Err(BackendError::Locked(Box::new(holder)));
        }
        self.forget()?;
        self.take()?.ok_or_else(|| BackendError::Locked(Box::new(holder)))
    }

    pub(super) fn renew(&self, holder: Holder) -> Result<Lease, BackendError> {
        let _step = mutex::exclusive(&self.paths.journal)?;
        self.held(&holder.id)?;
        let locks = self.locks();
        let file = locks.get(&holder.id).ok_or(BackendError::LeaseLost)?;
        self.write(file, &holder)?;
        Ok(Lease { token: holder.id.clone(), holder })
    }

    pub(super) fn release(&self, id: &str) -> Result<(), BackendError> {
        let _step = mutex::exclusive(&self.paths.journal)?;
        if self.held(id).is_ok() {
            self.forget()?;
        }
        self.locks().remove(id);
        Ok(())
    }

    pub(super) fn holder(&self) -> Result<Option<Holder>, BackendError> {
        let Some(_step) = mutex::shared(&self.paths.journal)? else { return Ok(None) };
        self.present()
    }

    pub(super) fn unlock(&self, id: &str) -> Result<(), BackendError> {
        let Some(_) = mutex::shared(&self.paths.journal)? else { return Ok(()) };
        let _step = mutex::exclusive(&self.paths.journal)?;
        match self.present()? {
            None => Ok(()),
            Some(holder) if holder.id == id => self.forget(),
            Some(holder) => Err(BackendError::Locked(Box::new(holder))),
        }
    }

    /// Checks, within a step, that the lock still belongs to that lease.
    pub(super) fn held(&self, id: &str) -> Result<(), BackendError> {
        let is_open = self.locks().contains_key(id);
        match self.written()? {
            Some(holder) if is_open && holder.id == id => Ok(()),
            _ => Err(BackendError::LeaseLost),
        }
    }

    /// The holder of the lock; `None` if its process is dead.
    fn present(&self) -> Result<Option<Holder>, BackendError> {
        let path = &self.paths.lock;
        let file = match File::open(path) {
            Ok(file) => file,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(why) => return Err(failed("open", path, &why)),
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(None),
            Err(TryLockError::WouldBlock) => self.written(),
            Err(TryLockError::Error(why)) => Err(failed("lock", path, &why)),
        }
    }

    /// The holder in the lock file; `None` while it is written for the first time.
    fn written(&self) -> Result<Option<Holder>, BackendError> {
        let text = bytes::read(&self.paths.lock)?.unwrap_or_default();
        Ok(serde_json::from_slice::<Written>(&text).ok().map(|it| it.holder))
    }

    fn write(&self, mut file: &File, holder: &Holder) -> Result<(), BackendError> {
        let written = Written {
            holder: holder.clone(),
            pid: std::process::id(),
            host: crate::machine().unwrap_or_default(),
        };
        let mut text = serde_json::to_vec(&written).unwrap_or_default();
        text.push(b'\n');
        let write =
            file.rewind().and_then(|()| file.write_all(&text)).and_then(|()| file.set_len(text.len() as u64));
        write.map_err(|why| failed("write", &self.paths.lock, &why))
    }

    /// Removes the lock file: its holder has no lock from then on.
    fn forget(&self) -> Result<(), BackendError> {
        remove(&self.paths.lock).map_err(|why| failed("remove", &self.paths.lock, &why))
    }

    fn locks(&self) -> MutexGuard<'_, Locks> {
        self.locks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
