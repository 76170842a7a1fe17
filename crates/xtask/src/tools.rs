//! The tools that are not in the repository, each at a fixed version.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use anyhow::{Context, Result, anyhow, bail};

use crate::{
    debian, docs, embed, output, schemathesis,
    shell::{self, cargo, command, relative, root, run, which},
};

/// Builds the app. <https://trunkrs.dev>
pub(crate) const TRUNK: Tool = Tool {
    program: "trunk",
    package: "trunk",
    version: "0.21.14",
    // It downloads nothing, so it needs no TLS.
    flags: &["--no-default-features"],
    optimised: &[],
};

/// Makes JavaScript modules of wasm ones. Its version must be that of the crate `wasm-bindgen`.
pub(crate) const WASM_BINDGEN: Tool = Tool {
    program: "wasm-bindgen",
    package: "wasm-bindgen-cli",
    version: "0.2.126",
    // Without what downloads drivers of browsers for its tests.
    flags: &["--no-default-features"],
    optimised: &[
        "gimli",
        "hashbrown",
        "id-arena",
        "indexmap",
        "leb128",
        "rustc-demangle",
        "walrus",
        "wasm-bindgen-cli-support",
        "wasm-encoder",
        "wasmparser",
    ],
};

/// Builds one of the sites that elements are tested on. <https://rust-lang.github.io/mdBook>
pub(crate) const MDBOOK: Tool = Tool {
    program: "mdbook",
    package: "mdbook",
    version: "0.5.4",
    flags: &["--no-default-features"],
    optimised: &[],
};

/// The profile with which tools are compiled: one that compiles quickly.
const PROFILE: [&str; 2] = ["profile.dev.debug=false", "profile.dev.opt-level=0"];

const WASM: &str = "wasm32-unknown-unknown";

/// A program from crates.io.
pub(crate) struct Tool {
    pub(crate) program: &'static str,
    package: &'static str,
    pub(crate) version: &'static str,
    flags: &'static [&'static str],
    /// The packages that it spends its time in, optimised where it runs at each build.
    optimised: &'static [&'static str],
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
        // Another clone may be installing it: then it is there when the lock is free.
        let lock = fs::File::create(cache()?.join(format!("{}-{}.lock", self.program, self.version)))?;
        lock.lock()?;
        if folder.join(self.program).is_file() {
            return Ok(folder);
        }
        note!("{what}: installing into {} (a few minutes, once)", home.display());
        // Into a folder of its own first: an interrupted installation must not look complete. What it compiled is kept for
        // the next attempt.
        let unfinished = cache()?.join(format!("unfinished-{}-{}", self.program, self.version));
        let compiled = cache()?.join(format!("compiling-{}-{}", self.program, self.version));
        let mut install = cargo();
        install.args(["install", "--locked", "--debug"]).args(self.flags);
        install.args(PROFILE.iter().flat_map(|it| ["--config", it]));
        let levels = self.optimised.iter().map(|it| format!("profile.dev.package.{it}.opt-level=1"));
        install.args(levels.flat_map(|it| ["--config".to_owned(), it]));
        install.arg("--root").arg(&unfinished).arg("--version").arg(self.version).arg(self.package);
        // These are not our crates: they are not for the repository's target folder, or clippy.
        install
            .env("CARGO_TARGET_DIR", &compiled)
            .env_remove("RUSTC_WORKSPACE_WRAPPER")
            .current_dir(cache()?);
        run(&mut install)?;
        if fs::rename(&unfinished, &home).is_err() && !folder.join(self.program).is_file() {
            bail!("cannot move {} to {}", unfinished.display(), home.display());
        }
        drop(fs::remove_dir_all(&compiled));
        Ok(folder)
    }

    /// The program, installed first where it is missing.
    pub(crate) fn path(&self) -> Result<PathBuf> {
        Ok(self.folder()?.join(self.program))
    }
}

/// Sets up whatever some task needs. Programs are compiled while packages are downloaded.
pub(crate) fn everything() -> Result<()> {
    wasm_target()?;
    library_sources()?;
    let packages = output::spawn(|| {
        debian::install_missing()?;
        for folder in ["web/npm", "web/editor", "tests/npm", "tests/browser", "tests/bench"] {
            node_modules(folder)?;
        }
        docs::set_up()?;
        embed::set_up()?;
        schemathesis::program().map(|_| ())
    });
    let programs = WASM_BINDGEN.folder().and_then(|_| TRUNK.folder()).map(|_| ());
    packages.join().map_err(|_| anyhow!("packages could not be installed"))?.and(programs)
}

/// The program that splits modules into parts that load later, compiled.
pub(crate) fn splitter() -> Result<PathBuf> {
    run(cargo().args(["build", "--locked", "--package", "planloom-splitter"]))?;
    Ok(shell::target().join("debug/planloom-splitter"))
}

/// The standard library for wasm.
pub(crate) fn wasm_target() -> Result<()> {
    part_of_rust(&format!("target {WASM}"), WASM, ["target", "add", WASM]).map(|_| ())
}

/// The sources of the standard library, of which what ships is compiled.
pub(crate) fn library_sources() -> Result<PathBuf> {
    part_of_rust("sources of the standard library", "src/rust/library", ["component", "add", "rust-src"])
}

/// A folder below `lib/rustlib` of the compiler, which rustup adds if it is missing.
fn part_of_rust(what: &str, folder: &str, added_by: [&str; 3]) -> Result<PathBuf> {
    let sysroot = shell::output(command("rustc").args(["--print", "sysroot"]))?;
    let part = Path::new(sysroot.trim()).join("lib/rustlib").join(folder);
    if part.is_dir() {
        already(what);
    } else {
        note!("{what}: adding");
        run(command("rustup").args(added_by)).with_context(|| format!("this Rust has no {what}"))?;
    }
    Ok(part)
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
    note!("npm packages of {folder}: installing");
    let npm = which("npm").context("npm is not there: install Node 20 or later, with npm")?;
    run(command(npm).args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(&home))?;
    if !home.join("node_modules").is_dir() {
        return Ok(());
    }
    fs::write(&installed, lock).with_context(|| format!("cannot write {}", relative(&installed)))
}

/// Says that there is nothing to do, once.
pub(crate) fn already(what: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(what.to_owned()) {
        note!("{what}: ok, already there");
    }
}

pub(crate) fn cache() -> Result<PathBuf> {
    let named = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let base = named.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")));
    let cache = base.context("neither XDG_CACHE_HOME nor HOME is set")?.join("planloom");
    fs::create_dir_all(&cache).with_context(|| format!("cannot make {}", cache.display()))?;
    Ok(cache)
}
