//! The documents, their examples, and lines that only examples have.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A document with its lines.
pub(crate) struct Document {
    pub(crate) name: &'static str,
    pub(crate) lines: Vec<String>,
}

/// The documents by the names that the table gives them, with the beginnings of the names of their files.
const DOCUMENTS: [(&str, &str); 5] =
    [("golem", "000_"), ("deppy", "001_"), ("bosh", "002_"), ("cosi", "003_"), ("goten", "004_")];

/// The first words of lines that only examples have; a line that ends as it says counts.
const SIGNATURES: &[(&str, &str)] = &[
    ("resources:", ":"),
    ("resource:", ":"),
    ("apis:", ":"),
    ("actions:", ":"),
    ("imports:", ":"),
    ("parents:", ":"),
    ("scopeAttributes:", ":"),
    ("opResourceInfo:", ":"),
    ("fixtureNodes:", ":"),
    ("createForEach:", ":"),
    ("dbs:", ":"),
    ("observability:", ":"),
    ("proto:", ":"),
    ("payloads:", ":"),
    ("networks:", ":"),
    ("services:", ":"),
    ("meta:", ":"),
    ("init:", ":"),
    ("jobs:", ""),
    ("consumes:", ""),
    ("provides:", ""),
    ("- name: ", ""),
    ("name: ", ""),
    ("apiVersion: ", ""),
    ("\"nodes\"", "["),
    ("message ", "{"),
    ("option (", ""),
    ("rpc ", "{"),
    ("syntax = ", ";"),
    ("func ", ""),
    ("import (", ""),
    ("type ", "{"),
    ("package ", "server"),
    ("grpc.", "("),
    ("goten-bootstrap -i", ""),
    ("clang-format-12 -i", ""),
    ("protoc \\", ""),
    ("cuttle iam ", "\\"),
    ("cuttle meta ", ""),
    ("cuttle config ", ""),
    ("kubectl get", ""),
    ("WATCH <", ""),
    ("LIST {", ""),
    ("SEARCH {", ""),
    ("CACHED QUERY SET", ""),
];

/// The folder of the documents; it lies beside the repository, or in `$PLANLOOM_SHARED`.
fn folder() -> PathBuf {
    let shared = std::env::var_os("PLANLOOM_SHARED").map(PathBuf::from);
    shared.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared")).join("seeds")
}

/// The documents; `None`, and a line that says so, where there are none.
pub(crate) fn documents() -> Option<Vec<Document>> {
    let Ok(entries) = fs::read_dir(folder()) else {
        eprintln!("skipped: there is no {}", folder().display());
        return None;
    };
    let paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    let read = |(name, begins): (&'static str, &str)| {
        let is_it =
            |path: &&PathBuf| path.file_name().is_some_and(|it| it.to_string_lossy().starts_with(begins));
        let path = paths.iter().find(is_it).unwrap_or_else(|| panic!("there is no {begins}*"));
        let text = fs::read_to_string(path).expect("text");
        let lines = if name == "deppy" { fences(&text) } else { text.lines().map(str::to_owned).collect() };
        Document { name, lines }
    };
    Some(DOCUMENTS.into_iter().map(read).collect())
}

/// A page whose fences were joined to one line each: the content of each fence is a line of the document.
fn fences(text: &str) -> Vec<String> {
    let parts = text.split("```").skip(1).step_by(2);
    let fences = parts
        .filter_map(|it| it.split_once("= "))
        .filter(|(language, _)| !language.contains(char::is_whitespace));
    fences.map(|(_, code)| code.trim().to_owned()).collect()
}

impl Document {
    /// The lines of an example, from 1.
    pub(crate) fn example(&self, first: usize, last: usize) -> Vec<&str> {
        self.lines[first - 1..last].iter().map(String::as_str).collect()
    }

    /// The numbers of lines that only examples have. In the document of joined fences, that is every line.
    pub(crate) fn signatures(&self) -> Vec<usize> {
        let all = self.name == "deppy";
        let numbered = self.lines.iter().enumerate().map(|(at, line)| (at + 1, line));
        numbered.filter(|(_, line)| all || is_signature(line)).map(|(number, _)| number).collect()
    }
}

fn is_signature(line: &str) -> bool {
    let line = line.trim();
    line == "{" || SIGNATURES.iter().any(|(begins, ends)| line.starts_with(begins) && line.ends_with(ends))
}
