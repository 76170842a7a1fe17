use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
    sync::{Mutex, PoisonError},
};

use integrity::{ChangeLogEntry, ChangeSink};

/// A log of changes in a file, for its owner only: one line of JSON for each changed resource. It is appended to, never read.
///
/// Lines are given to the system before the change is committed; they survive the end of the process, not that of the machine.
#[derive(Debug)]
pub struct FileChangeLog(Mutex<File>);

impl FileChangeLog {
    /// Opens a log, or creates it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.append(true).create(true).mode(0o600);
        options.open(path).map(|file| Self(Mutex::new(file)))
    }
}

impl ChangeSink for FileChangeLog {
    /// One write for all entries, so that those of a transaction are not mixed with others.
    fn export(&self, entries: &[ChangeLogEntry]) -> Result<(), String> {
        let mut lines = Vec::new();
        for entry in entries {
            serde_json::to_writer(&mut lines, entry)
                .map_err(|error| format!("it has no JSON form: {error}"))?;
            lines.push(b'\n');
        }
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let length = file.metadata().map_or(0, |it| it.len());
        file.write_all(&lines).map_err(|error| {
            // No part of a line remains before the next one.
            drop(file.set_len(length));
            format!("the audit log cannot be written: {error}")
        })
    }
}
