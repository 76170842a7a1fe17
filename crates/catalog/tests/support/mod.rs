//! What strangers wrote, where it is there.
#![expect(clippy::print_stderr, reason = "a test says what it passes over")]

use std::path::PathBuf;

/// Where a file or folder of third parties would be; says so and gives nothing where it is not.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if !path.exists() {
        eprintln!("skipped: there is no {name} here");
        return None;
    }
    Some(path)
}
