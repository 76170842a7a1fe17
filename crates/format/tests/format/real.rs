//! The laws hold for files that others wrote: `../shared/data` beside the repository, or in the folder that
//! `PLANLOOM_SHARED` names.

#![expect(clippy::print_stderr, reason = "a test says what it passes over")]

use std::path::{Path, PathBuf};

use crate::support::{FILE, broken_law, formatted};

const LARGEST: u64 = 1 << 20;

fn yaml_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_yaml = path.extension().is_some_and(|it| it == "yml" || it == "yaml");
        if path.is_dir() {
            yaml_files(&path, found);
        } else if is_yaml && entry.metadata().is_ok_and(|it| it.len() <= LARGEST) {
            found.push(path);
        }
    }
}

/// The files of third parties, of this repository's examples and of its types.
pub(crate) fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    let shared = std::env::var_os("PLANLOOM_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
    for folder in [shared.join("data"), root.join("static/examples"), root.join("crates/types/builtin")] {
        if !folder.exists() {
            eprintln!("skipped: there is no {} here", folder.display());
        }
        yaml_files(&folder, &mut found);
    }
    found
}

/// True if a text that can be read stays as it is: then empty lines at its end stay, too.
fn refused(text: &str) -> bool {
    let with_lines = format!("{text}\n\n\n\n");
    formatted(text).is_some_and(|it| formatted(&with_lines).is_none_or(|with_lines| with_lines != it))
}

#[test]
fn real_files_keep_the_laws() {
    let (mut changed, mut unchanged, mut unreadable, mut broken) = (0, 0, 0, Vec::new());
    for path in files() {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        broken.extend(broken_law(&text).map(|it| format!("{}: {it}", path.display())));
        broken.extend(refused(&text).then(|| format!("{}: its layout is refused", path.display())));
        match planloom_format::format(FILE, &text) {
            Ok(it) if it.edits.is_empty() => unchanged += 1,
            Ok(_) => changed += 1,
            Err(_) => unreadable += 1,
        }
    }
    eprintln!("{changed} files changed, {unchanged} unchanged, {unreadable} cannot be read");
    assert!(broken.is_empty(), "{}", broken.join("\n\n"));
}

#[test]
fn a_file_of_seven_megabytes_is_formatted() {
    let entry = "-   name:   'service'   # what it is\n    ports: [80,443]\n    env: {A: 1,B: \"two\"}\n    text: |\n        a line\n          of text\n";
    let text = entry.repeat((7 << 20) / entry.len());
    assert_eq!(broken_law(&text), None);
    assert!(planloom_format::format(FILE, &text).is_ok_and(|it| !it.edits.is_empty()));
}

#[test]
fn a_long_line_is_formatted() {
    let entry = "{\"name\":\"service\",\"ports\":[80,443],\"env\":{}},";
    let text = format!("[{}]", entry.repeat((2 << 20) / entry.len()));
    assert_eq!(broken_law(&text), None);
    assert!(planloom_format::format(FILE, &text).is_ok_and(|it| !it.edits.is_empty()));
}

#[test]
fn many_levels_are_formatted() {
    for text in [format!("{}x", "- ".repeat(100)), format!("{}x{}", "[".repeat(100), "]".repeat(100))] {
        assert_eq!(formatted(&text).as_deref(), Some(&*format!("{text}\n")));
    }
}
