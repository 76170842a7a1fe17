//! What ships, built as it ships.

use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use anyhow::{Result, bail};

use super::{
    artifact::NATIVE,
    count::{Count, counted},
    steps::{journeys, program_path},
};
use crate::{
    ahead, chromium, embed, npm,
    shell::{command, root, target},
    site, tools,
};

/// The package, and what is generated from service specifications, with the tools of those who use them.
pub(super) fn package() -> Result<Count> {
    if !ahead::finish_package() {
        npm::build()?;
    }
    npm::add_app(&site()?)?;
    tools::node_modules("tests/npm")?;
    let native = NATIVE.get()?;
    let mut check = command("node");
    check.arg("tests/npm/run.mjs").env("CHROME", chromium::find()?).env("PLANLOOM_TARGET", target());
    check.env("PLANLOOM_BINARY", program_path());
    let package = counted(&mut check)?.and(embed::test_site(&root().join("web/npm"), "vitepress")?);
    if native.run_some("generate tests", "written")?.failed > 0 {
        bail!("what is generated from specifications was not written");
    }
    Ok(package.and(counted(command("node").arg("tests/npm/generated.mjs").env("PLANLOOM_TARGET", target()))?))
}

/// The journeys that say what is loaded when, and that everything works under the policy that is shipped.
pub(super) fn app() -> Result<Count> {
    let site = site()?;
    NATIVE.get()?;
    journeys(&["shipped"], |journeys| {
        journeys.env("PLANLOOM_SITE", &site);
    })
}

/// The folder of the app as it ships, built once.
fn site() -> Result<PathBuf> {
    static BUILT: Mutex<bool> = Mutex::new(false);
    let mut is_built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if !*is_built && !ahead::finish_app() {
        site::build()?;
    }
    *is_built = true;
    Ok(target().join("site"))
}
