//! `explore [PROTOCOL] [--steps N]`: tries everything that can happen to simulated deployments that execute the protocols of
//! `regions`, up to a number of steps in each large world, and prints how many states there are. This is a simulation: no
//! message is sent, and nothing is stored.
#![expect(clippy::print_stdout, reason = "it is a program of the command line")]

use std::time::Instant;

use anyhow::{Context, Result, bail};
use explored::large;

/// The steps in each world, by default.
const STEPS: usize = 2_000_000;

fn main() -> Result<()> {
    let (mut protocol, mut steps) = (None, STEPS);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match &*argument {
            "--steps" => steps = arguments.next().context("`--steps` needs a number")?.parse()?,
            _ if protocol.is_none() => protocol = Some(argument),
            _ => bail!("explore takes a protocol and `--steps N`"),
        }
    }
    let (mut states, begun) = (0, Instant::now());
    let worlds = if std::env::var("SMALL").is_ok() { explored::small() } else { large() };
    for world in worlds.iter().filter(|it| protocol.as_deref().is_none_or(|wanted| it.protocol == wanted)) {
        let found = world.explore(steps);
        println!("{:.1} {}, {}: {found}", begun.elapsed().as_secs_f64(), world.protocol, world.name);
        if found.found.is_some() {
            if std::env::var("SMALL").is_err() {
                bail!("a promise is broken")
            };
        }
        states += found.states;
    }
    println!("{states} states in {:.0} s", begun.elapsed().as_secs_f64());
    Ok(())
}
