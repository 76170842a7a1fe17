use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
    sync::{Mutex, PoisonError},
};

use integrity::{ChangeLogEntry, ChangeSink};

/// A log of changes in a file, for its owner only: one line of JSON for each changed resource. It is appended to; only its
/// last character is read.
///
/// Lines are given to the system before the change is committed; they survive the end of the process, not that of the machine.
#[derive(Debug)]
pub struct FileChangeLog(Mutex<File>);

impl FileChangeLog {
    /// Opens a log, or creates it. A last line that is not complete, as after a crash, is ended, so that the next one is readable.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.append(true).create(true).mode(0o600);
        let mut file = options.open(path)?;
        if is_torn(path, &file)? {
            file.write_all(b"\n")?;
        }
        Ok(Self(Mutex::new(file)))
    }
}

/// Whether the last line has no end. Only a file has one that can be read: a pipe or a terminal has none.
fn is_torn(path: &Path, log: &File) -> io::Result<bool> {
    let metadata = log.metadata()?;
    if !metadata.is_file() || metadata.len() == 0 {
        return Ok(false);
    }
    let (mut file, mut last) = (File::open(path)?, [0]);
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_last_line_without_an_end_is_ended_at_the_start() {
        let folder = std::env::temp_dir().join(format!("planloom-change-log-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("audit.jsonl");
        for (before, after) in [("", ""), ("{}\n", "{}\n"), ("{}\n{\"cha", "{}\n{\"cha\n"), ("{", "{\n")] {
            fs::write(&path, before).unwrap();
            FileChangeLog::open(&path).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), after, "{before:?}");
        }
        let absent = folder.join("new.jsonl");
        FileChangeLog::open(&absent).unwrap();
        assert_eq!(fs::read_to_string(absent).unwrap(), "");
        fs::remove_dir_all(&folder).unwrap();
    }
}
