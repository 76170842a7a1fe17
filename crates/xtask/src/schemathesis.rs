//! Schemathesis, which tests an API against its OpenAPI document: a program from PyPI, in a folder of its own.

use std::{path::PathBuf, process::Stdio};

use anyhow::Result;

use crate::{
    shell::{command, run},
    tools,
};

const VERSION: &str = "4.32.5";

/// The Pythons that run it, the first that is there. With older ones, one of its phases fails by a fault of Python.
const PYTHONS: [(&str, &str); 3] =
    [("python3.13", "coverage,fuzzing"), ("python3.12", "coverage,fuzzing"), ("python3", "fuzzing")];

/// The program, installed first where it is missing, and the phases that work with its Python. `None` without Python.
pub(crate) fn program() -> Result<Option<(PathBuf, &'static str)>> {
    let Some((python, phases)) = PYTHONS.into_iter().find(|(python, _)| is_there(python)) else {
        println!("skipped: there is no Python");
        return Ok(None);
    };
    let folder = tools::cache()?.join(format!("schemathesis-{VERSION}-{python}"));
    let (program, complete) = (folder.join("bin/st"), folder.join("complete"));
    if !complete.is_file() {
        println!("schemathesis {VERSION}: installing into {} (once)", folder.display());
        run(command(python).args(["-m", "venv", "--clear"]).arg(&folder))?;
        let package = format!("schemathesis=={VERSION}");
        run(command(folder.join("bin/pip")).args(["install", "--quiet", &package]))?;
        std::fs::write(&complete, "")?;
    }
    Ok(Some((program, phases)))
}

fn is_there(python: &str) -> bool {
    let mut version = command(python);
    version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|it| it.success())
}
