//! A result that several steps need and one of them builds: the first that asks for it, while the others wait.

use std::{fs, path::PathBuf, sync::OnceLock};

use anyhow::{Result, anyhow};

use super::{lint, native::Native};
use crate::{
    ahead, npm,
    shell::{in_the_gaps, root, target},
    site::{
        self,
        development::{self, Development},
    },
    tools, wasm,
};

/// The result of a build, which is made once in a run.
pub(super) struct Artifact<T> {
    build: fn() -> Result<T>,
    built: OnceLock<Result<T, String>>,
}

impl<T> Artifact<T> {
    const fn new(build: fn() -> Result<T>) -> Self {
        Self { build, built: OnceLock::new() }
    }

    /// The result of the build, or the error with which it failed, for every step that asks.
    pub(super) fn get(&self) -> Result<&T> {
        let built = self.built.get_or_init(|| (self.build)().map_err(|it| format!("{it:#}")));
        built.as_ref().map_err(|it| anyhow!("{it}"))
    }
}

/// Everything that is native, with what clippy found in it.
pub(super) static NATIVE: Artifact<Native> = Artifact::new(super::native::compile);
/// The WebAssembly modules for tests; the number of lints that they violate.
pub(super) static MODULES: Artifact<u32> = Artifact::new(|| {
    tools::wasm_target()?;
    let compile = wasm::compile(&Vec::from_iter(modules()));
    // Tests that run beside it are not to wait for it.
    lint::compile(in_the_gaps(compile)).map(|it| it.warnings)
});
/// The packages whose modules tests load, or that show that they compile.
pub(super) fn modules() -> impl Iterator<Item = &'static str> {
    wasm::PACKAGES.into_iter().chain(["planloom-bench-engine"])
}

/// The npm package for tests: its folder.
pub(super) static PACKAGE: Artifact<PathBuf> = Artifact::new(|| {
    MODULES.get()?;
    npm::build_development()
});
/// The app for tests: its folder.
pub(super) static SITE: Artifact<PathBuf> = Artifact::new(|| {
    MODULES.get()?;
    development::bundle_editor()?;
    let folder = target().join("site-test");
    // What an earlier app had must not be in this one.
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    Development::new(folder.clone(), false).assemble()?;
    Ok(folder)
});
/// The npm package as it ships: its folder. A package that was built ahead and failed is built again, so that its error is
/// reported.
pub(super) static SHIPPED_PACKAGE: Artifact<PathBuf> = Artifact::new(|| {
    if !ahead::finish_package() {
        npm::build()?;
    }
    Ok(root().join("web/npm"))
});
/// The app as it ships: its folder.
pub(super) static SHIPPED_SITE: Artifact<PathBuf> = Artifact::new(|| {
    if !ahead::finish_app() {
        site::build()?;
    }
    Ok(target().join("site"))
});
