//! Measuring, side by side with named peers from npm where there are some.

use std::fs;

use anyhow::{Context, Result};

use crate::{
    chromium, dapp_runner, npm,
    shell::{cargo, command, root, run as carry_out, target},
    site, tools,
};

/// `bench [ROW…]`: prints a table and writes `target/bench.json`.
pub(crate) fn run(rows: &[String]) -> Result<()> {
    let wanted = |row| rows.is_empty() || rows.iter().any(|name| name == row);
    if rows != ["golem"] {
        npm::build()?;
        tools::node_modules("tests/bench")?;
        tools::node_modules("tests/npm")?; // what drives the browser
    }
    if wanted("size") {
        site::build()?;
    }
    if wanted("merge") || wanted("layout") {
        engine()?;
    }
    if wanted("resources") {
        both("resources")?;
    }
    if wanted("versions") {
        both("versions")?;
    }
    if wanted("apply") {
        carry_out(cargo().args([
            "build",
            "--locked",
            "--release",
            "-p",
            "planloom-host",
            "--example",
            "thousand",
        ]))?;
    }
    if wanted("services") {
        carry_out(cargo().args(["build", "--locked", "--release", "-p", "planloom-cli"]))?;
        let speed = ["build", "--locked", "--release", "-p", "planloom-names", "--example", "speed"];
        carry_out(cargo().args(speed))?;
    }
    let mut bench = command("node");
    bench.args(["--expose-gc", "tests/bench/run.mjs"]).args(rows).env("PLANLOOM_TARGET", target());
    if wanted("golem") {
        // As tests build them: what takes the time is the network.
        carry_out(cargo().args(["build", "--locked", "-p", "planloom-cli", "-p", "planloom-golem-network"]))?;
        if let Some(program) = dapp_runner::program() {
            bench.env("DAPP_RUNNER", program);
        }
    }
    if wanted("keystroke") || wanted("graph") {
        bench.env("CHROME", chromium::find()?);
    }
    carry_out(&mut bench)
}

/// The engine's phases as a wasm module of their own, into `target/bench-engine.wasm`.
fn engine() -> Result<()> {
    let (manifest, built) = (root().join("tests/bench/engine/Cargo.toml"), target().join("bench-engine"));
    let mut build = cargo();
    build.args(["build", "--locked", "--release", "--target", "wasm32-unknown-unknown", "--manifest-path"]);
    carry_out(build.arg(manifest).arg("--target-dir").arg(&built))?;
    let wasm = built.join("wasm32-unknown-unknown/release/planloom_bench_engine.wasm");
    let copied = fs::copy(wasm, target().join("bench-engine.wasm"));
    copied.map(|_| ()).context("cannot copy the engine of the benchmark")
}

/// A benchmark that is a crate of its own, natively and as `target/bench-NAME.wasm`.
fn both(name: &str) -> Result<()> {
    let manifest = root().join("tests/bench").join(name).join("Cargo.toml");
    let built = target().join(format!("bench-{name}"));
    for wasm in [false, true] {
        let mut build = cargo();
        build.args(["build", "--locked", "--release", "--manifest-path"]).arg(&manifest);
        build.arg("--target-dir").arg(&built);
        if wasm {
            build.args(["--lib", "--target", "wasm32-unknown-unknown"]);
        }
        carry_out(&mut build)?;
    }
    let wasm = format!("wasm32-unknown-unknown/release/planloom_bench_{name}.wasm");
    let copied = fs::copy(built.join(wasm), target().join(format!("bench-{name}.wasm")));
    copied.map(|_| ()).with_context(|| format!("cannot copy the benchmark of {name}"))
}
