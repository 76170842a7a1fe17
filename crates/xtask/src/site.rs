//! Building the app with Trunk.

use std::{fs, process::Command};

use anyhow::Result;

use crate::{
    shell::{command, path_with, reproducible, root, run, target},
    tools::{self, TRUNK, WASM_BINDGEN, WASM_SPLIT},
};

/// Builds the app for release into `target/site`.
pub(crate) fn build() -> Result<()> {
    let dist = target().join("site");
    run(trunk("build")?.arg("--release").arg("--dist").arg(&dist).env("RUSTFLAGS", reproducible()?))?;
    println!("the app is in {}", dist.display());
    Ok(())
}

/// A Trunk command that finds all its tools and downloads none.
pub(crate) fn trunk(verb: &str) -> Result<Command> {
    tools::wasm_target()?;
    tools::node_modules("web/editor")?;
    tools::node_modules("web/npm")?; // wasm-opt
    // Trunk does not start when a folder that it must not watch is missing.
    fs::create_dir_all(root().join("web/editor/dist"))?;
    fs::create_dir_all(root().join("web/editor/node_modules"))?;
    let folders = [WASM_BINDGEN.folder()?, WASM_SPLIT.folder()?, root().join("web/npm/node_modules/.bin")];
    let mut trunk = command(TRUNK.path()?);
    // Trunk reads NO_COLOR as a flag that must be `true` or `false`.
    trunk.arg(verb).arg("--offline").env("PATH", path_with(&folders)?).env_remove("NO_COLOR");
    Ok(trunk)
}
