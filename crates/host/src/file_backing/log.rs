use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use super::{
    lock::{is_named, lock_data},
    reader::{Reader, failed},
    record::HEADER,
};
use crate::{
    file::{
        bytes::{remove, sync_folder},
        paths::{folder, unfinished},
    },
    new_file::private,
};

/// A file of records. Bytes beyond its end are not part of it, and are removed before the next record is written.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    file: File,
    /// The end of the last whole record.
    end: u64,
    /// True if it has no header yet, or only a part of it.
    is_headless: bool,
    /// True if there may be anything beyond the end.
    is_longer: bool,
    /// True if the file's name may not be on the disk.
    is_new: bool,
}

impl Log {
    pub(super) fn open(path: PathBuf) -> Result<Self, String> {
        drop(remove(&unfinished(&path)));
        let mut options = OpenOptions::new();
        private(options.read(true).write(true).create(true).truncate(false));
        let file = options.open(&path).map_err(|why| failed("open", &path, &why))?;
        lock_data(&path, &file)?;
        let end = file.metadata().map_err(|why| failed("read", &path, &why))?.len();
        let is_new = !has_header(&path, &file)?;
        Ok(Self { path, file, end, is_headless: is_new, is_longer: false, is_new })
    }

    /// Writes the header, if there is none.
    pub(super) fn begin(&mut self) -> Result<(), String> {
        if !self.is_headless {
            return Ok(());
        }
        self.is_longer |= self.end > 0;
        self.end = 0;
        let written = self.tidy().and_then(|()| self.write(HEADER));
        written.map_err(|why| failed("write", &self.path, &why))?;
        self.is_headless = false;
        Ok(())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) const fn is_headless(&self) -> bool {
        self.is_headless
    }

    pub(super) fn end(&self) -> u64 {
        self.end
    }

    pub(super) fn reader(&self) -> Result<Reader<'_>, String> {
        Reader::new(&self.path, &self.file, self.end)
    }

    /// Sets the end after reading: the remains of a crash are beyond it. The last record may have been written by a
    /// process that was killed before it was on the disk, where it is when this returns.
    pub(super) fn set_end(&mut self, end: u64) -> Result<(), String> {
        self.is_longer |= end != self.end;
        self.end = end;
        self.file.sync_data().map_err(|why| failed("write", &self.path, &why))
    }

    /// Writes a record at the end, on the disk when it returns. Returns its offset.
    ///
    /// # Errors
    /// If it fails; the file is then as before.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<u64, String> {
        self.check_place()?;
        self.begin()?;
        let start = self.end;
        let written = self.tidy().and_then(|()| self.write(bytes));
        let written = written.map_err(|why| failed("write", &self.path, &why));
        written.and_then(|()| self.check_name()).inspect_err(|_| {
            (self.is_longer, self.end) = (true, start);
            // If this fails too, it is done before the next record is written, and readers ignore what is left.
            drop(self.tidy());
        })?;
        Ok(start)
    }

    /// Checks that the file is where it was, and as long as it was.
    fn check_place(&self) -> Result<(), String> {
        self.check_name()?;
        let length = self.file.metadata().map_err(|why| failed("read", &self.path, &why))?.len();
        if length == self.end || (self.is_longer && length > self.end) {
            return Ok(());
        }
        Err(format!(
            "`{}` was changed by another program: it has {length} bytes and was left with {}; nothing is written to it, \
             stop this server and restore the file from a copy",
            self.path.display(),
            self.end
        ))
    }

    /// Checks that the path leads to the open file: writes to another one, or to none, cannot be read again.
    fn check_name(&self) -> Result<(), String> {
        if is_named(&self.path, &self.file) {
            return Ok(());
        }
        Err(format!(
            "`{}` was moved away, deleted or replaced while it was open: nothing is written; move it back, or stop this \
             server and start it with the file that is to be used",
            self.path.display()
        ))
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.is_longer = true;
        self.put(bytes)?;
        self.file.sync_data()?;
        (self.is_longer, self.end) = (false, self.end + bytes.len() as u64);
        Ok(())
    }

    fn put(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(self.end))?;
        file.write_all(bytes)
    }

    fn tidy(&mut self) -> io::Result<()> {
        if self.is_longer {
            self.file.set_len(self.end)?;
            self.file.sync_all()?;
            self.is_longer = false;
        }
        if self.is_new {
            sync_folder(folder(&self.path))?;
            self.is_new = false;
        }
        Ok(())
    }

    /// The file that will replace this one, empty, and locked before it has the other's name.
    pub(super) fn successor(&self) -> Result<Self, String> {
        let path = unfinished(&self.path);
        let open = || -> io::Result<File> {
            remove(&path)?;
            let file = private(OpenOptions::new().read(true).write(true).create_new(true)).open(&path)?;
            file.set_permissions(self.file.metadata()?.permissions())?;
            file.try_lock().map_err(io::Error::from)?;
            Ok(file)
        };
        let file = open().map_err(|why| failed("write", &path, &why))?;
        Ok(Self { path, file, end: 0, is_headless: false, is_longer: false, is_new: false })
    }

    /// Writes at the end, without waiting for the disk.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<u64, String> {
        let start = self.end;
        self.put(bytes).map_err(|why| failed("write", &self.path, &why))?;
        self.end += bytes.len() as u64;
        Ok(start)
    }

    /// Becomes its successor.
    pub(super) fn replace(&mut self, successor: Self) -> Result<(), String> {
        self.check_name()?;
        let rename = || -> io::Result<()> {
            successor.file.sync_all()?;
            fs::rename(&successor.path, &self.path)
        };
        rename().map_err(|why| failed("replace", &self.path, &why))?;
        (self.file, self.end) = (successor.file, successor.end);
        // The old file cannot be reached any more. If the new name cannot be synced now, the next record is not
        // written before it is.
        (self.is_longer, self.is_new) = (false, true);
        drop(self.tidy());
        Ok(())
    }

    /// Lets others open it: a process that is just being started may have a copy of the open file.
    pub(super) fn unlock(&self) {
        drop(self.file.unlock());
    }

    /// Removes a successor that was given up.
    pub(super) fn discard(&self) {
        drop(remove(&unfinished(&self.path)));
    }
}

/// True if it has its first line; false if it is empty, or a crash left a part of that line.
fn has_header(path: &Path, mut file: &File) -> Result<bool, String> {
    let mut start = Vec::new();
    let read = Read::by_ref(&mut file).take(HEADER.len() as u64).read_to_end(&mut start);
    read.map_err(|why| failed("read", path, &why))?;
    if start == HEADER {
        return Ok(true);
    }
    if start.len() < HEADER.len() && HEADER.starts_with(&start) {
        return Ok(false);
    }
    let name = path.display();
    Err(match start.starts_with(b"planloom.store/") {
        true => format!("`{name}` has a format of another version of planloom: open it with that version"),
        false => format!("`{name}` is not a store: it does not begin with `planloom.store/1`"),
    })
}
