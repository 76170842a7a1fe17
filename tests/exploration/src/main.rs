//! `explore [PROTOCOL] [--steps N]`: tries everything that can happen to simulated deployments that execute the protocols of
//! `regions`, up to a number of steps in each large world, and prints how many states there are.
//!
//! `explore --random YEARS [--seed N] [PROTOCOL]`: lets actions that a seed chooses happen in a larger world of each protocol, for a
//! simulated time. The same seed prints the same lines.
//!
//! This is a simulation: no message is sent, and nothing is stored.
#![expect(clippy::print_stdout, reason = "it is a program of the command line")]

use std::time::Instant;

use anyhow::{Context, Result, bail};
use explored::{large, long, random::YEAR};

/// The steps in each world, by default.
const STEPS: usize = 2_000_000;

/// What is to be done.
struct Arguments {
    protocol: Option<String>,
    steps: usize,
    /// The simulated time of random runs, in years; `None` to try everything.
    years: Option<i64>,
    seed: u64,
}

fn main() -> Result<()> {
    let arguments = arguments(std::env::args().skip(1))?;
    match arguments.years {
        Some(years) => run(&arguments, years),
        None => explore(&arguments),
    }
}

fn arguments(mut all: impl Iterator<Item = String>) -> Result<Arguments> {
    let mut arguments = Arguments { protocol: None, steps: STEPS, years: None, seed: 1 };
    while let Some(argument) = all.next() {
        let mut number = || all.next().with_context(|| format!("`{argument}` needs a number"));
        match &*argument {
            "--steps" => arguments.steps = number()?.parse()?,
            "--random" => arguments.years = Some(number()?.parse()?),
            "--seed" => arguments.seed = number()?.parse()?,
            _ if arguments.protocol.is_none() => arguments.protocol = Some(argument),
            _ => bail!("explore takes a protocol, `--steps N`, `--random YEARS` and `--seed N`"),
        }
    }
    Ok(arguments)
}

impl Arguments {
    fn selects(&self, protocol: &str) -> bool {
        self.protocol.as_deref().is_none_or(|it| it == protocol)
    }
}

fn explore(arguments: &Arguments) -> Result<()> {
    let (mut states, begun) = (0, Instant::now());
    for world in large().iter().filter(|it| arguments.selects(it.protocol)) {
        let found = world.explore(arguments.steps);
        println!("{}, {}: {found}", world.protocol, world.name);
        if found.found.is_some() {
            bail!("a promise is broken");
        }
        states += found.states;
    }
    println!("{states} states in {:.0} s", begun.elapsed().as_secs_f64());
    Ok(())
}

fn run(arguments: &Arguments, years: i64) -> Result<()> {
    for world in long().iter().filter(|it| arguments.selects(it.protocol)) {
        let run = world.run(arguments.seed, years.saturating_mul(YEAR));
        println!("{}: {run}", world.protocol);
        if run.found.is_some() {
            bail!("a promise is broken");
        }
    }
    Ok(())
}
