//! Measuring, side by side with named peers from npm where there are some.

use std::fs;

use anyhow::{Context, Result};

use crate::{
    chromium, dapp_runner, npm,
    shell::{cargo, command, run as carry_out, target},
    site, tools,
};

/// `bench [ROW…]`: prints a table and writes `target/bench.json`.
pub(crate) fn run(rows: &[String]) -> Result<()> {
    let wanted = |row| rows.is_empty() || rows.iter().any(|name| name == row);
    if rows != ["golem"] && rows != ["load"] && rows != ["regions"] {
        npm::build()?;
        tools::node_modules("tests/bench")?;
        tools::node_modules("tests/npm")?; // what drives the browser
    }
    if wanted("size") {
        site::build()?;
    }
    if wanted("merge") || wanted("layout") {
        measured("engine", false)?;
    }
    if wanted("resources") {
        measured("resources", true)?;
    }
    if wanted("versions") {
        measured("versions", true)?;
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
    if wanted("services") || wanted("load") || wanted("regions") {
        carry_out(cargo().args(["build", "--locked", "--release", "-p", "planloom-cli"]))?;
    }
    if wanted("regions") {
        carry_out(cargo().args([
            "build",
            "--locked",
            "--release",
            "-p",
            "planloom-exploration",
            "--bin",
            "explore",
        ]))?;
    }
    if wanted("services") {
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

/// A benchmark that is a crate of its own: natively, if it has a program, and as `target/bench-NAME.wasm`.
fn measured(name: &str, has_program: bool) -> Result<()> {
    let build = || {
        let mut build = cargo();
        build
            .args(["build", "--locked", "--profile", "measured", "--package"])
            .arg(format!("planloom-bench-{name}"));
        build
    };
    if has_program {
        carry_out(build().arg("--bins"))?;
    }
    carry_out(build().args(["--lib", "--target", "wasm32-unknown-unknown"]))?;
    let wasm = target().join(format!("wasm32-unknown-unknown/measured/planloom_bench_{name}.wasm"));
    let copied = fs::copy(wasm, target().join(format!("bench-{name}.wasm")));
    copied.map(|_| ()).with_context(|| format!("cannot copy the benchmark of {name}"))
}
