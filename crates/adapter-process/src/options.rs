use std::{fmt, io, path::PathBuf};

use crate::{Allowed, Limits};

/// The options of an adapter.
#[derive(Clone, Debug)]
pub struct Options {
    /// The adapter's own folder: records, logs, working folders. If it does not exist, it is created for its
    /// owner only. One adapter at a time uses it.
    pub folder: PathBuf,
    /// The programs that may be run.
    pub allowed: Allowed,
    /// The limits of each process.
    pub limits: Limits,
    /// The environment that processes get besides the variables of their specs, `PATH` and `HOME`.
    pub environment: Vec<(String, String)>,
    /// The program that calls [`run_service`](crate::run_service) with the words after the first one,
    /// [`VERB`](crate::VERB). By default this program.
    pub supervisor: PathBuf,
}

/// The variables of the adapter's environment that processes inherit.
const INHERITED: [&str; 3] = ["LANG", "LC_ALL", "TZ"];

impl Options {
    /// Options with this folder, this list and the default limits; LANG, LC_ALL and TZ are inherited.
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

/// The reason why the adapter cannot start.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// Another adapter uses the folder.
    InUse(PathBuf),
    /// The folder cannot be created, read or written.
    Folder(PathBuf, io::Error),
    /// The folder is a link, or belongs to another user.
    Unsafe(PathBuf),
    /// The system gives no information on processes in `/proc`.
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
