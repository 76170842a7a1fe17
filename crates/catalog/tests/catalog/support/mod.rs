//! Files of third parties, if they are available.
#![expect(clippy::print_stderr, reason = "a test says what it passes over")]

use std::path::PathBuf;

/// The path of a third party's file or folder; if it is missing, reports it and returns `None`.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if !path.exists() {
        eprintln!("skipped: there is no {name} here");
        return None;
    }
    Some(path)
}
