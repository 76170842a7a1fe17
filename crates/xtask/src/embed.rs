//! The elements of the npm package on bare pages and on the sites of four generators.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};

use crate::{
    chromium,
    shell::{command, program, relative, root, run, which},
    test::{Count, counted},
    tools::{self, MDBOOK},
};

/// Sites whose generator is a package of npm.
const GENERATORS: [&str; 2] = ["tests/embed/sites/vitepress", "tests/embed/sites/docusaurus"];

/// The packages that make up MkDocs Material, each with its version.
const REQUIREMENTS: &str = "tests/embed/sites/material/requirements.txt";

/// Installs the checks, and the generators as far as they can be.
pub(crate) fn set_up() -> Result<()> {
    set_up_checks()?;
    for folder in GENERATORS {
        skip_without(folder, tools::node_modules(folder));
    }
    skip_without("mdBook", MDBOOK.folder());
    skip_without("MkDocs Material", material());
    Ok(())
}

/// Installs what the checks themselves need.
pub(crate) fn set_up_checks() -> Result<()> {
    tools::node_modules("tests/embed")?;
    tools::node_modules("tests/npm")
}

/// Checks everything that shows the package in that folder.
pub(crate) fn test(package: &Path) -> Result<Count> {
    counted(&mut check(package)?)
}

fn check(package: &Path) -> Result<Command> {
    set_up()?;
    let mut check = command("node");
    check.arg("tests/embed/run.mjs").env("CHROME", chromium::find()?).env("PLANLOOM_PACKAGE", package);
    check.env("PLANLOOM_BINARY", program());
    if let Ok(program) = MDBOOK.path() {
        check.env("PLANLOOM_MDBOOK", program);
    }
    if let Ok(Some(program)) = material() {
        check.env("PLANLOOM_MKDOCS", program);
    }
    // MkDocs Material prints an announcement otherwise.
    check.env("NO_MKDOCS_2_WARNING", "1");
    Ok(check)
}

/// Reports a generator that cannot be installed, and does not build its site: the other generators are still tried.
fn skip_without<T>(what: &str, installed: Result<T>) {
    if let Err(error) = installed {
        note!("skipped: {what} cannot be installed: {error:#}");
    }
}

/// `mkdocs` with Material, in a folder of its own; `None` without Python.
fn material() -> Result<Option<PathBuf>> {
    let Some(python) = which("python3") else {
        note!("skipped: there is no Python for MkDocs Material");
        return Ok(None);
    };
    let requirements = root().join(REQUIREMENTS);
    let wanted = fs::read_to_string(&requirements)
        .with_context(|| format!("cannot read {}", relative(&requirements)))?;
    let version = wanted.lines().find_map(|it| it.strip_prefix("mkdocs-material==")).unwrap_or_default();
    let folder = tools::cache()?.join(format!("mkdocs-material-{version}"));
    let (program, complete) = (folder.join("bin/mkdocs"), folder.join("complete"));
    if fs::read_to_string(&complete).is_ok_and(|it| it == wanted) {
        tools::already(&format!("MkDocs Material {version}"));
        return Ok(Some(program));
    }
    note!("MkDocs Material {version}: installing into {} (once)", folder.display());
    install(&python, &folder, &requirements)?;
    fs::write(&complete, wanted)?;
    Ok(Some(program))
}

fn install(python: &Path, folder: &Path, requirements: &Path) -> Result<()> {
    run(command(python).args(["-m", "venv", "--clear"]).arg(folder))?;
    run(command(folder.join("bin/pip")).args(["install", "--quiet", "--requirement"]).arg(requirements))
}
