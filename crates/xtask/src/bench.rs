//! Measuring, side by side with named peers from npm.

use anyhow::Result;

use crate::{
    chromium, npm,
    shell::{command, run as carry_out, target},
    tools,
};

/// `bench [ROW…]`: prints a table and writes `target/bench.json`.
pub(crate) fn run(rows: &[String]) -> Result<()> {
    npm::build()?;
    tools::node_modules("tests/bench")?;
    let mut bench = command("node");
    bench.args(["--expose-gc", "tests/bench/run.mjs"]).args(rows);
    carry_out(bench.env("CHROME", chromium::find()?).env("PLANLOOM_TARGET", target()))
}
