use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    OpenError,
    log::Log,
    process::{self, Birth},
};

/// The adapter's own folder. Nobody else may look into it.
///
/// ```text
/// lock                    held while an adapter uses it; the process that it lives in
/// networks/<id>.json
/// services/<id>/record.json, log, work/
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Opens it and takes its lock, which is held until the file is dropped.
    pub(crate) fn open(root: PathBuf) -> Result<(Self, File), OpenError> {
        let failed = |error| OpenError::Folder(root.clone(), error);
        make(&root).map_err(failed)?;
        let data = fs::symlink_metadata(&root).map_err(failed)?;
        if !data.is_dir() || data.uid() != rustix::process::geteuid().as_raw() {
            return Err(OpenError::Unsafe(root));
        }
        fs::set_permissions(&root, fs::Permissions::from_mode(0o700)).map_err(failed)?;
        let lock = private().create(true).write(true).truncate(false).open(lock_of(&root)).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(OpenError::InUse(root)),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // Without it, who finds the lock taken does not know by whom; a full disk is no reason not to begin.
        drop(sign(&lock));
        // Processes start elsewhere, so a path that depends on where this one started would not do.
        let root = fs::canonicalize(&root).map_err(failed)?;
        let folder = Self { root };
        for name in ["networks", "services"] {
            make(&folder.root.join(name)).map_err(failed)?;
        }
        Ok((folder, lock))
    }

    /// Whether the process that took the lock has ended: only a child that it was just starting still has the lock.
    pub(crate) fn is_abandoned(root: &Path) -> bool {
        read::<Birth>(&lock_of(root)).is_some_and(|holder| holder.alive().is_none())
    }

    /// The folder as it is, to be read only.
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

    /// The folder that a service starts in where it names none.
    pub(crate) fn work(&self, id: &str) -> PathBuf {
        self.service(id).join("work")
    }

    /// Makes a service's folders.
    pub(crate) fn make_service(&self, id: &str) -> io::Result<()> {
        make(&self.service(id))?;
        make(&self.work(id))
    }

    /// Removes a service's folders; that there are none is no error.
    pub(crate) fn remove_service(&self, id: &str) -> io::Result<()> {
        absent_is_fine(fs::remove_dir_all(self.service(id)))
    }

    /// Removes what whoever was killed had not made, or not removed, to its end: files beside those that they were to
    /// replace, and folders of services without a record, unless something of theirs may run.
    pub(crate) fn remove_unrecorded(&self, may_run: impl Fn(&str) -> bool) {
        let entries = |name: &str| fs::read_dir(self.root.join(name)).into_iter().flatten().flatten();
        // What cannot be removed is met again the next time.
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

    /// What is kept of all networks, or of all services; what cannot be read is passed over.
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

/// What a file is called until it is written to its end.
const UNFINISHED: &str = "new";

fn lock_of(root: &Path) -> PathBuf {
    root.join("lock")
}

/// Writes into the lock which process has it.
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

pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Writes a file so that a reader finds the old or the new, whenever this program dies.
pub(crate) fn write(path: &Path, value: &impl Serialize) -> io::Result<()> {
    let beside = path.with_extension(UNFINISHED);
    let mut file = private().create(true).write(true).truncate(true).open(&beside)?;
    file.write_all(&serde_json::to_vec(value)?)?;
    fs::rename(beside, path)
}

pub(crate) fn absent_is_fine(result: io::Result<()>) -> io::Result<()> {
    result.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// For files that only their owner may read.
pub(crate) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

fn make(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}
