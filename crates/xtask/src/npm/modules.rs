//! The WebAssembly modules of the package, with the scripts that start them.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
};

use anyhow::{Context, Result, anyhow};

use super::{MODULES, Module, copy};
use crate::{
    shell::{cargo, command, path_with, relative, root, run, shipping, target},
    tools::{self, WASM_BINDGEN},
    wasm,
};

/// The features that rustc may use in wasm; wasm-opt needs them as arguments, because stripping removes the section that lists
/// them.
const WASM_FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// The options with which wasm-opt makes modules small. Functions with one caller stay: inlined, they compress worse. Those of
/// one name are one function for several types: beside each other, they compress better.
const OPTIMISE: [&str; 3] = ["-O3", "--one-caller-inline-max-function-size=0", "--reorder-functions-by-name"];

/// Compiles the modules as they ship, in the order of [`MODULES`]. Each is put aside, because the next has the same name.
pub(super) fn compile_each(work: &Path) -> Result<Vec<PathBuf>> {
    MODULES.iter().map(|it| compile(it, work)).collect()
}

fn compile(module: &Module, work: &Path) -> Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--locked", "--package", "planloom-wasm", "--profile", "wasm"]);
    build.args(["--no-default-features", "--features", module.features]);
    build.args(["--target", "wasm32-unknown-unknown"]);
    // Tests compile with clippy, which does not optimise across functions.
    run(build.envs(shipping()?).env_remove("RUSTC_WORKSPACE_WRAPPER"))?;
    let aside = work.join(format!("{}.wasm", module.glue));
    copy(&target().join("wasm32-unknown-unknown/wasm/planloom_wasm.wasm"), &aside)?;
    Ok(aside)
}

/// Compiles one module that is all of them.
pub(super) fn compile_whole(feature: Option<&str>) -> Result<PathBuf> {
    run(wasm::compile(&wasm::PACKAGES).args(feature.into_iter().flat_map(|it| ["--features", it])))?;
    Ok(wasm::compiled("planloom_wasm"))
}

/// Puts the module that is all of them into a folder under each of their names.
pub(super) fn name_whole(whole: &Path, work: &Path) -> Result<()> {
    const NAME: &str = "planloom_wasm";
    let bound = wasm::bind(whole, NAME, &["--omit-default-module-path", wasm::WITHOUT_NAMES])?;
    include_snippets(NAME, &bound)?;
    for Module { glue, has_parts, .. } in &MODULES {
        copy(&bound.join(format!("{NAME}.js")), &work.join(format!("{glue}.js")))?;
        copy(&bound.join(format!("{NAME}_bg.wasm")), &work.join(format!("{glue}_bg.wasm")))?;
        if *has_parts {
            run(command("node").arg(root().join("web/parts/whole.mjs")).arg(glue).arg(work))?;
        }
    }
    Ok(())
}

/// Makes the modules as they ship: split, optimised. The tools keep one processor busy each.
pub(super) fn shrink_each(built: &[PathBuf], work: &Path) -> Result<()> {
    thread::scope(|scope| {
        let begun = MODULES.iter().zip(built);
        let begun: Vec<_> =
            begun.map(|(module, wasm)| scope.spawn(move || shrink(module, wasm, work))).collect();
        begun.into_iter().try_for_each(|it| it.join().map_err(|_| anyhow!("a module could not be made"))?)
    })
}

fn shrink(module: &Module, wasm: &Path, work: &Path) -> Result<()> {
    if module.has_parts {
        return split(module, wasm, work);
    }
    bind(module, wasm, work)?;
    optimise(module, work)
}

fn split(module: &Module, wasm: &Path, work: &Path) -> Result<()> {
    let folders = [WASM_BINDGEN.folder()?, root().join("web/npm/node_modules/.bin")];
    let mut split = command("node");
    split.arg(root().join("web/parts/split.mjs")).arg(wasm).arg(module.glue).arg(work);
    split.args(["--omit-default-module-path", "--trap-at-panics"]).args(OPTIMISE).args(WASM_FEATURES);
    split.env("PATH", path_with(&folders)?).env("PLANLOOM_OPTIMISED", target().join("optimised"));
    run(split.env("PLANLOOM_SPLITTER", tools::splitter()?))?;
    include_snippets(module.glue, work)
}

fn bind(module: &Module, wasm: &Path, work: &Path) -> Result<()> {
    let bound = wasm::bind(wasm, module.glue, &["--omit-default-module-path"])?;
    include_snippets(module.glue, &bound)?;
    [format!("{}.js", module.glue), format!("{}_bg.wasm", module.glue)]
        .iter()
        .try_for_each(|it| copy(&bound.join(it), &work.join(it)))
}

/// Puts the scripts that crates bring with them into the glue, so that the package is one folder.
fn include_snippets(glue: &str, work: &Path) -> Result<()> {
    let snippets = work.join("snippets");
    if !snippets.is_dir() {
        return Ok(());
    }
    let glue = work.join(format!("{glue}.js"));
    let mut bundle = command(root().join("web/npm/node_modules/.bin/esbuild"));
    bundle.args(["--bundle", "--format=esm", "--target=es2022", "--log-level=warning", "--allow-overwrite"]);
    bundle.args(["--minify-whitespace", "--external:./*_parts.js"]);
    run(bundle.arg(format!("--outfile={}", glue.display())).arg(&glue))?;
    fs::remove_dir_all(&snippets).with_context(|| format!("cannot remove {}", relative(&snippets)))
}

fn optimise(module: &Module, work: &Path) -> Result<()> {
    let mut optimise = command("node");
    optimise.arg(root().join("web/parts/optimise.mjs")).arg(work.join(format!("{}_bg.wasm", module.glue)));
    run(optimise.args(OPTIMISE).args(WASM_FEATURES).env("PLANLOOM_OPTIMISED", target().join("optimised")))
}
