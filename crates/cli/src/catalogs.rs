use report::codes;
use std::fs;
use std::path::{Path, PathBuf};

use workspace::{File, is_named_as, view::Role};

use crate::files::{Files, Stdin, name, read_large};
use crate::problem::{problem, unreadable};

/// The name of the lock file.
const LOCK: &str = "planloom.lock";

/// Reads the arguments of `--catalog`: `[NAME=]PATH`, a file or a folder with all files in it. Files of one folder are
/// one catalog.
pub(crate) fn read_catalogs(stdin: &mut Stdin, given: &[String]) -> Files {
    let mut all = Files::default();
    for one in given {
        let (catalog, path) = named(one);
        match paths(&path) {
            Ok(paths) => paths.iter().for_each(|path| match read_large(stdin, path) {
                Ok(text) => all.files.push(File { name: name(path), text, package: Some(catalog.clone()) }),
                Err(problem) => all.problems.push(*problem),
            }),
            Err(problem) => all.problems.push(problem),
        }
    }
    all
}

/// The catalog's name, and where it lies. Without a name it is called as its file or folder.
fn named(given: &str) -> (String, PathBuf) {
    match given.split_once('=').filter(|(name, _)| !name.is_empty() && !name.contains(['/', '\\'])) {
        Some((name, path)) => (name.to_owned(), path.into()),
        None => {
            let path = PathBuf::from(given);
            let name =
                path.file_stem().map_or_else(|| "catalog".into(), |it| it.to_string_lossy().into_owned());
            (name, path)
        }
    }
}

fn paths(path: &Path) -> Result<Vec<PathBuf>, workspace::view::DiagnosticView> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let shown = name(path);
    let mut found = Vec::new();
    collect(path, &mut found).map_err(|error| unreadable(&shown, &error))?;
    found.sort();
    if found.is_empty() {
        let message = format!("`{shown}` holds no catalog: no `.yaml`, `.yml`, `.json` or `.jsonl` file");
        return Err(problem(
            codes::EMPTY_FOLDER,
            Some(&shown),
            message,
            "name the folder that contains the packages",
        ));
    }
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let hidden = path.file_name().is_some_and(|it| it.to_string_lossy().starts_with('.'));
        if hidden || path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            collect(&path, found)?;
        } else if is_named_as(Role::Catalog, &path.to_string_lossy()) {
            found.push(path);
        }
    }
    Ok(())
}

/// The path of the lock file of these descriptors: beside the first of them.
pub(crate) fn lock_path(files: &[PathBuf]) -> PathBuf {
    let first = files.iter().find(|it| *it != Path::new("-"));
    first.and_then(|it| it.parent()).map_or_else(|| LOCK.into(), |it| it.join(LOCK))
}

/// The descriptors with the lock file beside them, where there is one and it is not among them.
pub(crate) fn with_lock(files: &[PathBuf]) -> Vec<PathBuf> {
    let lock = lock_path(files);
    let is_lock = |it: &PathBuf| it.file_name().is_some_and(|it| it == LOCK);
    let requested = !files.is_empty() && !files.iter().any(is_lock) && lock.is_file();
    files.iter().cloned().chain(requested.then_some(lock)).collect()
}
