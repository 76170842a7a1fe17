//! Breaking real runs on purpose.

use std::process::Command;

use anyhow::{Result, bail};

use crate::shell::{build_programs, command, run as carry_out, target};

/// `torture [SECONDS] [--seed N] [--only ROUND] [--kind app|files|flapping|services|regions]`: rounds of random faults for that long, 60 seconds
/// by default.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let known = ["--seed", "--only", "--kind", "app", "files", "flapping", "services", "regions"];
    if !arguments.iter().all(|it| known.contains(&it.as_str()) || it.parse::<u64>().is_ok()) {
        bail!(
            "torture takes a number of seconds, `--seed N`, `--only ROUND` and `--kind app|files|flapping|services|regions`"
        );
    }
    build_programs()?;
    carry_out(harness().args(arguments))
}

/// The compiled harness, with the program that it breaks.
pub(crate) fn harness() -> Command {
    let built = target().join("debug");
    let mut torture = command(built.join("torture"));
    torture.env("PLANLOOM", built.join("planloom"));
    torture
}
