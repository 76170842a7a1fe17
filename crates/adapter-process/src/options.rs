use std::{fmt, io, path::PathBuf};

use crate::{Allowed, Limits};

/// What whoever starts the adapter says.
#[derive(Clone, Debug)]
pub struct Options {
    /// The adapter's own folder: records, logs, working folders. It is made, for its owner only, where it is not
    /// there. One adapter at a time uses it.
    pub folder: PathBuf,
    /// What may be run.
    pub allowed: Allowed,
    /// What each process may use at most.
    pub limits: Limits,
    /// The environment that processes get besides what is written for them, `PATH` and `HOME`.
    pub environment: Vec<(String, String)>,
    /// The program that calls [`run_service`](crate::run_service) with the words behind the first one,
    /// [`VERB`](crate::VERB). This program when nothing else is said.
    pub supervisor: PathBuf,
}

/// What processes get of the environment of whoever starts the adapter.
const INHERITED: [&str; 3] = ["LANG", "LC_ALL", "TZ"];

impl Options {
    /// With this folder, this list and the usual limits; LANG, LC_ALL and TZ are handed on.
    pub fn new(folder: impl Into<PathBuf>, allowed: Allowed) -> Self {
        let value = |name: &str| std::env::var(name).ok();
        let inherited = INHERITED.iter().filter_map(|name| Some(((*name).to_owned(), value(name)?)));
        Self {
            folder: folder.into(),
            allowed,
            limits: Limits::default(),
            environment: inherited.collect(),
            supervisor: "/proc/self/exe".into(),
        }
    }
}

/// Why the adapter cannot begin.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// Another adapter uses the folder.
    InUse(PathBuf),
    /// The folder cannot be made, read or written.
    Folder(PathBuf, io::Error),
    /// The folder is a link, or belongs to another user.
    Unsafe(PathBuf),
    /// The system does not tell about processes in `/proc`.
    NoProc,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InUse(path) => write!(f, "another adapter uses `{}`", path.display()),
            Self::Folder(path, error) => write!(f, "cannot use `{}`: {error}", path.display()),
            Self::Unsafe(path) => write!(f, "`{}` is a link, or somebody else's", path.display()),
            Self::NoProc => f.write_str("processes cannot be found again here: there is no `/proc`"),
        }
    }
}

impl std::error::Error for OpenError {}
