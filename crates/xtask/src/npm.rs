//! Building the npm package.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
};

use anyhow::{Context, Result};

use crate::{
    shell::{cargo, command, output, relative, reproducible, root, run, target},
    tools::{self, WASM_BINDGEN},
};

/// What is written by hand, in `web/npm/src`, and where it goes in `dist`.
const SOURCES: [(&str, &str); 4] = [
    ("index.js", "index.js"),
    ("node.js", "node.js"),
    ("index.d.ts", "index.d.ts"),
    ("index.d.ts", "index.d.cts"), // the same promise to CommonJS
];
const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// What rustc may use in wasm; wasm-opt has to be told, because stripping removes the section that says so.
const WASM_FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Builds `web/npm/dist`, unless it is what would be built.
pub(crate) fn build() -> Result<()> {
    tools::wasm_target()?;
    tools::node_modules("web/npm")?;
    let wasm = compile()?;
    let (home, stamp) = (root().join("web/npm"), target().join("npm/built"));
    let fingerprint = fingerprint(&wasm)?;
    let dist = home.join("dist");
    if dist.is_dir() && fs::read_to_string(&stamp).is_ok_and(|built| built == fingerprint) {
        tools::already("npm package");
        return Ok(());
    }
    let work = target().join("npm/dist");
    assemble(&wasm, &work)?;
    replace(&work, &dist)?;
    for licence in LICENCES {
        copy(&root().join(licence), &home.join(licence))?;
    }
    fs::write(&stamp, fingerprint)?;
    sizes(&dist)
}

/// Inlining less makes the engine 17 KB smaller with Brotli; reading a text then takes 5 % longer. The app is built
/// without: its other half, optimised for size, inlines less than that by itself.
const INLINE: &str = "-Cllvm-args=-inline-threshold=120";

fn compile() -> Result<std::path::PathBuf> {
    let mut build = cargo();
    build.args(["build", "--locked", "--package", "planloom-wasm", "--profile", "wasm"]);
    run(build
        .args(["--target", "wasm32-unknown-unknown"])
        .env("RUSTFLAGS", format!("{} {INLINE}", reproducible()?)))?;
    Ok(target().join("wasm32-unknown-unknown/wasm/planloom_wasm.wasm"))
}

/// Everything `dist` is made of, in one number.
fn fingerprint(wasm: &Path) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    let source = root().join("web/npm/src");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/npm.rs");
    let inputs = [wasm.to_owned(), root().join("web/npm/package-lock.json"), own];
    for path in inputs.into_iter().chain(SOURCES.map(|(from, _)| source.join(from))) {
        fs::read(&path).with_context(|| format!("cannot read {}", relative(&path)))?.hash(&mut hasher);
    }
    WASM_BINDGEN.version.hash(&mut hasher);
    Ok(format!("{:016x}", hasher.finish()))
}

fn assemble(wasm: &Path, work: &Path) -> Result<()> {
    if work.exists() {
        fs::remove_dir_all(work)?;
    }
    fs::create_dir_all(work)?;
    bind(wasm, work)?;
    optimise(work)?;
    for (from, to) in SOURCES {
        copy(&root().join("web/npm/src").join(from), &work.join(to))?;
    }
    common_js(work)
}

fn bind(wasm: &Path, work: &Path) -> Result<()> {
    let mut bind = command(WASM_BINDGEN.path()?);
    bind.args(["--target", "web", "--no-typescript", "--omit-default-module-path", "--out-name", "planloom"]);
    run(bind.arg("--out-dir").arg(work).arg(wasm))
}

fn optimise(work: &Path) -> Result<()> {
    let wasm = work.join("planloom_bg.wasm");
    let mut optimise = command(root().join("web/npm/node_modules/.bin/wasm-opt"));
    run(optimise.arg("-O3").args(WASM_FEATURES).arg(&wasm).arg("-o").arg(&wasm))
}

/// `require` of Node 20 takes no ES module, so Node's entry is there in both forms, each with one copy of the glue.
fn common_js(work: &Path) -> Result<()> {
    let mut bundle = command(root().join("web/npm/node_modules/.bin/esbuild"));
    bundle.arg(work.join("node.js")).args(["--bundle", "--platform=node", "--format=cjs", "--target=node20"]);
    bundle.args(["--define:import.meta.url=planloomUrl", "--log-level=warning"]);
    bundle.arg("--banner:js=const planloomUrl = require(\"node:url\").pathToFileURL(__filename);");
    run(bundle.arg(format!("--outfile={}", work.join("node.cjs").display())))
}

fn replace(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", relative(from), relative(to)))?;
    Ok(())
}

/// Prints what users download.
fn sizes(dist: &Path) -> Result<()> {
    let script = "const z = require('zlib'), fs = require('fs');\
        for (const file of ['planloom_bg.wasm', 'planloom.js', 'index.js']) {\
          const bytes = fs.readFileSync(process.argv[1] + '/' + file);\
          console.log('  ' + file.padEnd(18), bytes.length, 'bytes,', z.brotliCompressSync(bytes).length, 'with Brotli');\
        }";
    print!("{}", output(command("node").arg("-e").arg(script).arg(dist))?);
    Ok(())
}
