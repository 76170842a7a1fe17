//! Tests of the shipped programs and packages, built as they ship.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::{
    artifact::{NATIVE, SHIPPED_PACKAGE, SHIPPED_SITE},
    count::{Count, counted},
    steps::journeys,
    unchanged::{Inputs, unless_unchanged},
};
use crate::{
    chromium, docs, embed, npm,
    shell::{command, program, target},
    tools,
};

/// The steps that test what ships.
pub(super) const STEPS: [&str; 5] = ["shipped", "suite", "embed", "docs", "package"];

/// The package, and what is generated from service specifications, with the tools of those who use them.
pub(super) fn package() -> Result<Count> {
    let package = SHIPPED_PACKAGE.get()?;
    npm::add_app(SHIPPED_SITE.get()?)?;
    tools::node_modules("tests/npm")?;
    let native = NATIVE.get()?;
    let inputs = native.inputs("generate tests")?.file(&program())?;
    let inputs = inputs.built(&package.join("dist"))?.built(SHIPPED_SITE.get()?)?;
    unless_unchanged("package", inputs, || {
        let mut check = command("node");
        check.arg("tests/npm/run.mjs").env("CHROME", chromium::find()?).env("PLANLOOM_TARGET", target());
        check.env("PLANLOOM_BINARY", program());
        let package = counted(&mut check)?;
        if native.run_some("generate tests", "written")?.failed > 0 {
            bail!("what is generated from specifications was not written");
        }
        let mut generated = command("node");
        generated.arg("tests/npm/generated.mjs").env("PLANLOOM_TARGET", target());
        Ok(package.and(counted(&mut generated)?))
    })
}

/// The suite, and real inputs: the answers are those of the native engine, byte for byte.
pub(super) fn suite() -> Result<Count> {
    let package = SHIPPED_PACKAGE.get()?;
    let inputs = NATIVE.get()?.inputs("tests suite")?.built(&package.join("dist"))?;
    let node = |script: &str| {
        let mut node = command("node");
        node.arg(script).env("PLANLOOM_PACKAGE", package);
        node
    };
    unless_unchanged("suite", inputs, || {
        let pages = counted(node("tests/npm/suite.mjs").arg(native_answers()?))?;
        let real = counted(&mut node("tests/npm/bosh.mjs"))?;
        let versions = counted(&mut node("tests/npm/versions.mjs"))?;
        let needs = counted(&mut node("tests/npm/needs.mjs"))?;
        Ok(pages.and(real).and(versions).and(needs))
    })
}

/// The native answers of the engine, as the suite's tests write them. A file of an earlier build says nothing.
fn native_answers() -> Result<PathBuf> {
    let (answers, native) = (target().join("suite-cases.json"), NATIVE.get()?);
    let is_new = || answers.metadata().and_then(|it| it.modified()).is_ok_and(|it| it > native.compiled_at);
    if !is_new() {
        // Whether the pages say the same is the business of the step `unit`.
        native.run_some("tests suite", "pages_say_what_happens")?;
    }
    if is_new() { Ok(answers) } else { bail!("the suite wrote no answers") }
}

/// The elements of the package where others show them. Their generators copy, pack and compress the package.
pub(super) fn elements() -> Result<Count> {
    NATIVE.get()?;
    let package = SHIPPED_PACKAGE.get()?;
    let inputs = Inputs::common()?.built(&package.join("dist"))?.file(&program())?;
    unless_unchanged("embed", inputs, || embed::test(package))
}

/// The documentation, which shows the elements, and what the program says of its commands.
pub(super) fn documentation() -> Result<Count> {
    NATIVE.get()?;
    let package = SHIPPED_PACKAGE.get()?;
    let inputs = Inputs::common()?.built(&package.join("dist"))?.file(&docs::commands())?;
    unless_unchanged("docs", inputs, || docs::test(package))
}

/// The journeys that say what is loaded when, and that everything works under the policy that is shipped.
pub(super) fn app() -> Result<Count> {
    let site = SHIPPED_SITE.get()?;
    NATIVE.get()?;
    journeys(
        &["loading", "policy"],
        |_| Inputs::common()?.built(site),
        |journeys| {
            journeys.env("PLANLOOM_SITE", site).env("PLANLOOM_SHIPPED", "1");
        },
    )
}
