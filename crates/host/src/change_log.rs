use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use integrity::{ChangeLogEntry, ChangeSink, NotCommitted};
use serde::Serialize;
use serde_json::{Value as Json, json};

/// A log of changes in a file, for its owner only: one line of JSON for each changed resource. It is appended to; only its
/// end is read.
///
/// Lines are given to the system before the change is committed; they survive the end of the process, not that of the machine.
/// A change that is not committed after all is marked by a line below it; a mark that cannot be written is written before the
/// next entry. Copies write to the same log.
#[derive(Clone, Debug)]
pub struct FileChangeLog(Arc<Mutex<Log>>);

#[derive(Debug)]
struct Log {
    file: File,
    /// The lines of marks that could not be written.
    unwritten: Vec<u8>,
}

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
        Ok(Self(Arc::new(Mutex::new(Log { file, unwritten: Vec::new() }))))
    }

    /// Appends a line that is not about a change.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&self, line: &Json) -> io::Result<()> {
        self.log().write(format!("{line}\n").into_bytes())
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compares the log with a store that is at this revision, and marks with one line the entries that are not in it: the
    /// process may have ended between the two, or the store may have lost its last changes. Does nothing if the last entry is
    /// in the store, or such a mark is the last line.
    ///
    /// # Errors
    /// If the log cannot be read or written.
    pub fn mark_beyond(path: &Path, revision: u64) -> io::Result<()> {
        let Some(last) = last_entry(path)? else { return Ok(()) };
        let is_beyond = last["revision"].as_u64().is_some_and(|it| it > revision);
        if !is_beyond {
            return Ok(());
        }
        let mark = json!({"change": "not_committed", "afterRevision": revision});
        OpenOptions::new().append(true).open(path)?.write_all(format!("{mark}\n").as_bytes())
    }
}

/// The last line that is whole and not about a rejected request; `None` if there is none.
fn last_entry(path: &Path) -> io::Result<Option<Json>> {
    let metadata = match fs::metadata(path) {
        Ok(it) => it,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(why),
    };
    if !metadata.is_file() || metadata.len() == 0 {
        return Ok(None);
    }
    let (mut file, length, mut read) = (File::open(path)?, metadata.len(), 1 << 16);
    loop {
        let start = length.saturating_sub(read);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        Read::by_ref(&mut file).take(length - start).read_to_end(&mut bytes)?;
        // The first line may be cut.
        let cut = usize::from(start > 0);
        let lines = bytes.split(|it| *it == b'\n').skip(cut).filter(|it| !it.is_empty());
        let entries = lines.filter_map(|it| serde_json::from_slice::<Json>(it).ok());
        let last = entries.filter(|it| it["change"] != "rejected").last();
        if last.is_some() || start == 0 {
            return Ok(last);
        }
        read *= 4;
    }
}

/// True if the last line has no end. Only a file has one that can be read: a pipe or a terminal has none.
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
        let lines = lines(entries)?;
        self.log().write(lines).map_err(|error| format!("the audit log cannot be written: {error}"))
    }

    fn retract(&self, marks: &[NotCommitted]) {
        // A mark always has a JSON form.
        let lines = lines(marks).unwrap_or_default();
        let mut log = self.log();
        if log.write(lines.clone()).is_err() {
            log.unwritten.extend(lines);
        }
    }
}

fn lines(values: &[impl Serialize]) -> Result<Vec<u8>, String> {
    let mut lines = Vec::new();
    for value in values {
        serde_json::to_writer(&mut lines, value).map_err(|error| format!("it has no JSON form: {error}"))?;
        lines.push(b'\n');
    }
    Ok(lines)
}

impl Log {
    /// Writes these lines, after those that could not be written before: all or nothing.
    fn write(&mut self, lines: Vec<u8>) -> io::Result<()> {
        let mut all = self.unwritten.clone();
        all.extend(lines);
        let length = self.file.metadata().map_or(0, |it| it.len());
        self.file.write_all(&all).inspect_err(|_| {
            // No part of a line remains before the next one.
            drop(self.file.set_len(length));
        })?;
        self.unwritten.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_is_ahead_of_its_store_is_marked_once() {
        let folder = std::env::temp_dir().join(format!("planloom-change-log-ahead-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("audit.jsonl");
        let mark = "{\"change\":\"not_committed\",\"afterRevision\":6}\n";
        let long = format!("{{\"change\":\"creation\",\"x\":\"{}\",\"revision\":7}}\n", "x".repeat(200_000));
        let entry = |revision| format!("{{\"change\":\"creation\",\"revision\":{revision}}}\n");
        for (text, is_ahead) in [
            (String::new(), false),
            (entry(6), false),
            (entry(7), true),
            (entry(8) + &entry(6), false),
            (entry(7) + "{\"change\":\"rejected\",\"status\":404}\n", true),
            (entry(5) + &long, true),
            (long, true),
            (entry(9) + "{\"change\":\"not_committed\",\"revision\":7}\n", true),
            ("{\"cha\n".to_owned(), false),
            (entry(7) + "{\"cha\n", true),
        ] {
            fs::write(&path, &text).unwrap();
            for _ in 0..2 {
                FileChangeLog::mark_beyond(&path, 6).unwrap();
                let expected = if is_ahead { text.clone() + mark } else { text.clone() };
                assert!(fs::read_to_string(&path).unwrap() == expected, "{:.100}", text);
            }
        }
        FileChangeLog::mark_beyond(&folder.join("none"), 6).unwrap();
        assert!(!folder.join("none").exists());
        fs::remove_dir_all(&folder).unwrap();
    }

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
