use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    os::unix::fs::MetadataExt,
    path::PathBuf,
};

use model::Redactor;
use rustix::fs::{FallocateFlags, fallocate};

use crate::folder::private;

/// The log of a service. Its supervisor appends to the file.
///
/// The beginning of a long file is replaced by a hole that takes no room, so that nothing that is written
/// meanwhile gets lost, and positions in the file stay the same. The file is only truncated if its file system
/// does not support holes.
#[derive(Clone, Debug)]
pub(crate) struct Log(PathBuf);

/// The number of bytes at the end in which the last lines are searched.
const GLANCE: u64 = 16 << 10;

/// The number of bytes before the end that are read in addition, so that no secret is cut at the beginning of
/// the text.
const MARGIN: u64 = 16 << 10;

impl Log {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// Opens the log for appending.
    pub(crate) fn open(&self) -> io::Result<File> {
        private().create(true).append(true).open(&self.0)
    }

    /// The position of its end.
    pub(crate) fn len(&self) -> u64 {
        fs::metadata(&self.0).map_or(0, |it| it.len())
    }

    /// The room on the disk, in bytes.
    fn room(&self) -> u64 {
        fs::metadata(&self.0).map_or(0, |it| it.blocks() * 512)
    }

    /// If it takes more than twice as much room as the limit, keeps that many bytes of its end.
    pub(crate) fn keep_within(&self, limit: u64) -> io::Result<()> {
        if self.room() <= 2 * limit {
            return Ok(());
        }
        let old = self.len().saturating_sub(limit);
        let file = private().write(true).open(&self.0)?;
        let hole = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        match fallocate(&file, hole, 0, old) {
            // A log that is bounded and has lost lines is better than one that fills the disk.
            Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => file.set_len(0),
            other => Ok(other?),
        }
    }

    /// The last bytes, as text without secrets.
    pub(crate) fn tail(&self, bytes: u64, secrets: &Redactor) -> String {
        let (mut tail, more) = (Vec::new(), bytes.saturating_add(MARGIN));
        // If reading fails, the bytes that were read so far are returned.
        _ = self.open_end(more).and_then(|it| it.take(more).read_to_end(&mut tail));
        let hole = tail.iter().take_while(|byte| **byte == 0).count();
        let before = tail.len().saturating_sub(usize::try_from(bytes).unwrap_or(usize::MAX)).max(hole);
        let (before, end) =
            (String::from_utf8_lossy(&tail[hole..before]), String::from_utf8_lossy(&tail[before..]));
        secrets.tail(&format!("{before}{end}"), before.len())
    }

    fn open_end(&self, bytes: u64) -> io::Result<File> {
        let mut file = File::open(&self.0)?;
        let len = file.metadata()?.len();
        file.seek(SeekFrom::Start(len.saturating_sub(bytes)))?;
        Ok(file)
    }

    /// The last lines that are not empty, oldest first, without secrets.
    pub(crate) fn last_lines(&self, lines: usize, secrets: &Redactor) -> Vec<String> {
        let tail = self.tail(GLANCE, secrets);
        let filled = tail.lines().map(str::trim_end).filter(|it| !it.is_empty());
        let mut last: Vec<String> =
            filled.rev().take(lines).map(|it| it.chars().take(300).collect()).collect();
        last.reverse();
        last
    }

    pub(crate) fn reader(&self, from: u64) -> Reader {
        // A hole may be large.
        let from = from.max(self.len().saturating_sub(self.room()));
        Reader { path: self.0.clone(), at: from, kept: Vec::new() }
    }
}

/// Searches for a text in what is written after a position.
#[derive(Debug)]
pub(crate) struct Reader {
    path: PathBuf,
    at: u64,
    /// The end of what was read, in which the text may begin.
    kept: Vec<u8>,
}

impl Reader {
    /// True if the text was written since.
    pub(crate) fn finds(&mut self, text: &str) -> bool {
        let (text, mut buffer) = (text.as_bytes(), vec![0; 64 << 10]);
        let Ok(mut file) = File::open(&self.path) else { return false };
        let len = file.metadata().map_or(0, |it| it.len());
        if len < self.at {
            // The file had to be truncated.
            self.at = 0;
        }
        let mut left = len - self.at;
        if file.seek(SeekFrom::Start(self.at)).is_err() {
            return false;
        }
        while left > 0 {
            let Ok(count @ 1..) = file.read(&mut buffer) else { break };
            (self.at, left) = (self.at + count as u64, left.saturating_sub(count as u64));
            self.kept.extend_from_slice(&buffer[..count]);
            if self.kept.windows(text.len().max(1)).any(|it| it == text) {
                return true;
            }
            let surplus = self.kept.len().saturating_sub(text.len());
            self.kept.drain(..surplus);
        }
        text.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn log(name: &str) -> Log {
        let path = std::env::temp_dir().join(format!("planloom-log-{}-{name}", std::process::id()));
        _ = fs::remove_file(&path);
        Log::new(path)
    }

    #[test]
    fn it_takes_no_more_room_than_twice_the_limit() {
        let log = log("limit");
        let mut file = log.open().unwrap();
        for n in 0..20_000 {
            writeln!(file, "line {n}").unwrap();
            if n % 100 == 0 {
                log.keep_within(8192).unwrap();
            }
        }
        log.keep_within(8192).unwrap();
        assert!(log.room() <= 2 * 8192, "{}", log.room());
        assert_eq!(log.last_lines(2, &Redactor::default()), ["line 19998", "line 19999"]);
        assert_eq!(log.tail(8, &Redactor::default()), "e 19999\n");
        let all = log.tail(1 << 20, &Redactor::default());
        assert!(all.len() >= 8192 && !all.contains('\0'));
        fs::remove_file(log.0).unwrap();
    }

    #[test]
    fn a_secret_is_hidden_before_lines_are_cut() {
        let log = log("secret");
        let mut secrets = Redactor::default();
        secrets.add("correct horse battery staple");
        let secret = "correct horse battery staple";
        write!(log.open().unwrap(), "{}{secret}{}", "x".repeat(290), "y".repeat(50)).unwrap();
        let line = log.last_lines(1, &secrets).pop().unwrap();
        assert!(line.contains("••••••") && !line.contains("correct"), "{line}");
        assert_eq!(log.tail(60, &secrets), format!("••••••{}", "y".repeat(50)), "nor shown by its end");
        fs::remove_file(log.0).unwrap();
    }

    #[test]
    fn a_text_is_found_across_reads_and_holes() {
        let log = log("finds");
        let mut file = log.open().unwrap();
        write!(file, "ready before").unwrap();
        let mut reader = log.reader(log.len());
        assert!(!reader.finds("ready"));
        write!(file, "{} not yet, re", "x".repeat(100_000)).unwrap();
        assert!(!reader.finds("ready"));
        log.keep_within(4096).unwrap();
        assert!(!reader.finds("ready"));
        write!(file, "ady now").unwrap();
        assert!(reader.finds("ready"));
        assert!(log.reader(0).finds("ready now") && !log.reader(0).finds("before"));
        fs::remove_file(log.0).unwrap();
    }
}
