use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::Path,
};

use super::record::{FRAME, HEADER, is_torn, read_frame};

/// Reads the records of a file, one after the other, and checks them.
pub(super) struct Reader<'a> {
    path: &'a Path,
    file: BufReader<&'a File>,
    /// The offset at which the next record begins.
    offset: u64,
    end: u64,
    content: Vec<u8>,
}

impl<'a> Reader<'a> {
    /// A reader of the records up to `end`.
    pub(super) fn new(path: &'a Path, mut file: &'a File, end: u64) -> Result<Self, String> {
        let offset = HEADER.len() as u64;
        file.seek(SeekFrom::Start(offset)).map_err(|why| failed("read", path, &why))?;
        Ok(Self { path, file: BufReader::with_capacity(1 << 20, file), offset, end, content: Vec::new() })
    }

    /// The offset at which the next record, or the remains of one after a crash, begins.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The content of the next record, and its offset; `None` at the end, also if the rest is a record
    /// that a crash left incomplete.
    ///
    /// # Errors
    /// With file and byte if a record is damaged.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &[u8])>, String> {
        let left = usize::try_from(self.end.saturating_sub(self.offset)).unwrap_or(usize::MAX);
        if left == 0 {
            return Ok(None);
        }
        match self.frame(left)? {
            Some((length, checksum)) if self.content(length)? == checksum => {
                let at = self.offset + FRAME as u64;
                self.offset = at + length as u64;
                Ok(Some((at, &self.content)))
            }
            _ => self.rest().map(|()| None),
        }
    }

    fn frame(&mut self, left: usize) -> Result<Option<(usize, u32)>, String> {
        let mut frame = [0; FRAME];
        let Some(most) = left.checked_sub(FRAME) else { return Ok(None) };
        self.file.read_exact(&mut frame).map_err(|why| failed("read", self.path, &why))?;
        Ok(read_frame(&frame).filter(|(length, _)| *length <= most))
    }

    /// Reads the content, and returns its checksum.
    fn content(&mut self, length: usize) -> Result<u32, String> {
        self.content.resize(length, 0);
        self.file.read_exact(&mut self.content).map_err(|why| failed("read", self.path, &why))?;
        Ok(crc32fast::hash(&self.content))
    }

    /// Checks that the rest was left by a crash.
    fn rest(&mut self) -> Result<(), String> {
        let mut rest = Vec::new();
        let read = self.file.seek(SeekFrom::Start(self.offset));
        let read = read.and_then(|_| (&mut self.file).take(self.end - self.offset).read_to_end(&mut rest));
        read.map_err(|why| failed("read", self.path, &why))?;
        match is_torn(&rest, self.offset) {
            true => Ok(()),
            false => Err(damaged(self.path, self.offset)),
        }
    }
}

pub(super) fn failed(what: &str, path: &Path, why: &io::Error) -> String {
    format!("cannot {what} `{}`: {why}", path.display())
}

pub(super) fn damaged(path: &Path, offset: u64) -> String {
    format!(
        "`{}` is damaged: the record at byte {offset} is not as it was written; the file is left as it is, \
         restore it from a copy",
        path.display()
    )
}
