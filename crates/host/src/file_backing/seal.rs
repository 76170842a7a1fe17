use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

use serde::{Deserialize, Serialize};
use store::Counters;

use super::{beside, reader::failed};
use crate::{
    file::{bytes::sync_folder, paths::folder},
    new_file::private,
};

/// The start of a seal: its format.
const FORMAT: &str = "planloom.store-seal/1 ";

/// The length of a seal with its end of line, in bytes. It is within one sector, so it is written as a whole.
const LENGTH: usize = 128;

/// A record of how much of a store was acknowledged: the file `store.db.seal`.
///
/// It is written after the record is on the disk, and before the commit returns, so it never says more than there is. It
/// is not waited for: after a power failure it may say less, not after the end of the process.
#[derive(Debug)]
pub(super) struct Seal {
    file: File,
    state: SealState,
}

/// The content of a seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SealState {
    /// Nothing: the store was written by a version without seals, or is new.
    Absent,
    /// It is not as it was written.
    Unreadable,
    /// The acknowledged part.
    Sealed(Acknowledged),
}

/// The part that was acknowledged last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Acknowledged {
    /// The revision of the store. Unlike the length it is not changed by compactions.
    pub(super) revision: u64,
    /// The length of the file, in bytes.
    pub(super) length: u64,
}

impl Seal {
    /// The seal of the store at a path. The file is created if it does not exist; its content stays as it is.
    pub(super) fn open(store: &Path) -> Result<Self, String> {
        let path = beside(store, ".seal");
        let mut options = OpenOptions::new();
        private(options.read(true).write(true).create(true).truncate(false));
        let mut file = options.open(&path).map_err(|why| failed("open", &path, &why))?;
        let mut bytes = Vec::new();
        let read = Read::by_ref(&mut file).take(LENGTH as u64 + 1).read_to_end(&mut bytes);
        read.map_err(|why| failed("read", &path, &why))?;
        Ok(Self { file, state: read_seal(&bytes) })
    }

    pub(super) const fn state(&self) -> SealState {
        self.state
    }

    /// Says that all up to these counters was acknowledged, in a file of that length.
    pub(super) fn set(&mut self, counters: Counters, length: u64) -> io::Result<()> {
        let acknowledged = Acknowledged { revision: counters.revision.get(), length };
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&write_seal(acknowledged))?;
        self.state = SealState::Sealed(acknowledged);
        Ok(())
    }

    /// Waits until a seal that is new, and its name, are on the disk.
    pub(super) fn sync(&self, store: &Path) -> io::Result<()> {
        self.file.set_len(LENGTH as u64)?;
        self.file.sync_all()?;
        sync_folder(folder(store))
    }
}

/// A line of fixed length: the format, the acknowledged part as JSON, and a checksum of both.
fn write_seal(acknowledged: Acknowledged) -> Vec<u8> {
    // Numbers can always be written.
    let json = serde_json::to_string(&acknowledged).unwrap_or_default();
    let said = format!("{FORMAT}{json}");
    let line = format!("{said} {:08x}", crc32fast::hash(said.as_bytes()));
    format!("{line:<width$}\n", width = LENGTH - 1).into_bytes()
}

fn read_seal(bytes: &[u8]) -> SealState {
    let read = || {
        let line = std::str::from_utf8(bytes).ok().filter(|it| it.len() == LENGTH)?;
        let (said, checksum) = line.trim_end().rsplit_once(' ')?;
        let is_whole = format!("{:08x}", crc32fast::hash(said.as_bytes())) == checksum;
        serde_json::from_str(said.strip_prefix(FORMAT).filter(|_| is_whole)?).ok()
    };
    match bytes {
        [] => SealState::Absent,
        _ => read().map_or(SealState::Unreadable, SealState::Sealed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_read_as_it_was_written_or_not_at_all() {
        for acknowledged in [(0, 20), (7, 1234), (u64::MAX, u64::MAX)] {
            let acknowledged = Acknowledged { revision: acknowledged.0, length: acknowledged.1 };
            let bytes = write_seal(acknowledged);
            assert_eq!((bytes.len(), read_seal(&bytes)), (LENGTH, SealState::Sealed(acknowledged)));
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 2;
                assert_ne!(read_seal(&damaged), SealState::Absent);
                let trimmed = bytes.iter().rposition(|it| *it > b' ').unwrap_or_default();
                assert!(at > trimmed || read_seal(&damaged) == SealState::Unreadable, "byte {at}");
                assert!(at == 0 || read_seal(&bytes[..at]) == SealState::Unreadable, "{at} bytes");
            }
        }
        assert_eq!(read_seal(&[]), SealState::Absent);
    }
}
