//! The versions of a state: `shop.versions/7-12` is version 7, which has 12 resources.

use std::{fs, io, path::PathBuf, time::UNIX_EPOCH};

use state::{BackendError, HISTORY, Version};

use crate::file::bytes;

/// The folder of the versions of a state.
pub(super) struct History(pub(super) PathBuf);

impl History {
    /// The stored versions, latest first.
    pub(super) fn list(&self) -> Result<Vec<Version>, BackendError> {
        let mut versions: Vec<_> = bytes::entries(&self.0)?.iter().filter_map(version).collect();
        versions.sort_by_key(|it| std::cmp::Reverse(it.serial));
        Ok(versions)
    }

    pub(super) fn read(&self, serial: u64) -> Result<Option<Vec<u8>>, BackendError> {
        let found = self.list()?.into_iter().find(|it| it.serial == serial);
        found.map_or(Ok(None), |it| bytes::read(&self.path(&it)))
    }

    /// Stores a version, and removes an earlier one of the same serial, and the oldest if there are too many.
    pub(super) fn keep(&self, version: &Version, text: &[u8]) -> Result<(), BackendError> {
        bytes::make_folder(&self.0).map_err(|why| bytes::failed("make", &self.0, &why))?;
        bytes::replace(&self.path(version), text)?;
        let is_same = |it: &Version| it.serial == version.serial;
        let (same, others): (Vec<_>, Vec<_>) = self.list()?.into_iter().partition(is_same);
        let same = same.into_iter().filter(|it| it.resources != version.resources);
        same.chain(others.into_iter().skip(HISTORY - 1)).try_for_each(|it| self.remove(&it))
    }

    /// Removes all versions.
    pub(super) fn clear(&self) -> Result<(), BackendError> {
        match fs::remove_dir_all(&self.0) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => Err(bytes::failed("remove", &self.0, &why)),
            _ => Ok(()),
        }
    }

    fn remove(&self, version: &Version) -> Result<(), BackendError> {
        let path = self.path(version);
        bytes::remove(&path).map_err(|why| bytes::failed("remove", &path, &why))
    }

    fn path(&self, version: &Version) -> PathBuf {
        self.0.join(format!("{}-{}", version.serial, version.resources))
    }
}

fn version(entry: &fs::DirEntry) -> Option<Version> {
    let name = entry.file_name();
    let (serial, resources) = name.to_str()?.split_once('-')?;
    let written = entry.metadata().ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let at = i64::try_from(written.as_millis()).ok()?;
    Some(Version { serial: serial.parse().ok()?, at, resources: resources.parse().ok()? })
}
