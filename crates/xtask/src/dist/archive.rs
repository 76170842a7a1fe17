//! Archives that are the same bytes on every machine: sorted, with one time and no owner.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use tar::{Builder, EntryType, Header};

use super::embed::{files, gzip};
use crate::shell::{command, output};

/// A `.tar.gz` with one folder of its own name in it.
pub(super) struct Archive {
    name: String,
    time: u64,
    entries: BTreeMap<String, (PathBuf, u32)>,
}

impl Archive {
    /// An empty one.
    pub(super) fn new(name: &str) -> Result<Self> {
        Ok(Self { name: name.to_owned(), time: time()?, entries: BTreeMap::new() })
    }

    /// The same with a file.
    pub(super) fn file(self, from: &Path, to: &str) -> Result<Self> {
        self.add(from, to, 0o644)
    }

    /// The same with a program.
    pub(super) fn program(self, from: &Path, to: &str) -> Result<Self> {
        self.add(from, to, 0o755)
    }

    /// The same with everything in a folder, below `to`.
    pub(super) fn folder(mut self, from: &Path, to: &str) -> Result<Self> {
        for path in files(from)? {
            self = self.add(&from.join(&path), &format!("{to}{path}"), 0o644)?;
        }
        Ok(self)
    }

    fn add(mut self, from: &Path, to: &str, mode: u32) -> Result<Self> {
        self.entries.insert(to.to_owned(), (from.to_owned(), mode));
        Ok(self)
    }

    /// Writes it into a folder.
    pub(super) fn write(self, out: &Path) -> Result<()> {
        let mut builder = Builder::new(Vec::new());
        for (path, (from, mode)) in &self.entries {
            let bytes = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
            let mut header = Header::new_gnu();
            header.set_entry_type(EntryType::Regular);
            header.set_mode(*mode);
            header.set_mtime(self.time);
            header.set_size(bytes.len() as u64);
            builder.append_data(&mut header, format!("{}/{path}", self.name), &*bytes)?;
        }
        let packed = gzip(&builder.into_inner()?)?;
        Ok(fs::write(out.join(format!("{}.tar.gz", self.name)), packed)?)
    }
}

/// The time of all entries: `SOURCE_DATE_EPOCH`, or that of the last commit.
fn time() -> Result<u64> {
    let given = env::var("SOURCE_DATE_EPOCH").ok();
    let commit = || output(command("git").args(["log", "-1", "--format=%ct"])).ok();
    let time = given.or_else(commit).unwrap_or_else(|| "0".into());
    time.trim().parse().with_context(|| format!("not a time: {time}"))
}
