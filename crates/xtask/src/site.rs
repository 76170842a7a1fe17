//! The app: as it ships, built by Trunk, and as it is developed and tested.

pub(crate) mod development;
mod page;

use std::{fs, process::Command};

use anyhow::Result;

use crate::{
    shell::{command, path_with, root, run, shipping, target},
    tools::{self, TRUNK, WASM_BINDGEN},
};

/// Builds the app for release into `target/site`.
pub(crate) fn build() -> Result<()> {
    let dist = target().join("site");
    // The page preloads all scripts that Trunk finds there, also those of an earlier build.
    let bound = target().join("wasm-bindgen");
    if bound.exists() {
        fs::remove_dir_all(bound)?;
    }
    run(trunk()?.arg("--release").arg("--dist").arg(&dist).envs(shipping()?))?;
    println!("the app is in {}", dist.display());
    Ok(())
}

/// A Trunk command that finds all its tools and downloads none.
fn trunk() -> Result<Command> {
    tools::wasm_target()?;
    tools::node_modules("web/editor")?;
    tools::node_modules("web/npm")?; // wasm-opt
    let folders = [WASM_BINDGEN.folder()?, root().join("web/npm/node_modules/.bin")];
    let mut trunk = command(TRUNK.path()?);
    // Trunk reads NO_COLOR as a flag that must be `true` or `false`.
    trunk.args(["build", "--offline"]).env("PATH", path_with(&folders)?).env_remove("NO_COLOR");
    trunk.env("PLANLOOM_SPLITTER", tools::splitter()?).env("PLANLOOM_OPTIMISED", target().join("optimised"));
    Ok(trunk)
}
