//! All codes are documented, and what is documented is what is reported.

mod entries;
mod reference;
mod sources;
mod suite;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The repository's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Fails with the names that only one of two sets has, each with what to do about those that only it has.
#[track_caller]
fn assert_same(one: (&BTreeSet<String>, &str), other: (&BTreeSet<String>, &str)) {
    let only = |(names, what): (&BTreeSet<String>, &str), others: &BTreeSet<String>| {
        let names: Vec<&str> = names.difference(others).map(|it| &**it).collect();
        if names.is_empty() { String::new() } else { format!("\n{what}: {}", names.join(", ")) }
    };
    let different = only(one, other.0) + &only(other, one.0);
    assert!(different.is_empty(), "{different}");
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
