use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// The paths of a state's files.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    pub(super) state: PathBuf,
    pub(super) journal: PathBuf,
    pub(super) lock: PathBuf,
    pub(super) history: PathBuf,
}

/// The maximum length of a chain of links, which is that of the system.
const LINKS: usize = 40;

impl Paths {
    /// The paths for the file that a path leads to: through any link they are the same.
    pub(super) fn of(path: &Path) -> Self {
        let state = target(path);
        let beside = |ending: &str| {
            let mut name = state.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        Self { journal: beside(".journal"), lock: beside(".lock"), history: beside(".history"), state }
    }

    pub(super) fn version(&self, serial: u64) -> PathBuf {
        self.history.join(format!("{serial}.json"))
    }
}

/// The folder of a file.
pub(crate) fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The name of a file until it is completely written: with a dot before and an extension after it.
pub(crate) fn unfinished(file: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(file.file_name().unwrap_or_default());
    name.push(".unfinished");
    file.with_file_name(name)
}

/// The path without links, whether or not the file exists.
pub(crate) fn target(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match path.read_link() {
            Ok(next) => path = folder(&path).join(next),
            Err(_) => break,
        }
    }
    path
}
