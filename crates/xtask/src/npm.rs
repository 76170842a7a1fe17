//! Building the npm package: as it ships, and as it is tested.

mod declarations;
mod elements;
mod modules;

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use crate::{
    dist::files,
    shell::{command, output, relative, root, run, target},
    tools::{self, WASM_BINDGEN},
};

/// One WebAssembly module of the package and what belongs to it.
struct Module {
    /// The features of the crate `wasm` that it is built with when it ships.
    features: &'static str,
    /// The name of its glue, and of its WebAssembly file before `_bg`.
    glue: &'static str,
    /// Node's entry, without extension.
    node: &'static str,
    /// Parts of it are modules of their own.
    has_parts: bool,
}

/// The way in which the modules are built.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Build {
    /// Each with nothing but its own features, optimised, and in parts.
    Shipped,
    /// For tests: one module with all features, under the names of all of them.
    Development {
        /// A feature that is not among the ordinary ones.
        feature: Option<&'static str>,
    },
}

/// A package to be built.
struct Package {
    build: Build,
    /// The folder in which it is put together.
    work: PathBuf,
    /// The package's own folder; it goes into the folder `dist` there.
    home: PathBuf,
}

/// The engine comes first.
const MODULES: [Module; 2] = [
    Module { features: "descriptors,split", glue: "planloom", node: "node", has_parts: true },
    Module { features: "controllers", glue: "planloom_runtime", node: "runtime_node", has_parts: false },
];

/// The files written by hand, in `web/npm/src`, and their places in `dist`.
const SOURCES: [(&str, &str); 30] = [
    ("index.js", "index.js"),
    ("capabilities.js", "capabilities.js"),
    ("node.js", "node.js"),
    ("codes.json", "codes.json"),
    ("entities.js", "entities.js"),
    ("runtime.js", "runtime.js"),
    ("runtime_classes.js", "runtime_classes.js"),
    ("runtime_node.js", "runtime_node.js"),
    ("runtime.d.ts", "runtime.d.ts"),
    ("runtime.d.ts", "runtime.d.cts"),
    ("simulation.js", "simulation.js"),
    ("simulation_node.js", "simulation_node.js"),
    ("adapters.js", "adapters.js"),
    ("adapters_node.js", "adapters_node.js"),
    ("runs.js", "runs.js"),
    ("worker.js", "worker.js"),
    ("worker_node.js", "worker_node.js"),
    ("worker_client.js", "worker_client.js"),
    ("worker_server.js", "worker_server.js"),
    ("worker_thread.js", "worker_thread.js"),
    ("worker_thread_node.js", "worker_thread_node.js"),
    ("worker_thread.d.ts", "worker_thread.d.ts"),
    ("worker_thread.d.ts", "worker_thread.d.cts"),
    ("command_arguments.js", "command_arguments.js"),
    ("command_files.js", "command_files.js"),
    ("serve.js", "serve.js"),
    ("serve_answers.js", "serve_answers.js"),
    ("serve_files.js", "serve_files.js"),
    ("serve_disk.js", "serve_disk.js"),
    ("serve_watch.js", "serve_watch.js"),
];

/// The command, which npm makes executable when it installs the package.
const COMMAND: &str = "command.js";

/// Entries of Node that are no modules of their own.
const NODE_ENTRIES: [&str; 4] = ["simulation_node", "adapters_node", "worker_node", "worker_thread_node"];

const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// Builds `web/npm/dist` as it ships, unless it is what would be built.
pub(crate) fn build() -> Result<()> {
    let (home, work) = (root().join("web/npm"), target().join("npm"));
    Package { build: Build::Shipped, work, home }.build()
}

/// Puts a built app into the package, which `planloom serve` of its command serves.
pub(crate) fn add_app(site: &Path) -> Result<()> {
    let app = root().join("web/npm/dist/app");
    if app.exists() {
        fs::remove_dir_all(&app)?;
    }
    // What keeps the app for use without a server would show an older one after an update of the package.
    for path in files(site)?.into_iter().filter(|it| it != "service-worker.js") {
        let to = app.join(&path);
        fs::create_dir_all(to.parent().unwrap_or(&app))?;
        copy(&site.join(&path), &to)?;
    }
    Ok(())
}

/// Builds the package for tests; gives its folder.
pub(crate) fn build_development() -> Result<PathBuf> {
    build_with(None, &target().join("package"))
}

/// The same with a feature that is not among the ordinary ones, into another folder.
pub(crate) fn build_with(feature: Option<&'static str>, home: &Path) -> Result<PathBuf> {
    let build = Build::Development { feature };
    Package { build, work: home.join("work"), home: home.to_owned() }.build()?;
    ["package.json", "README.md"]
        .iter()
        .try_for_each(|it| copy(&root().join("web/npm").join(it), &home.join(it)))?;
    Ok(home.to_owned())
}

impl Package {
    fn build(&self) -> Result<()> {
        tools::wasm_target()?;
        tools::node_modules("web/npm")?;
        fs::create_dir_all(&self.work)?;
        let built = match self.build {
            Build::Shipped => modules::compile_each(&self.work)?,
            Build::Development { feature } => vec![modules::compile_whole(feature)?],
        };
        let declarations = declarations::made()?;
        let fingerprint = fingerprint(&built, &declarations)?;
        let (dist, stamp) = (self.home.join("dist"), self.work.join("built"));
        if dist.is_dir() && fs::read_to_string(&stamp).is_ok_and(|built| built == fingerprint) {
            tools::already("npm package");
            return elements::build(&dist, &self.work);
        }
        self.assemble(&built, &declarations, &dist)?;
        elements::build(&dist, &self.work)?;
        fs::write(&stamp, fingerprint)?;
        if self.build == Build::Shipped { sizes(&dist) } else { Ok(()) }
    }

    fn assemble(&self, built: &[PathBuf], declarations: &str, dist: &Path) -> Result<()> {
        let work = self.work.join("dist");
        if work.exists() {
            fs::remove_dir_all(&work)?;
        }
        fs::create_dir_all(&work)?;
        match (self.build, built) {
            (Build::Development { .. }, [whole]) => modules::name_whole(whole, &work)?,
            _ => modules::shrink_each(built, &work)?,
        }
        assemble(declarations, &work)?;
        replace(&work, dist)?;
        LICENCES.into_iter().try_for_each(|it| copy(&root().join(it), &self.home.join(it)))
    }
}

/// Everything `dist` is made of, in one number.
fn fingerprint(built: &[PathBuf], declarations: &str) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    declarations.hash(&mut hasher);
    let source = root().join("web/npm/src");
    let own = ["src/npm.rs", "src/npm/declarations.rs", "src/npm/modules.rs", "src/wasm.rs"]
        .map(|it| Path::new(env!("CARGO_MANIFEST_DIR")).join(it));
    let parts = [
        "split.mjs",
        "loaders.mjs",
        "whole.mjs",
        "optimise.mjs",
        "optimiser.mjs",
        "imports.mjs",
        "splitter/Cargo.toml",
        "splitter/src/main.rs",
        "binary.mjs",
        "panics.mjs",
        "segments.mjs",
        "parts.js",
    ]
    .map(|it| root().join("web/parts").join(it));
    let inputs = [root().join("web/npm/package-lock.json")].into_iter().chain(own).chain(parts);
    let by_hand = SOURCES.map(|(from, _)| from).into_iter().chain([COMMAND, declarations::OF_WORKER]);
    for path in built.iter().cloned().chain(inputs).chain(by_hand.map(|it| source.join(it))) {
        fs::read(&path).with_context(|| format!("cannot read {}", relative(&path)))?.hash(&mut hasher);
    }
    WASM_BINDGEN.version.hash(&mut hasher);
    Ok(format!("{:016x}", hasher.finish()))
}

fn assemble(declarations: &str, work: &Path) -> Result<()> {
    for (from, to) in SOURCES {
        copy(&root().join("web/npm/src").join(from), &work.join(to))?;
    }
    copy(&root().join("web/npm/src").join(COMMAND), &work.join(COMMAND))?;
    compact(&work.join("codes.json"))?;
    declarations::write(declarations, work)?;
    MODULES.iter().try_for_each(|module| common_js(module.node, work))?;
    NODE_ENTRIES.into_iter().try_for_each(|entry| common_js(entry, work))?;
    schema(work)
}

/// Writes a JSON file again without the spaces that are for who reads its differences.
fn compact(path: &Path) -> Result<()> {
    let value: serde_json::Value = serde_json::from_slice(&fs::read(path)?)?;
    Ok(fs::write(path, value.to_string())?)
}

/// The JSON Schema of descriptors, for editors that find it by the package.
fn schema(work: &Path) -> Result<()> {
    // The folder has no `package.json` that would make modules of its files.
    let script = "const { Workspace } = require(process.argv[1] + '/node.cjs');\
        console.log(JSON.stringify(new Workspace().jsonSchema(), null, 2));";
    let mut generate = command("node");
    generate.args(["-e", script]).arg(work);
    Ok(fs::write(work.join("schema.json"), output(&mut generate)?)?)
}

/// `require` of Node 20 takes no ES module, so Node's entries are there in both forms, each with one copy of the glue.
fn common_js(entry: &str, work: &Path) -> Result<()> {
    let mut bundle = command(root().join("web/npm/node_modules/.bin/esbuild"));
    bundle.arg(work.join(format!("{entry}.js")));
    bundle.args(["--bundle", "--platform=node", "--format=cjs", "--target=node20"]);
    bundle.args(["--define:import.meta.url=planloomUrl", "--minify-whitespace", "--log-level=warning"]);
    bundle.arg("--banner:js=const planloomUrl = require(\"node:url\").pathToFileURL(__filename);");
    run(bundle.arg(format!("--outfile={}", work.join(format!("{entry}.cjs")).display())))
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
    let script = "const z = require('zlib'), fs = require('fs'), dist = process.argv[1];\
        for (const file of fs.readdirSync(dist).filter((it) => /wasm$|[^s]\\.js$/.test(it))) {\
          const bytes = fs.readFileSync(dist + '/' + file);\
          console.log('  ' + file.padEnd(28), bytes.length, 'bytes,', z.brotliCompressSync(bytes).length, 'with Brotli');\
        }";
    print!("{}", output(command("node").arg("-e").arg(script).arg(dist))?);
    Ok(())
}
