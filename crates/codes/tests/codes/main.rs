//! All codes are documented, and what is documented is what is reported.

mod entries;
mod reference;
mod sources;
mod suite;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The repository's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder whose names have one of these endings, without what is built or installed.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|it| it.expect("an entry").path()) {
        let name = entry.file_name().and_then(|it| it.to_str()).unwrap_or_default().to_owned();
        if entry.is_dir() && !["node_modules", "target", "dist"].contains(&&*name) {
            found.extend(files(&entry, endings));
        } else if endings.iter().any(|it| name.ends_with(it)) {
            found.push(entry);
        }
    }
    found.sort();
    found
}
