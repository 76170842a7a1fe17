//! `dapp-runner`, the reference runner of Golem's application object model: a program from PyPI, never shipped.

use std::path::PathBuf;

use crate::python::{environment, is_there};

const VERSION: &str = "0.3.1";

/// The Pythons that run it, the first that is there: what it depends on has no packages for newer ones.
const PYTHONS: [&str; 3] = ["python3.11", "python3.10", "python3"];

/// The program, installed first where it is missing. `None`, with the reason on the terminal, where that fails.
pub(crate) fn program() -> Option<PathBuf> {
    let Some(python) = PYTHONS.into_iter().find(|python| is_there(python)) else {
        note!("dapp-runner is skipped: there is no Python");
        return None;
    };
    match environment(python, "dapp-runner", VERSION) {
        Ok(folder) => Some(folder.join("bin/dapp-runner")),
        Err(error) => {
            note!("dapp-runner is skipped: it cannot be installed: {error:#}");
            None
        }
    }
}
