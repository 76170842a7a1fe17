use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Where the parts of a state lie.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    pub(super) state: PathBuf,
    pub(super) journal: PathBuf,
    pub(super) lock: PathBuf,
    pub(super) history: PathBuf,
}

/// Links that lead to links; the system follows as many.
const LINKS: usize = 40;

impl Paths {
    /// Those of the file that a path leads to: who comes by another link finds the same.
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
pub(super) fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A file's name with a dot before it and an ending behind: what is not finished.
pub(super) fn unfinished(file: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(file.file_name().unwrap_or_default());
    name.push(".unfinished");
    file.with_file_name(name)
}

/// What a path leads to, be it there or not.
fn target(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match path.read_link() {
            Ok(next) => path = folder(&path).join(next),
            Err(_) => break,
        }
    }
    path
}
