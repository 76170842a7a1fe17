//! Files of third parties, if they are available.
#![expect(clippy::print_stderr, reason = "a test says what it passes over")]

use std::{fs, path::PathBuf};

use diag::{Diagnostic, FileId, Source, Sources};
use planloom_proto::{ProtoText, Protos, read};
use serde_json::Value;

/// The path of a file or folder of real services; if it is missing, reports it and returns `None`.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/goten").join(name);
    if !path.exists() {
        eprintln!("skipped: there is no {name} here");
        return None;
    }
    Some(path)
}

/// All files of a folder with this ending, by their names.
pub(crate) fn folder(name: &str, ending: &str) -> Option<Vec<(String, String)>> {
    let entries = fs::read_dir(shared(name)?).expect("a folder").map(|it| it.expect("an entry"));
    let mut files: Vec<_> = entries
        .map(|it| (it.file_name().into_string().expect("a name"), it.path()))
        .filter(|(name, _)| name.ends_with(ending))
        .map(|(name, path)| (name, fs::read_to_string(path).expect("text")))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    Some(files)
}

/// The contents of files, and the diagnostics, each with its place.
pub(crate) fn read_all(files: &[(String, String)]) -> (Protos, Vec<String>) {
    let sources: Sources =
        files.iter().map(|(name, text)| Source::new(name.as_str(), text.as_str())).collect();
    let texts: Vec<_> = files
        .iter()
        .enumerate()
        .map(|(at, (name, text))| ProtoText { file: FileId(at as u32), name, text })
        .collect();
    let (protos, found) = read(&texts);
    (protos, found.iter().map(|it| line(&sources, it)).collect())
}

fn line(sources: &Sources, it: &Diagnostic) -> String {
    let (name, at) = it.span.and_then(|span| sources.locate(span)).expect("a place");
    format!("{name}:{}:{} {} {}: {}", at.line, at.column, it.severity.as_str(), it.code, it.message)
}

/// The data of the real toolchain, a document for each version of a service.
pub(crate) fn expected() -> Option<Vec<Value>> {
    let files = folder("expected", ".json")?;
    Some(files.iter().map(|(_, text)| serde_json::from_str(text).expect("JSON")).collect())
}

/// The contents of one file, and the diagnostics, each with its place.
pub(crate) fn read_one(text: &str) -> (Protos, Vec<String>) {
    let (protos, found) = read_all(&[("a.proto".to_owned(), text.to_owned())]);
    (protos, found.iter().map(|it| it.trim_start_matches("a.proto:").to_owned()).collect())
}
