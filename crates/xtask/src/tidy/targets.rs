//! Libraries and programs whose manifest says that they have no unit tests, or no examples in their documentation, against their
//! sources: such tests would never run.

use std::fs;

use anyhow::{Context, Result};

use crate::shell::root;

/// Languages of code blocks that are compiled as examples.
const COMPILED: [&str; 4] = ["", "rust", "no_run", "should_panic"];

/// Tests that are switched off, from the tracked files.
pub(super) fn problems(tracked: &[String]) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for manifest in tracked.iter().filter(|it| it.ends_with("Cargo.toml")) {
        let text =
            fs::read_to_string(root().join(manifest)).with_context(|| format!("cannot read {manifest}"))?;
        let targets = targets(&text);
        for target in &targets {
            let is_shared = |it: &&Target<'_>| it.is_library && it.folder == target.folder;
            if !target.is_library && targets.iter().any(|it| is_shared(&it)) {
                continue;
            }
            let folder = format!("{}{}/", manifest.trim_end_matches("Cargo.toml"), target.folder);
            for name in tracked.iter().filter(|it| it.starts_with(&folder) && it.ends_with(".rs")) {
                let source = fs::read_to_string(root().join(name)).unwrap_or_default();
                if target.has("test = false") && source.lines().any(is_test) {
                    problems
                        .push(format!("{name}: {manifest} has `test = false`, so this test does not run"));
                }
                if target.has("doctest = false") && has_example(&source) {
                    problems.push(format!(
                        "{name}: {manifest} has `doctest = false`, so this example does not run"
                    ));
                }
            }
        }
    }
    Ok(problems)
}

/// A library or a program of a package.
struct Target<'a> {
    is_library: bool,
    /// The folder of its sources, in that of the package.
    folder: &'a str,
    table: &'a str,
}

impl Target<'_> {
    fn has(&self, line: &str) -> bool {
        self.table.lines().any(|it| it == line)
    }
}

/// The libraries and programs of a manifest.
fn targets(manifest: &str) -> Vec<Target<'_>> {
    let tables = manifest.split("\n[").filter_map(|table| {
        let is_library = table.starts_with("lib]");
        (is_library || table.starts_with("[bin]]")).then(|| {
            let path = table.lines().find_map(|it| it.strip_prefix("path = \"")?.strip_suffix('"'));
            let folder = path.and_then(|it| it.rsplit_once('/')).map_or("src", |(folder, _)| folder);
            Target { is_library, folder, table }
        })
    });
    tables.collect()
}

/// An attribute such as `#[test]` or `#[tokio::test(flavor = "current_thread")]`.
fn is_test(line: &str) -> bool {
    let attribute = line.trim().strip_prefix("#[").unwrap_or_default();
    let name = attribute.split(['(', ']']).next().unwrap_or_default();
    name.rsplit("::").next().is_some_and(|it| it == "test" || it.ends_with("_test"))
}

/// True if the documentation has a block of code that is compiled.
fn has_example(source: &str) -> bool {
    let mut is_open = false;
    for line in source.lines() {
        let line = line.trim_start();
        let Some(text) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else {
            is_open = false;
            continue;
        };
        if let Some(language) = text.trim().strip_prefix("```") {
            is_open = !is_open;
            if is_open && COMPILED.contains(&language.trim_matches('`')) {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_and_programs_are_read() {
        let read = |manifest| {
            let targets = targets(manifest).into_iter();
            targets
                .map(|it| (it.is_library, it.folder.to_owned(), it.has("test = false")))
                .collect::<Vec<_>>()
        };
        let library = "[package]\n\n[lib]\ntest = false\n\n[dependencies]\n";
        assert_eq!(read(library), [(true, "src".into(), true)]);
        let program = "[package]\ntest = false\n\n[[bin]]\nname = \"a\"\npath = \"torture/main.rs\"\n";
        assert_eq!(read(program), [(false, "torture".into(), false)]);
    }

    #[test]
    fn attributes_of_tests_are_known() {
        for line in ["    #[test]", "#[tokio::test(flavor = \"current_thread\")]", "#[wasm_bindgen_test]"] {
            assert!(is_test(line), "{line}");
        }
        for line in ["#[cfg(test)]", "#[derive(Debug)]", "fn test() {", "// #[test]"] {
            assert!(!is_test(line), "{line}");
        }
    }

    #[test]
    fn only_code_is_an_example() {
        assert!(has_example("/// It adds.\n/// ```\n/// f();\n/// ```\nfn f() {}\n"));
        assert!(has_example("    //! ```no_run\n"));
        assert!(!has_example("/// ```text\n/// a\n/// ```\nfn f() {}\n/// ```json\n"));
    }
}
