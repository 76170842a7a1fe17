//! The documentation: a site whose examples are live, built from `web/docs`, the suite, the arguments of the command line and
//! the type definitions.

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
    set_up()?;
    let (commands, out) = (target().join("docs-commands"), target().join("docs"));
    // With the features that the tests ask for, so that nothing is built a second time.
    let mut pages = cargo();
    pages.args([
        "build",
        "--locked",
        "--workspace",
        "--test",
        "cli",
        "--test",
        "suite",
        "--example",
        "markdown",
    ]);
    run(&mut pages)?;
    run(command(target().join("debug/examples/markdown")).arg(&commands))?;
    let mut build = command("node");
    build.arg(root().join(FOLDER).join("build.mjs")).arg(target().join("docs-work")).arg(&out);
    run(build.arg(root().join("web/npm")).arg(commands))?;
    println!("the documentation is in {}", out.display());
    Ok(())
}

/// Builds the site, follows its links and looks at its examples.
pub(crate) fn test() -> Result<Count> {
    build()?;
    embed::set_up_checks()?;
    let mut check = command("node");
    counted(check.arg("tests/embed/docs.mjs").arg(target().join("docs")).env("CHROME", chromium::find()?))
}
