//! The tools that are not in the repository, each at a fixed version.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use crate::{
    chromium, debian, docs, embed,
    shell::{cargo, command, output, relative, root, run, which},
};

/// Builds the app. <https://trunkrs.dev>
pub(crate) const TRUNK: Tool = Tool {
    program: "trunk",
    package: "trunk",
    version: "0.21.14",
    flags: &["--no-default-features", "--features", "rustls"],
};

/// Makes JavaScript modules of wasm ones. Its version must be that of the crate `wasm-bindgen`.
pub(crate) const WASM_BINDGEN: Tool =
    Tool { program: "wasm-bindgen", package: "wasm-bindgen-cli", version: "0.2.126", flags: &[] };

/// Splits modules into parts that load later. Its version must fit that of the crate `wasm_split_helpers`.
pub(crate) const WASM_SPLIT: Tool = Tool {
    program: "wasm_split_cli",
    package: "wasm_split_cli_support",
    version: "0.2.0",
    flags: &["--features", "build-binary"],
};

/// Builds one of the sites that elements are tested on. <https://rust-lang.github.io/mdBook>
pub(crate) const MDBOOK: Tool =
    Tool { program: "mdbook", package: "mdbook", version: "0.5.4", flags: &["--no-default-features"] };

const WASM: &str = "wasm32-unknown-unknown";

/// A program from crates.io.
pub(crate) struct Tool {
    pub(crate) program: &'static str,
    package: &'static str,
    pub(crate) version: &'static str,
    flags: &'static [&'static str],
}

impl Tool {
    /// The folder of the program, installed first where it is missing.
    pub(crate) fn folder(&self) -> Result<PathBuf> {
        let home = cache()?.join(format!("{}-{}", self.program, self.version));
        let folder = home.join("bin");
        let what = format!("{} {}", self.program, self.version);
        if folder.join(self.program).is_file() {
            already(&what);
            return Ok(folder);
        }
        println!("{what}: installing into {} (a few minutes, once)", home.display());
        // Into a folder of its own first: an interrupted installation must not look complete.
        let unfinished = cache()?.join(format!("unfinished-{}-{}", self.program, std::process::id()));
        let mut install = cargo();
        install.args(["install", "--locked", "--debug"]).args(self.flags);
        install.arg("--root").arg(&unfinished).arg("--version").arg(self.version).arg(self.package);
        // Not into the repository's target folder: these are not our crates.
        install.env_remove("CARGO_TARGET_DIR").current_dir(cache()?);
        run(&mut install)?;
        if fs::rename(&unfinished, &home).is_err() && !folder.join(self.program).is_file() {
            bail!("cannot move {} to {}", unfinished.display(), home.display());
        }
        Ok(folder)
    }

    /// The program, installed first where it is missing.
    pub(crate) fn path(&self) -> Result<PathBuf> {
        Ok(self.folder()?.join(self.program))
    }
}

/// Sets up whatever some task needs.
pub(crate) fn everything() -> Result<()> {
    wasm_target()?;
    WASM_BINDGEN.folder()?;
    WASM_SPLIT.folder()?;
    TRUNK.folder()?;
    for folder in ["web/npm", "web/editor", "tests/npm", "tests/browser", "tests/bench"] {
        node_modules(folder)?;
    }
    embed::set_up()?;
    docs::set_up()?;
    chromium::find()?;
    chromium::driver()?;
    debian::etcd()?;
    debian::redis()?;
    debian::pyyaml()?;
    debian::podman()
}

/// The standard library for wasm.
pub(crate) fn wasm_target() -> Result<()> {
    let sysroot = output(command("rustc").args(["--print", "sysroot"]))?;
    if Path::new(sysroot.trim()).join("lib/rustlib").join(WASM).is_dir() {
        already(&format!("target {WASM}"));
        return Ok(());
    }
    println!("target {WASM}: adding");
    run(command("rustup").args(["target", "add", WASM])).context("this Rust has no standard library for wasm")
}

/// The npm packages of a folder, exactly as its lockfile says. A folder without one needs none.
pub(crate) fn node_modules(folder: &str) -> Result<()> {
    let home = root().join(folder);
    let Ok(lock) = fs::read(home.join("package-lock.json")) else { return Ok(()) };
    let installed = home.join("node_modules/.planloom-lock.json");
    if fs::read(&installed).is_ok_and(|of| of == lock) {
        already(&format!("npm packages of {folder}"));
        return Ok(());
    }
    println!("npm packages of {folder}: installing");
    let npm = which("npm").context("npm is not there: install Node 20 or later, with npm")?;
    run(command(npm).args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(&home))?;
    if !home.join("node_modules").is_dir() {
        return Ok(());
    }
    fs::write(&installed, lock).with_context(|| format!("cannot write {}", relative(&installed)))
}

/// Says that there is nothing to do.
pub(crate) fn already(what: &str) {
    println!("{what}: ok, already there");
}

pub(crate) fn cache() -> Result<PathBuf> {
    let named = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let base = named.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")));
    let cache = base.context("neither XDG_CACHE_HOME nor HOME is set")?.join("planloom");
    fs::create_dir_all(&cache).with_context(|| format!("cannot make {}", cache.display()))?;
    Ok(cache)
}
