//! Files that strangers wrote: they lie in `$PLANLOOM_SHARED/data`, or in `../shared/data` beside the repository.
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The YAML files of these folders of the data, also of those inside them, by their names; those that are not on this machine are
/// skipped.
///
/// # Panics
/// When a folder cannot be read to its end.
pub fn of_folders(folders: &[&str]) -> Vec<(String, String)> {
    let shared = std::env::var_os("PLANLOOM_SHARED").map(PathBuf::from);
    let shared = shared.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"));
    let mut open: Vec<PathBuf> = folders.iter().map(|it| shared.join("data").join(it)).collect();
    let mut paths = Vec::new();
    while let Some(path) = open.pop() {
        let Ok(entries) = fs::read_dir(&path) else {
            eprintln!("skipped: there is no {}", path.display());
            continue;
        };
        let (inner, here) =
            entries.map(|it| it.expect("an entry").path()).partition::<Vec<_>, _>(|it| it.is_dir());
        open.extend(inner);
        paths.extend(
            here.into_iter().filter(|it| it.extension().is_some_and(|it| it == "yaml" || it == "yml")),
        );
    }
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        Some((name, fs::read_to_string(&path).ok()?))
    };
    paths.into_iter().filter_map(read).collect()
}
