use std::{
    fs,
    io::{self, Write},
    path::Path,
};

/// Writes a file whole or not at all: under another name beside it first, then in its place.
pub(crate) fn save(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::other("it is not the name of a file"))?;
    if path.is_dir() {
        return Err(io::Error::other("it is a directory"));
    }
    let temporary = path.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    let written = write(&temporary, text).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // What was begun is of no use; that it cannot be removed either is not worth another message.
        drop(fs::remove_file(&temporary));
    }
    written
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
