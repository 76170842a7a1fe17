use std::{
    fs::{self, Metadata, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use host::{Readers, create_file};

/// No file system follows more links than this.
const LINKS: usize = 40;

/// Writes to the target of `path`. A file is written whole or not at all, and keeps its owner: it is written under
/// another name beside it first, then moved to its place. Pipes, terminals and the like are written to directly.
pub(crate) fn save(path: &Path, text: &str) -> io::Result<()> {
    save_for(path, text, Readers::AsBefore)
}

/// The same, but only the owner may read the file, also if others could read it before.
pub(crate) fn save_private(path: &Path, text: &str) -> io::Result<()> {
    save_for(path, text, Readers::Owner)
}

fn save_for(path: &Path, text: &str, readers: Readers) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::Error::other("it is a directory")),
        Ok(found) if found.is_file() => {
            // Who may not write to it may not put another in its place either.
            OpenOptions::new().write(true).open(path)?;
            replace(&fs::canonicalize(path)?, text, Some(&found), readers)
        }
        Ok(_) => OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            replace(&end_of_links(path)?, text, None, readers)
        }
        Err(error) => Err(error),
    }
}

/// The target of links that lead to a path that does not exist yet.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = fs::read_link(&path) else { return Ok(path) };
        path = path.parent().map_or_else(|| next.clone(), |folder| folder.join(&next));
    }
    Err(io::Error::other("its links form a cycle"))
}

fn replace(path: &Path, text: &str, found: Option<&Metadata>, readers: Readers) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::other("it is not the name of a file"))?;
    let temporary = path.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    // An earlier run of the same number may have been cut off.
    drop(fs::remove_file(&temporary));
    let written =
        create_file(&temporary, text.as_bytes(), found, readers).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // What was begun is of no use; that it cannot be removed either is not worth another message.
        drop(fs::remove_file(&temporary));
    }
    written
}
