//! Breaks runs of the real `planloom` on purpose, at random, and checks afterwards that every promise was kept.
//!
//! `torture SECONDS [--seed N] [--only ROUND] [--kind app|files|flapping|services|regions]`, with the program in the variable `PLANLOOM`. Most
//! rounds deploy an app of their own, change it and destroy it, while programs are killed, disks fill up, replies are dropped,
//! bits flip and servers restart. After each step the harness compares what runs, what is recorded and what was written with
//! what has to be: nothing lost, nothing twice, nothing left, no secret anywhere. The other rounds are of files that servers,
//! pages and editors write at the same time, of a service that ends again and again, of resources of a service, and of a service in
//! three regions; with `--kind regions`, one round takes all the time.
//!
//! A round is repeated by its seed and its number; what is chosen is the same then, the moments are not quite.
#![expect(clippy::print_stdout, reason = "a command line program")]

mod app;
mod checks;
mod disk;
mod editors;
mod environment;
mod etcd;
mod fault;
mod files_round;
mod flapping_round;
mod http;
mod program;
mod regions_check;
mod regions_round;
mod regions_servers;
mod regions_writer;
mod relay;
mod round;
mod serve;
mod server;
mod services_round;

use std::{
    env,
    path::PathBuf,
    process::ExitCode,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result, bail};

use fastrand::Rng;

use files_round::FilesRound;
use flapping_round::FlappingRound;
use regions_round::RegionsRound;
use round::{Round, Tally};
use services_round::ServicesRound;

/// The command line's options.
struct Options {
    program: PathBuf,
    time: Duration,
    seed: u64,
    only: Option<u64>,
    kind: Option<Kind>,
}

/// The time for which servers of regions are disturbed in a round among others.
const REGIONS_TIME: Duration = Duration::from_secs(12);

/// The kinds of rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    App,
    Files,
    Flapping,
    Services,
    Regions,
}

impl Kind {
    const ALL: [(&str, Self); 5] = [
        ("app", Self::App),
        ("files", Self::Files),
        ("flapping", Self::Flapping),
        ("services", Self::Services),
        ("regions", Self::Regions),
    ];

    const fn of_round(number: u64) -> Self {
        match number % 8 {
            2 => Self::Files,
            5 => Self::Flapping,
            6 => Self::Services,
            7 => Self::Regions,
            _ => Self::App,
        }
    }
}

fn main() -> ExitCode {
    match options().and_then(|options| torture(&options)) {
        Ok(code) => code,
        Err(error) => {
            println!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn options() -> Result<Options> {
    let program = env::var_os("PLANLOOM").context("the variable PLANLOOM does not name the program")?;
    let seed = SystemTime::now().duration_since(UNIX_EPOCH)?.subsec_nanos();
    let mut options = Options {
        program: program.into(),
        time: Duration::from_secs(60),
        seed: seed.into(),
        only: None,
        kind: None,
    };
    let mut words = env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("`{word}` has no value"));
        match word.as_str() {
            "--seed" => options.seed = value()?.parse().context("--seed")?,
            "--only" => options.only = Some(value()?.parse().context("--only")?),
            "--kind" => {
                let name = value()?;
                let kind = Kind::ALL.into_iter().find(|it| it.0 == name);
                options.kind = Some(kind.with_context(|| format!("`{name}` is no kind of round"))?.1);
            }
            _ => options.time = Duration::from_secs(word.parse().with_context(|| format!("`{word}`"))?),
        }
    }
    if !options.program.is_file() {
        bail!("{} is not there; build it first", options.program.display());
    }
    Ok(options)
}

/// Rounds until the time is over, at least one; the last line is `N passed, N failed`.
fn torture(options: &Options) -> Result<ExitCode> {
    println!("torture: seed {}", options.seed);
    let start = Instant::now();
    let mut tally = Tally::default();
    let (mut passed, mut failed) = (0, 0);
    let rounds = options.only.map_or(0..=u64::MAX, |only| only..=only);
    let is_wanted = |number: &u64| options.kind.is_none_or(|it| it == Kind::of_round(*number));
    for number in rounds.filter(is_wanted) {
        let began = Instant::now();
        match run(options, number, &mut tally) {
            Ok(()) => {
                passed += 1;
                let kind = Kind::of_round(number);
                println!("round {number} ({kind:?}): passed in {} s", began.elapsed().as_secs());
            }
            Err(error) => {
                failed += 1;
                println!("FAIL round {number}: {error:#}");
                println!("  again: cargo xtask torture 1 --seed {} --only {number}", options.seed);
            }
        }
        if start.elapsed() >= options.time {
            break;
        }
    }
    println!("{tally}");
    println!("{passed} passed, {failed} failed");
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A round. Most deploy an app; the others are of served files, of a service that ends again and again, of resources of a
/// service, and of a service in several regions.
fn run(options: &Options, number: u64, tally: &mut Tally) -> Result<()> {
    let Options { program, seed, .. } = options;
    let random = Rng::with_seed(seed.wrapping_mul(1_000_003).wrapping_add(number));
    match Kind::of_round(number) {
        Kind::Files => FilesRound::new(program, *seed, number, random).run(tally).context("served files"),
        Kind::Flapping => {
            FlappingRound::new(program, *seed, number, random)?.run().context("a flapping service")
        }
        Kind::Services => {
            let round = ServicesRound::new(program, *seed, number, random)?;
            round.run(tally).context("resources of a service")
        }
        Kind::Regions => {
            let time = if options.kind.is_some() { options.time } else { REGIONS_TIME };
            let round = RegionsRound::new(program, *seed, number, random, time)?;
            round.run(tally).context("a service in several regions")
        }
        Kind::App => {
            let round = Round::new(program, *seed, number, random)?;
            let name = round.name();
            round.run(tally).context(name)
        }
    }
}
