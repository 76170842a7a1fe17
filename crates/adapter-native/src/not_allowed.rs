use std::{fmt, path::Path};

/// The reason why an entry cannot be on the list of what an adapter may use.
#[derive(Debug)]
pub struct NotAllowed {
    what: String,
    why: String,
}

impl NotAllowed {
    /// An error for the entry as it was given, and the reason.
    pub fn new(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self { what: what.into(), why: why.into() }
    }

    /// The same for a path.
    pub fn path(path: &Path, why: impl Into<String>) -> Self {
        Self::new(path.display().to_string(), why)
    }
}

impl fmt::Display for NotAllowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` cannot be allowed: {}", self.what, self.why)
    }
}

impl std::error::Error for NotAllowed {}
