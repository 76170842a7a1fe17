use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use ::adapter_native::files::{UNFINISHED, lock, make_folder as make};
pub(crate) use ::adapter_native::files::{absent_is_fine, private, read, write};
use serde::de::DeserializeOwned;

use crate::{
    OpenError,
    log::Log,
    process::{self, Birth},
};

/// The adapter's own folder. Only its owner may read it.
///
/// ```text
/// lock                    held while an adapter uses the folder; contains its process
/// networks/<id>.json
/// services/<id>/record.json, log, work/
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Opens the folder and takes its lock, which is held until the file is dropped.
    pub(crate) fn open(root: PathBuf) -> Result<(Self, File), OpenError> {
        let failed = |error| OpenError::Folder(root.clone(), error);
        make(&root).map_err(failed)?;
        let data = fs::symlink_metadata(&root).map_err(failed)?;
        if !data.is_dir() || data.uid() != rustix::process::geteuid().as_raw() {
            return Err(OpenError::Unsafe(root));
        }
        fs::set_permissions(&root, fs::Permissions::from_mode(0o700)).map_err(failed)?;
        let Some(lock) = lock(&lock_of(&root)).map_err(failed)? else { return Err(OpenError::InUse(root)) };
        // Without this, an adapter that finds the lock taken cannot tell by whom; a full disk is no reason
        // not to start.
        drop(sign(&lock));
        // Processes start in other folders, so a path relative to the current one cannot be used.
        let root = fs::canonicalize(&root).map_err(failed)?;
        let folder = Self { root };
        for name in ["networks", "services"] {
            make(&folder.root.join(name)).map_err(failed)?;
        }
        Ok((folder, lock))
    }

    /// True if the process that took the lock has ended: only a child that it was just starting still holds
    /// the lock.
    pub(crate) fn is_abandoned(root: &Path) -> bool {
        read::<Birth>(&lock_of(root)).is_some_and(|holder| holder.alive().is_none())
    }

    /// The folder without its lock, only for reading.
    pub(crate) const fn at(root: PathBuf) -> Self {
        Self { root }
    }

    pub(crate) fn network(&self, id: &str) -> PathBuf {
        self.root.join("networks").join(format!("{id}.json"))
    }

    pub(crate) fn service(&self, id: &str) -> PathBuf {
        self.root.join("services").join(id)
    }

    pub(crate) fn record(&self, id: &str) -> PathBuf {
        self.service(id).join("record.json")
    }

    pub(crate) fn log(&self, id: &str) -> Log {
        Log::new(self.service(id).join("log"))
    }

    /// The folder that a service starts in if its spec names none.
    pub(crate) fn work(&self, id: &str) -> PathBuf {
        self.service(id).join("work")
    }

    /// Creates the folders of a service.
    pub(crate) fn make_service(&self, id: &str) -> io::Result<()> {
        make(&self.service(id))?;
        make(&self.work(id))
    }

    /// Removes the folders of a service; it is no error if there are none.
    pub(crate) fn remove_service(&self, id: &str) -> io::Result<()> {
        absent_is_fine(fs::remove_dir_all(self.service(id)))
    }

    /// Removes what a killed adapter had not finished creating or removing: files that were to replace others,
    /// and folders of services without a record, unless processes of these services may run.
    pub(crate) fn remove_unrecorded(&self, may_run: impl Fn(&str) -> bool) {
        let entries = |name: &str| fs::read_dir(self.root.join(name)).into_iter().flatten().flatten();
        // What cannot be removed is tried again the next time.
        let unfinished =
            entries("networks").map(|it| it.path()).filter(|it| it.extension() == Some(UNFINISHED.as_ref()));
        unfinished.for_each(|it| drop(fs::remove_file(it)));
        for service in entries("services") {
            let id = service.file_name().to_string_lossy().into_owned();
            if !self.record(&id).exists() && !may_run(&id) {
                drop(self.remove_service(&id));
            }
        }
    }

    /// The records of all networks, or of all services; those that cannot be read are ignored.
    pub(crate) fn all<T: DeserializeOwned>(&self, of: Kept) -> Vec<T> {
        let (name, file) = match of {
            Kept::Networks => ("networks", ""),
            Kept::Services => ("services", "record.json"),
        };
        let entries = fs::read_dir(self.root.join(name)).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|it| it.path()).collect();
        paths.sort();
        paths
            .iter()
            .filter_map(|path| read(&if file.is_empty() { path.clone() } else { path.join(file) }))
            .collect()
    }
}

fn lock_of(root: &Path) -> PathBuf {
    root.join("lock")
}

/// Writes the process that holds the lock into the lock file.
fn sign(mut lock: &File) -> io::Result<()> {
    let own = process::stat(std::process::id()).map(|it| it.birth());
    lock.set_len(0)?;
    lock.write_all(&serde_json::to_vec(&own)?)
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kept {
    Networks,
    Services,
}
