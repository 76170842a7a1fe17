//! Compiling with clippy in the compiler's place, so that one compilation gives the programs and their lints.
//!
//! `cargo clippy` is `cargo check` with `clippy-driver` as the `RUSTC_WORKSPACE_WRAPPER`: it compiles all crates once more, and
//! makes no program of them. `clippy-driver` is `rustc` with more lints, and makes programs as well; they are hardly optimised
//! across functions, which tests do without. Shipped programs are compiled by `rustc` alone.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::{Result, bail};
use serde_json::Value as Json;

use crate::{
    output::{follow, say},
    shell::shown,
};

/// The result of a compilation.
#[derive(Default)]
pub(crate) struct Compiled {
    /// The number of lints that are violated, of the compiler and of clippy.
    pub(crate) warnings: u32,
    /// Those that run tests.
    pub(crate) executables: Vec<Executable>,
    /// Those that do not.
    pub(crate) programs: Vec<Executable>,
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Executable {
    /// Its package, without `planloom-`, and its target, where that has another name.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// The folder of its package, in which it runs.
    pub(crate) folder: PathBuf,
}

/// Compiles, and prints what the compiler says.
pub(crate) fn compile(mut cargo: Command) -> Result<Compiled> {
    note!("  $ {}", shown(&cargo));
    let compiled = Arc::new(Mutex::new(Compiled::default()));
    let read = compiled.clone();
    let status = follow(cargo.arg("--message-format=json").stdin(Stdio::null()), move |line| {
        let mut compiled = read.lock().unwrap_or_else(PoisonError::into_inner);
        match serde_json::from_str(line) {
            Ok(message) => compiled.read(&message),
            // Cargo's own lines: what it compiles.
            Err(_) => say(line),
        }
    })?;
    if !status.success() {
        bail!("{} failed ({status})", shown(&cargo));
    }
    let mut compiled = compiled.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(std::mem::take(&mut compiled))
}

impl Compiled {
    /// Reads a message of cargo. <https://doc.rust-lang.org/cargo/reference/external-tools.html#json-messages>
    fn read(&mut self, message: &Json) {
        match message["reason"].as_str() {
            Some("compiler-message") => self.read_diagnostic(&message["message"]),
            Some("compiler-artifact") if message["profile"]["test"] == true => {
                self.executables.extend(executable(message));
            }
            Some("compiler-artifact") => self.programs.extend(executable(message)),
            _ => {}
        }
    }

    /// The last message of a crate is their number, and has no place.
    fn read_diagnostic(&mut self, diagnostic: &Json) {
        diagnostic["rendered"].as_str().unwrap_or_default().lines().for_each(say);
        let has_place = diagnostic["spans"].as_array().is_some_and(|it| !it.is_empty());
        self.warnings += u32::from(has_place && diagnostic["level"] == "warning");
    }
}

/// The program that a message is about.
fn executable(message: &Json) -> Option<Executable> {
    let path = message["executable"].as_str()?.into();
    let folder = PathBuf::from(message["manifest_path"].as_str()?).parent()?.to_owned();
    let package = folder.file_name()?.to_string_lossy().into_owned();
    let target = message["target"]["name"].as_str()?;
    let kind = message["target"]["kind"][0].as_str()?;
    let name = match kind {
        "test" if target == package => format!("{package} tests"),
        "test" => format!("{package} {target}"),
        _ => package,
    };
    Some(Executable { name, path, folder })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_say_what_was_found_and_made() {
        let mut compiled = Compiled::default();
        let warning = |spans| json!({"reason": "compiler-message", "message": {"level": "warning", "rendered": "", "spans": spans}});
        compiled.read(&warning(json!([{}])));
        compiled.read(&warning(json!([])));
        let artifact = |test, executable| {
            json!({"reason": "compiler-artifact", "profile": {"test": test}, "executable": executable,
                "manifest_path": "/a/merge/Cargo.toml", "target": {"name": "laws", "kind": ["test"]}})
        };
        compiled.read(&artifact(true, json!("/t/laws-1")));
        compiled.read(&artifact(false, json!("/t/merge")));
        compiled.read(&artifact(true, Json::Null));
        assert_eq!(compiled.warnings, 1);
        let expected = |path: &str| Executable {
            name: "merge laws".into(),
            path: path.into(),
            folder: "/a/merge".into(),
        };
        assert_eq!(compiled.executables, [expected("/t/laws-1")]);
        assert_eq!(compiled.programs, [expected("/t/merge")]);
    }
}
