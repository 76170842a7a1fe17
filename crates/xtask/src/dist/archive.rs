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

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    fn packed(folder: &Path) -> Result<Vec<u8>> {
        let archive = Archive { name: "it-1".into(), time: 7, entries: BTreeMap::new() };
        archive.folder(&folder.join("more"), "")?.program(&folder.join("run"), "run")?.write(folder)?;
        Ok(fs::read(folder.join("it-1.tar.gz"))?)
    }

    #[test]
    fn the_same_files_are_the_same_bytes() -> Result<()> {
        let folder = env::temp_dir().join(format!("planloom-archive-{}", std::process::id()));
        fs::create_dir_all(folder.join("more/man"))?;
        for (name, text) in [("run", "program"), ("more/z.txt", "z"), ("more/man/a.1", "page")] {
            fs::write(folder.join(name), text)?;
        }
        let first = packed(&folder)?;
        fs::write(folder.join("run"), "program")?;
        assert_eq!(packed(&folder)?, first);
        let mut bytes = Vec::new();
        GzDecoder::new(&*first).read_to_end(&mut bytes)?;
        let mut archive = tar::Archive::new(&*bytes);
        let mut found = Vec::new();
        for entry in archive.entries()? {
            let header = entry?;
            let (header, path) = (header.header().clone(), header.path()?.display().to_string());
            found.push((path, header.mode()?, header.mtime()?));
        }
        let expected = [("it-1/man/a.1", 0o644, 7), ("it-1/run", 0o755, 7), ("it-1/z.txt", 0o644, 7)];
        assert_eq!(found, expected.map(|(path, mode, time)| (path.to_owned(), mode, time)));
        Ok(fs::remove_dir_all(folder)?)
    }
}
