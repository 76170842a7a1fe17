//! Building the npm package.

mod elements;

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    thread,
};

use anyhow::{Context, Result, anyhow};

use crate::{
    shell::{cargo, command, output, path_with, relative, reproducible, root, run, target},
    tools::{self, WASM_BINDGEN, WASM_SPLIT},
};

/// One WebAssembly module of the package and what belongs to it.
struct Module {
    /// The feature of the crate `wasm` that it is.
    feature: &'static str,
    /// The name of its glue, and of its WebAssembly file before `_bg`.
    glue: &'static str,
    /// Node's entry, without extension.
    node: &'static str,
    /// Parts of it are modules of their own.
    is_split: bool,
}

/// A package to be built.
struct Package {
    modules: &'static [Module],
    /// A feature of its first module beside its own.
    feature: Option<&'static str>,
    /// Where it is put together.
    work: PathBuf,
    /// Where it goes: into the folder `dist` there.
    home: PathBuf,
}

/// The engine comes first.
const MODULES: [Module; 4] = [
    Module { feature: "descriptors", glue: "planloom", node: "node", is_split: true },
    Module { feature: "controllers", glue: "planloom_runtime", node: "runtime_node", is_split: false },
    Module { feature: "simulation", glue: "planloom_simulation", node: "simulation_node", is_split: false },
    Module { feature: "adapters", glue: "planloom_adapters", node: "adapters_node", is_split: false },
];

/// What is written by hand, in `web/npm/src`, and where it goes in `dist`.
const SOURCES: [(&str, &str); 25] = [
    ("index.js", "index.js"),
    ("capabilities.js", "capabilities.js"),
    ("node.js", "node.js"),
    ("entities.js", "entities.js"),
    ("runtime.js", "runtime.js"),
    ("runtime_classes.js", "runtime_classes.js"),
    ("runtime_node.js", "runtime_node.js"),
    ("runtime.d.ts", "runtime.d.ts"),
    ("runtime.d.ts", "runtime.d.cts"),
    ("simulation.js", "simulation.js"),
    ("simulation_node.js", "simulation_node.js"),
    ("simulation_run.js", "simulation_run.js"),
    ("adapters.js", "adapters.js"),
    ("adapters_node.js", "adapters_node.js"),
    ("adapters_run.js", "adapters_run.js"),
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
];

/// The command, which npm makes executable when it installs the package.
const COMMAND: &str = "command.js";

/// Entries of Node that are no modules of their own.
const NODE_ENTRIES: [&str; 2] = ["worker_node", "worker_thread_node"];

/// Declarations that import those of the package, which have another name for CommonJS.
const WORKER_DECLARATIONS: (&str, &str) = ("worker.d.ts", "worker.d.cts");

/// The declarations that the types of views are added to, under both names: the same promise to CommonJS.
const DECLARATIONS: (&str, [&str; 2]) = ("index.d.ts", ["index.d.ts", "index.d.cts"]);
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

/// How wasm-opt makes modules small. Functions with one caller stay: inlined, they compress worse. Those of one name are
/// one function for several types: beside each other, they compress better.
const OPTIMISE: [&str; 3] = ["-O3", "--one-caller-inline-max-function-size=0", "--reorder-functions-by-name"];

/// Builds `web/npm/dist`, unless it is what would be built.
pub(crate) fn build() -> Result<()> {
    let (home, work) = (root().join("web/npm"), target().join("npm"));
    Package { modules: &MODULES, feature: None, work, home }.build()
}

/// Builds a package whose engine has a feature more, without the modules beside it, into a folder. Gives its `dist`.
pub(crate) fn build_with(feature: &'static str, home: &Path) -> Result<PathBuf> {
    let (engine, _) = MODULES.split_at(1);
    let package =
        Package { modules: engine, feature: Some(feature), work: home.join("work"), home: home.to_owned() };
    package.build()?;
    copy(&root().join("web/npm/package.json"), &home.join("package.json"))?;
    Ok(home.join("dist"))
}

impl Package {
    fn build(&self) -> Result<()> {
        tools::wasm_target()?;
        tools::node_modules("web/npm")?;
        let built = self.modules.iter().map(|it| self.compile(it)).collect::<Result<Vec<_>>>()?;
        let declarations = declarations()?;
        let fingerprint = fingerprint(&built, &declarations)?;
        let (dist, stamp) = (self.home.join("dist"), self.work.join("built"));
        if dist.is_dir() && fs::read_to_string(&stamp).is_ok_and(|built| built == fingerprint) {
            tools::already("npm package");
            return elements::build(&dist, &self.work);
        }
        self.assemble(&built, &declarations, &dist)?;
        elements::build(&dist, &self.work)?;
        fs::write(&stamp, fingerprint)?;
        sizes(&dist)
    }

    /// Builds a module and puts it aside, because the next has the same name.
    fn compile(&self, module: &Module) -> Result<PathBuf> {
        let mut build = cargo();
        build.args(["build", "--locked", "--package", "planloom-wasm", "--profile", "wasm"]);
        build.args([
            "--no-default-features",
            "--features",
            module.feature,
            "--target",
            "wasm32-unknown-unknown",
        ]);
        build.args(self.feature.into_iter().flat_map(|it| ["--features", it]));
        run(build.env("RUSTFLAGS", reproducible()?))?;
        let aside = self.work.join(format!("{}.wasm", module.glue));
        fs::create_dir_all(&self.work)?;
        copy(&target().join("wasm32-unknown-unknown/wasm/planloom_wasm.wasm"), &aside)?;
        Ok(aside)
    }

    fn assemble(&self, built: &[PathBuf], declarations: &str, dist: &Path) -> Result<()> {
        let work = self.work.join("dist");
        assemble(self.modules, built, declarations, &work)?;
        replace(&work, dist)?;
        LICENCES.into_iter().try_for_each(|it| copy(&root().join(it), &self.home.join(it)))
    }
}

/// Everything `dist` is made of, in one number.
fn fingerprint(built: &[PathBuf], declarations: &str) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    declarations.hash(&mut hasher);
    let source = root().join("web/npm/src");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/npm.rs");
    let parts = ["split.mjs", "binary.mjs", "panics.mjs", "segments.mjs", "parts.js"]
        .map(|it| root().join("web/parts").join(it));
    let inputs = [root().join("web/npm/package-lock.json"), own].into_iter().chain(parts);
    let by_hand = SOURCES.map(|(from, _)| from).into_iter().chain([COMMAND, WORKER_DECLARATIONS.0]);
    for path in built.iter().cloned().chain(inputs).chain(by_hand.map(|it| source.join(it))) {
        fs::read(&path).with_context(|| format!("cannot read {}", relative(&path)))?.hash(&mut hasher);
    }
    WASM_BINDGEN.version.hash(&mut hasher);
    WASM_SPLIT.version.hash(&mut hasher);
    Ok(format!("{:016x}", hasher.finish()))
}

fn assemble(modules: &[Module], built: &[PathBuf], declarations: &str, work: &Path) -> Result<()> {
    if work.exists() {
        fs::remove_dir_all(work)?;
    }
    fs::create_dir_all(work)?;
    // The optimiser keeps one processor busy for minutes.
    thread::scope(|scope| {
        let begun = modules.iter().zip(built);
        let begun: Vec<_> =
            begun.map(|(module, wasm)| scope.spawn(move || shrink(module, wasm, work))).collect();
        begun.into_iter().try_for_each(|it| it.join().map_err(|_| anyhow!("a module could not be made"))?)
    })?;
    for (from, to) in SOURCES {
        copy(&root().join("web/npm/src").join(from), &work.join(to))?;
    }
    copy(&root().join("web/npm/src").join(COMMAND), &work.join(COMMAND))?;
    for to in DECLARATIONS.1 {
        fs::write(work.join(to), declarations).with_context(|| format!("cannot write {to}"))?;
    }
    worker_declarations(work)?;
    modules.iter().try_for_each(|module| common_js(module.node, work))?;
    NODE_ENTRIES.into_iter().try_for_each(|entry| common_js(entry, work))?;
    schema(work)
}

fn worker_declarations(work: &Path) -> Result<()> {
    let (name, for_common_js) = WORKER_DECLARATIONS;
    let text = fs::read_to_string(root().join("web/npm/src").join(name))?;
    fs::write(work.join(name), &text)?;
    Ok(fs::write(work.join(for_common_js), text.replace("\"./index.js\"", "\"./index.cjs\""))?)
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

/// What is declared by hand, and the types of the views, made from those of Rust.
fn declarations() -> Result<String> {
    let by_hand = root().join("web/npm/src").join(DECLARATIONS.0);
    let by_hand =
        fs::read_to_string(&by_hand).with_context(|| format!("cannot read {}", relative(&by_hand)))?;
    let mut generate = cargo();
    generate.args(["run", "--locked", "--quiet", "--package", "planloom-view"]);
    Ok(by_hand + &output(generate.args(["--features", "typescript", "--example", "typescript"]))?)
}

fn shrink(module: &Module, wasm: &Path, work: &Path) -> Result<()> {
    if module.is_split {
        return split(module, wasm, work);
    }
    bind(module, wasm, work)?;
    optimise(module, work)
}

fn split(module: &Module, wasm: &Path, work: &Path) -> Result<()> {
    let folders = [WASM_BINDGEN.folder()?, WASM_SPLIT.folder()?, root().join("web/npm/node_modules/.bin")];
    let mut split = command("node");
    split.arg(root().join("web/parts/split.mjs")).arg(wasm).arg(module.glue).arg(work);
    split.args(["--omit-default-module-path", "--trap-at-panics"]).args(OPTIMISE).args(WASM_FEATURES);
    run(split.env("PATH", path_with(&folders)?))
}

fn bind(module: &Module, wasm: &Path, work: &Path) -> Result<()> {
    let mut bind = command(WASM_BINDGEN.path()?);
    bind.args([
        "--target",
        "web",
        "--no-typescript",
        "--omit-default-module-path",
        "--out-name",
        module.glue,
    ]);
    run(bind.arg("--out-dir").arg(work).arg(wasm))?;
    include_snippets(module, work)
}

/// Puts the scripts that crates bring with them into the glue, so that the package is one folder.
fn include_snippets(module: &Module, work: &Path) -> Result<()> {
    let snippets = work.join("snippets");
    if !snippets.is_dir() {
        return Ok(());
    }
    let glue = work.join(format!("{}.js", module.glue));
    let mut bundle = command(root().join("web/npm/node_modules/.bin/esbuild"));
    bundle.args(["--bundle", "--format=esm", "--target=es2022", "--log-level=warning", "--allow-overwrite"]);
    run(bundle.arg(format!("--outfile={}", glue.display())).arg(&glue))?;
    fs::remove_dir_all(&snippets).with_context(|| format!("cannot remove {}", relative(&snippets)))
}

fn optimise(module: &Module, work: &Path) -> Result<()> {
    let wasm = work.join(format!("{}_bg.wasm", module.glue));
    let mut optimise = command(root().join("web/npm/node_modules/.bin/wasm-opt"));
    optimise.args(OPTIMISE).args(WASM_FEATURES);
    run(optimise.arg(&wasm).arg("-o").arg(&wasm))
}

/// `require` of Node 20 takes no ES module, so Node's entries are there in both forms, each with one copy of the glue.
fn common_js(entry: &str, work: &Path) -> Result<()> {
    let mut bundle = command(root().join("web/npm/node_modules/.bin/esbuild"));
    bundle.arg(work.join(format!("{entry}.js")));
    bundle.args(["--bundle", "--platform=node", "--format=cjs", "--target=node20"]);
    bundle.args(["--define:import.meta.url=planloomUrl", "--log-level=warning"]);
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
