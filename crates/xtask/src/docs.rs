//! The documentation: a site whose examples are live, built from `web/docs`, the suite, the arguments of the command line and
//! the type definitions.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::{
    chromium, embed, npm,
    shell::{cargo, command, root, run, target},
    test::{Count, counted},
    tools,
};

const FOLDER: &str = "web/docs";

/// Installs what builds the site.
pub(crate) fn set_up() -> Result<()> {
    tools::node_modules(FOLDER)
}

/// Builds the site into `target/docs`.
pub(crate) fn build() -> Result<()> {
    npm::build()?;
    run(cargo().args(["build", "--locked", "--package", "planloom-cli", "--example", "markdown"]))?;
    let out = target().join("docs");
    build_with(&root().join("web/npm"), &out)?;
    println!("the documentation is in {}", out.display());
    Ok(())
}

/// Builds the site with a package, and with the pages of the commands that a compiled example writes.
fn build_with(package: &Path, out: &Path) -> Result<()> {
    set_up()?;
    let pages = target().join("docs-commands");
    run(command(commands()).arg(&pages))?;
    let mut build = command("node");
    build.arg(root().join(FOLDER).join("build.mjs")).arg(target().join("docs-work")).arg(out);
    run(build.arg(package).arg(pages))
}

/// The compiled example that writes a page for each command.
pub(crate) fn commands() -> PathBuf {
    target().join("debug/examples/markdown")
}

/// Builds the site with the package in a folder, follows its links and checks its examples.
pub(crate) fn test(package: &Path) -> Result<Count> {
    let out = target().join("docs-test");
    build_with(package, &out)?;
    embed::set_up_checks()?;
    let mut check = command("node");
    counted(check.arg("tests/embed/docs.mjs").arg(out).env("CHROME", chromium::find()?))
}
