//! Schemathesis, which tests an API against its OpenAPI document: a program from PyPI.

use std::path::PathBuf;

use anyhow::Result;

use crate::python::{environment, is_there};

const VERSION: &str = "4.32.5";

/// The Pythons that run it, the first that is there. With older ones, one of its phases fails by a fault of Python.
const PYTHONS: [(&str, &str); 3] =
    [("python3.13", "coverage,fuzzing"), ("python3.12", "coverage,fuzzing"), ("python3", "fuzzing")];

/// The program, installed first where it is missing, and the phases that work with its Python. `None` without Python.
pub(crate) fn program() -> Result<Option<(PathBuf, &'static str)>> {
    let Some((python, phases)) = PYTHONS.into_iter().find(|(python, _)| is_there(python)) else {
        note!("skipped: there is no Python");
        return Ok(None);
    };
    Ok(Some((environment(python, "schemathesis", VERSION)?.join("bin/st"), phases)))
}
