//! WebAssembly modules as they are developed and tested: all with one profile and one set of features, whole, and not optimised
//! further. Shipped modules are built by `site::build` and `npm::build`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::UNIX_EPOCH,
};

use anyhow::{Context, Result};

use crate::{
    shell::{cargo, command, relative, target},
    tools::WASM_BINDGEN,
};

/// The packages with modules: the app, its worker that applies, and the npm package. They are compiled together, because
/// what they depend on has the features that all of them need; compiled one by one, it would be compiled for each.
pub(crate) const PACKAGES: [&str; 3] = ["planloom-web", "planloom-apply", "planloom-wasm"];

/// For modules that tests load some hundred times: a third of a module is the names of its functions.
pub(crate) const WITHOUT_NAMES: &str = "--remove-name-section";

/// A command that compiles the modules of packages.
pub(crate) fn compile(packages: &[&str]) -> Command {
    let mut build = cargo();
    build.args(["build", "--locked", "--target", "wasm32-unknown-unknown"]);
    build.args(packages.iter().map(|it| format!("--package={it}")));
    build
}

/// The path of the module of a program or library.
pub(crate) fn compiled(name: &str) -> PathBuf {
    target().join("wasm32-unknown-unknown/debug").join(format!("{}.wasm", name))
}

/// Makes `NAME.js` and `NAME_bg.wasm` of a compiled module in a folder of their own, which it returns, unless that is done.
pub(crate) fn bind(module: &Path, name: &str, flags: &[&str]) -> Result<PathBuf> {
    let folder = target().join("bound").join(name);
    let stamp = folder.join("stamp");
    let version = format!("{} {}", version(module)?, flags.join(" "));
    if fs::read_to_string(&stamp).is_ok_and(|it| it == version) {
        return Ok(folder);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let mut bind = command(WASM_BINDGEN.path()?);
    bind.args(["--target", "web", "--no-typescript", "--out-name", name, "--out-dir"]).arg(&folder);
    crate::shell::run(bind.args(flags).arg(module))?;
    fs::write(&stamp, version)?;
    Ok(folder)
}

/// Changes with each compilation of a module.
fn version(module: &Path) -> Result<String> {
    let data = fs::metadata(module).with_context(|| format!("{} does not exist", relative(module)))?;
    let modified = data.modified()?.duration_since(UNIX_EPOCH)?;
    Ok(format!("{} {} {}", WASM_BINDGEN.version, data.len(), modified.as_nanos()))
}
