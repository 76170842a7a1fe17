use std::{
    env, fs,
    path::{Path, PathBuf},
    process,
};

use crate::Unavailable;

/// A temporary folder that is removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Result<Self, Unavailable> {
        let failed = "there is no temporary folder";
        let random = getrandom::u32().map_err(|why| Unavailable::new(failed, why))?;
        let path = env::temp_dir().join(format!("planloom-golem-{}-{random:08x}", process::id()));
        fs::create_dir_all(&path).map_err(|why| Unavailable::new(failed, why))?;
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
