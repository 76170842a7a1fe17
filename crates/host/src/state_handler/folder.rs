//! Each state is a file, and so is its lock while it is held:
//!
//! ```text
//! shop.state    the last written state, replaced by a rename
//! shop.lock     the holder's description of the lock
//! shop.versions a folder with its versions, where its clients keep any
//! .step         locked while one of the above is read and changed
//! ```

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use state::{BackendError, Version};

use super::{
    history::History,
    lock::{Lock, id_of},
    name::Name,
};
use crate::file::{bytes, mutex};

pub(super) struct Folder {
    path: PathBuf,
}

/// The outcome of a write.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Done,
    /// Another client holds the lock, which is returned.
    Held(Vec<u8>),
    /// The given lock is not held any more.
    NotHeld,
}

impl Folder {
    pub(super) fn open(path: PathBuf) -> io::Result<Self> {
        bytes::make_folder(&path)?;
        Ok(Self { path: path.canonicalize()? })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn read(&self, name: &Name) -> Result<Option<Vec<u8>>, BackendError> {
        bytes::read(&self.state(name))
    }

    /// Writes with that lock, or without one.
    pub(super) fn write(
        &self,
        name: &Name,
        under: Option<&str>,
        text: &[u8],
    ) -> Result<Outcome, BackendError> {
        self.change(name, under, || bytes::replace(&self.state(name), text))
    }

    /// Deletes with that lock, or without one. It is no error if there is no state.
    pub(super) fn delete(&self, name: &Name, under: Option<&str>) -> Result<Outcome, BackendError> {
        self.change(name, under, || {
            self.remove(&self.state(name))?;
            self.history(name).clear()
        })
    }

    /// The stored versions, latest first.
    pub(super) fn versions(&self, name: &Name) -> Result<Vec<Version>, BackendError> {
        self.history(name).list()
    }

    pub(super) fn version(&self, name: &Name, serial: u64) -> Result<Option<Vec<u8>>, BackendError> {
        self.history(name).read(serial)
    }

    /// Stores a version with that lock, or without one.
    pub(super) fn keep(
        &self,
        name: &Name,
        under: Option<&str>,
        serial: u64,
        resources: usize,
        text: &[u8],
    ) -> Result<Outcome, BackendError> {
        let version = Version { serial, at: 0, resources };
        self.change(name, under, || self.history(name).keep(&version, text))
    }

    /// Takes the lock, unless it is held, also by the same client.
    pub(super) fn lock(&self, name: &Name, lock: &Lock) -> Result<Outcome, BackendError> {
        let _step = self.step()?;
        let path = self.lock_of(name);
        match bytes::read(&path)? {
            Some(held) => Ok(Outcome::Held(held)),
            None => bytes::replace(&path, &lock.text).map(|()| Outcome::Done),
        }
    }

    /// Releases the lock of that id. It is no error if it is not held.
    pub(super) fn unlock(&self, name: &Name, lock: &Lock) -> Result<Outcome, BackendError> {
        let _step = self.step()?;
        let path = self.lock_of(name);
        match bytes::read(&path)? {
            Some(held) if id_of(&held).as_ref() != Some(&lock.id) => Ok(Outcome::Held(held)),
            Some(_) => self.remove(&path).map(|()| Outcome::Done),
            None => Ok(Outcome::Done),
        }
    }

    /// Removes the lock of any holder.
    pub(super) fn free(&self, name: &Name) -> Result<Outcome, BackendError> {
        let _step = self.step()?;
        self.remove(&self.lock_of(name)).map(|()| Outcome::Done)
    }

    fn change(
        &self,
        name: &Name,
        under: Option<&str>,
        change: impl FnOnce() -> Result<(), BackendError>,
    ) -> Result<Outcome, BackendError> {
        let _step = self.step()?;
        match (bytes::read(&self.lock_of(name))?, under) {
            (Some(held), under) if id_of(&held).as_deref() != under => Ok(Outcome::Held(held)),
            (None, Some(_)) => Ok(Outcome::NotHeld),
            _ => change().map(|()| Outcome::Done),
        }
    }

    /// Locks out other programs and other steps while a step reads and changes files.
    fn step(&self) -> Result<fs::File, BackendError> {
        mutex::exclusive(&self.path.join(".step"))
    }

    fn remove(&self, path: &Path) -> Result<(), BackendError> {
        let removed = bytes::remove(path).and_then(|()| bytes::sync_folder(&self.path));
        removed.map_err(|why| bytes::failed("remove", path, &why))
    }

    fn history(&self, name: &Name) -> History {
        History(self.path.join(format!("{name}.versions")))
    }

    fn state(&self, name: &Name) -> PathBuf {
        self.path.join(format!("{name}.state"))
    }

    fn lock_of(&self, name: &Name) -> PathBuf {
        self.path.join(format!("{name}.lock"))
    }
}
