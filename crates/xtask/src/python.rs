//! Programs from PyPI, each in an environment of its own.

use std::{path::PathBuf, process::Stdio};

use anyhow::Result;

use crate::{
    shell::{command, run},
    tools,
};

/// The environment of a package, which is installed with this Python first where it is missing.
pub(crate) fn environment(python: &str, package: &str, version: &str) -> Result<PathBuf> {
    let folder = tools::cache()?.join(format!("{package}-{version}-{python}"));
    let complete = folder.join("complete");
    if !complete.is_file() {
        note!("{package} {version}: installing into {} (once)", folder.display());
        run(command(python).args(["-m", "venv", "--clear"]).arg(&folder))?;
        let wanted = format!("{package}=={version}");
        run(command(folder.join("bin/pip")).args(["install", "--quiet", &wanted]))?;
        std::fs::write(&complete, "")?;
    }
    Ok(folder)
}

pub(crate) fn is_there(python: &str) -> bool {
    let mut version = command(python);
    version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|it| it.success())
}
