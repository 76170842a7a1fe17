//! The rules that the compiler does not check: layers, versions, documents, words, leftovers.

mod layers;
mod targets;
mod text;
mod words;

use std::{fs, process::ExitCode};

use anyhow::{Context, Result};

use crate::{
    shell::{command, output, root},
    tools::{TRUNK, WASM_BINDGEN},
};

const DOCUMENTS: [&str; 6] =
    ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "crates/README.md"];

/// `tidy`: prints the violations.
pub(crate) fn run() -> Result<ExitCode> {
    let problems = problems()?;
    problems.iter().for_each(|problem| println!("{problem}"));
    println!("tidy: {} problems", problems.len());
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The violations of the rules, a sentence each.
pub(crate) fn problems() -> Result<Vec<String>> {
    let mut problems = layers::problems()?;
    problems.extend(versions()?);
    problems.extend(documents());
    let phrases = words::table(&read("CONTRIBUTING.md")?);
    let tracked = tracked()?;
    problems.extend(targets::problems(&tracked)?);
    for name in tracked {
        // A tracked file may be gone from the working tree, or not be text.
        if let Ok(text) = fs::read_to_string(root().join(&name)) {
            problems.extend(text::problems(&name, &text));
            problems.extend(words::problems(&phrases, &name, &text)?);
        }
    }
    Ok(problems)
}

/// The version of wasm-bindgen is written in three places, that of Trunk in two.
fn versions() -> Result<Vec<String>> {
    let (lock, trunk) = (read("Cargo.lock")?, read("Trunk.toml")?);
    let package = lock.split("[[package]]").find(|package| package.contains("\nname = \"wasm-bindgen\"\n"));
    let locked = package.and_then(|package| quoted(package, "version = "));
    let found = [
        ("Cargo.lock", "wasm-bindgen", locked, WASM_BINDGEN.version.to_owned()),
        ("Trunk.toml", "wasm-bindgen", quoted(&trunk, "wasm_bindgen = "), WASM_BINDGEN.version.to_owned()),
        ("Trunk.toml", "trunk", quoted(&trunk, "trunk-version = "), format!("={}", TRUNK.version)),
    ];
    let wrong = found.into_iter().filter(|(_, _, version, wanted)| version.as_ref() != Some(wanted));
    Ok(wrong.map(|(file, tool, version, wanted)| mismatch(file, tool, version, &wanted)).collect())
}

fn mismatch(file: &str, tool: &str, version: Option<String>, wanted: &str) -> String {
    format!("{file}: {tool} is {}; xtask has {wanted}", version.unwrap_or_else(|| "not found".to_owned()))
}

/// The text between the quotes after `key` at the start of a line.
fn quoted(text: &str, key: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(line.trim().strip_prefix('"')?.split_once('"')?.0.to_owned())
}

fn documents() -> Vec<String> {
    let missing = DOCUMENTS.iter().filter(|name| !root().join(name).is_file());
    missing.map(|name| format!("{name}: does not exist")).collect()
}

/// The names of the tracked files.
pub(crate) fn tracked() -> Result<Vec<String>> {
    let names = output(command("git").args(["ls-files", "-z"])).context("not a git working tree")?;
    Ok(names.split_terminator('\0').map(str::to_owned).collect())
}

/// The text of a file of the repository.
pub(crate) fn read(name: &str) -> Result<String> {
    fs::read_to_string(root().join(name)).with_context(|| format!("cannot read {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_what_its_line_quotes() {
        assert_eq!(quoted("a = 1\nversion = \"0.2\" # why\n", "version = "), Some("0.2".to_owned()));
        assert_eq!(quoted("version = 2\n", "version = "), None);
        assert_eq!(quoted("", "version = "), None);
    }
}
