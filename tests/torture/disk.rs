use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result};

/// A small disk of its own, which can be full; a plain folder where none can be mounted.
pub(crate) struct Disk {
    path: PathBuf,
    is_mounted: bool,
}

impl Disk {
    pub(crate) fn new(path: PathBuf) -> Result<Self> {
        fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=8m", "tmpfs"]).arg(&path);
        let is_mounted = mount.stderr(Stdio::null()).status().is_ok_and(|it| it.success());
        Ok(Self { path, is_mounted })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// True if it can be filled up at all.
    pub(crate) fn can_be_full(&self) -> bool {
        self.is_mounted
    }

    /// Leaves at most so many bytes of it.
    pub(crate) fn fill(&self, left: usize) -> Result<()> {
        let filler = self.path.join("filler");
        // Written until nothing goes in any more: the error is what is wanted.
        let written = fs::write(&filler, vec![0; 16 * 1024 * 1024]);
        anyhow::ensure!(written.is_err(), "the disk is larger than it should be");
        let length = usize::try_from(fs::metadata(&filler)?.len())?;
        let file = fs::OpenOptions::new().write(true).open(&filler)?;
        Ok(file.set_len(length.saturating_sub(left) as u64)?)
    }

    pub(crate) fn empty(&self) -> Result<()> {
        Ok(fs::remove_file(self.path.join("filler"))?)
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.is_mounted {
            // What still has a file open there keeps it until it ends.
            drop(Command::new("umount").arg("--lazy").arg(&self.path).status());
        }
    }
}
