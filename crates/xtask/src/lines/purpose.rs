//! Files that are tests.

/// Folders of tests, wherever they are.
const FOLDERS: [&str; 3] = ["tests", "benches", "examples"];

/// A module that only tests have: its file, and the folder of the modules in it.
pub(super) struct Module {
    path: String,
}

impl Module {
    /// True if a file is part of the module.
    pub(super) fn has(&self, name: &str) -> bool {
        name.strip_prefix(&self.path).is_some_and(|it| it == ".rs" || it.starts_with('/'))
    }
}

/// True if a file is a test by its name. All crates in the top-level folder `tests` are.
pub(super) fn is_test(name: &str) -> bool {
    let mut parts = name.split('/').rev();
    let is_file = parts.next() == Some("tests.rs");
    is_file || parts.any(|it| FOLDERS.contains(&it))
}

/// The module that a file declares by this name.
pub(super) fn module(file: &str, name: &str) -> Module {
    let path = file.trim_end_matches(".rs");
    let folder = match path.rsplit_once('/') {
        Some((folder, "lib" | "main" | "mod")) => folder,
        _ => path,
    };
    Module { path: format!("{folder}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_a_test() {
        for name in [
            "crates/a/tests/a/b.rs",
            "crates/a/src/b/tests.rs",
            "crates/a/examples/b.rs",
            "tests/toy/src/lib.rs",
        ] {
            assert!(is_test(name), "{name}");
        }
        assert!(!is_test("crates/a/src/testing.rs") && !is_test("crates/tests_of/src/a.rs"));
    }

    #[test]
    fn a_module_is_a_file_and_a_folder() {
        let of_a_file = module("crates/a/src/b.rs", "fixture");
        assert!(of_a_file.has("crates/a/src/b/fixture.rs") && of_a_file.has("crates/a/src/b/fixture/mod.rs"));
        assert!(!of_a_file.has("crates/a/src/b/fixtures.rs") && !of_a_file.has("crates/a/src/fixture.rs"));
        assert!(module("crates/a/src/lib.rs", "time").has("crates/a/src/time.rs"));
    }
}
