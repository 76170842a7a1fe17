//! Libraries whose manifest says that they have no unit tests, or no examples in their documentation, against their sources:
//! such tests would never run.

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
        let library = library(&text);
        let folder = manifest.trim_end_matches("Cargo.toml").to_owned() + "src/";
        let sources = tracked.iter().filter(|it| it.starts_with(&folder) && it.ends_with(".rs"));
        for name in sources {
            let source = fs::read_to_string(root().join(name)).unwrap_or_default();
            if library.contains("\ntest = false") && source.lines().any(|it| it.trim() == "#[test]") {
                problems.push(format!("{name}: {manifest} has `test = false`, so this test does not run"));
            }
            if library.contains("\ndoctest = false") && has_example(&source) {
                problems
                    .push(format!("{name}: {manifest} has `doctest = false`, so this example does not run"));
            }
        }
    }
    Ok(problems)
}

/// The table `[lib]` of a manifest.
fn library(manifest: &str) -> &str {
    let Some((_, rest)) = manifest.split_once("\n[lib]") else { return "" };
    rest.split("\n[").next().unwrap_or(rest)
}

/// Whether the documentation has a block of code that is compiled.
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
    fn the_table_of_a_library_ends_with_the_next() {
        assert_eq!(library("[package]\n\n[lib]\ntest = false\n\n[dependencies]\n"), "\ntest = false\n");
        assert_eq!(library("[package]\ntest = false\n"), "");
    }

    #[test]
    fn only_code_is_an_example() {
        assert!(has_example("/// It adds.\n/// ```\n/// f();\n/// ```\nfn f() {}\n"));
        assert!(has_example("    //! ```no_run\n"));
        assert!(!has_example("/// ```text\n/// a\n/// ```\nfn f() {}\n/// ```json\n"));
    }
}
