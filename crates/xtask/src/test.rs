//! Everything that must pass. A failed step does not keep the others from running.

mod artifact;
mod checks;
mod count;
mod lint;
mod native;
mod shipped;
mod steps;
mod unchanged;

use std::{collections::BTreeSet, process::ExitCode, thread, time::Instant};

use anyhow::{Result, bail};

pub(crate) use count::{Count, counted};
use steps::{PHASES, Step};

use crate::{
    ahead,
    output::{self, Output},
    shell::compile_with_clippy,
};

struct Outcome {
    name: &'static str,
    count: Count,
    seconds: f32,
}

/// `test [--times] [--all] [STEP…]`: runs the steps named, or all; the last line is `N passed, N failed`, and how many did not run
/// because nothing that they read has changed since they passed.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    if arguments.first().is_some_and(|it| it == "--list") {
        steps::all().for_each(|step| println!("{:<12} {}", step.name, step.what));
        return Ok(ExitCode::SUCCESS);
    }
    let (flags, names): (Vec<_>, Vec<_>) =
        arguments.iter().map(String::as_str).partition(|it| it.starts_with("--"));
    for flag in flags {
        match flag {
            "--times" => checks::note_times(),
            "--all" => unchanged::run_all(),
            _ => bail!("test takes --times, --all, --list and names of steps"),
        }
    }
    let known: BTreeSet<&str> = steps::all().map(|step| step.name).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(*name)) {
        bail!("no such step: {name}; `cargo xtask test --list` lists them");
    }
    compile_with_clippy();
    let is_wanted = |step: &Step| names.is_empty() || names.contains(&step.name);
    if steps::all().any(|step| is_wanted(step) && shipped::STEPS.contains(&step.name)) {
        ahead::want();
    }
    let mut outcomes = Vec::new();
    for lanes in PHASES {
        outcomes.extend(run_phase(lanes, is_wanted));
    }
    Ok(summary(&outcomes))
}

/// Runs the lanes of a phase side by side.
fn run_phase(lanes: &[&'static [Step]], is_wanted: impl Fn(&Step) -> bool + Sync) -> Vec<Outcome> {
    thread::scope(|scope| {
        let is_wanted = &is_wanted;
        let begun = lanes.iter().map(|lane| {
            let steps = lane.iter().filter(move |it| is_wanted(it));
            scope.spawn(move || steps.map(Step::perform).collect::<Vec<_>>())
        });
        let begun: Vec<_> = begun.collect();
        let failed = || vec![Outcome { name: "xtask", count: Count::failed(1), seconds: 0.0 }];
        begun.into_iter().flat_map(|lane| lane.join().unwrap_or_else(|_| failed())).collect()
    })
}

fn summary(outcomes: &[Outcome]) -> ExitCode {
    println!();
    let mut total = Count::default();
    for Outcome { name, count, seconds } in outcomes {
        let verdict = if count.failed == 0 { "ok" } else { "FAILED" };
        println!("{name:<12} {verdict:<7} {seconds:>7.1} s {count:>6}");
        checks::listed(name).iter().for_each(|it| println!("{it}"));
        total = total.and(*count);
    }
    println!("{total}");
    if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Step {
    fn perform(&self) -> Outcome {
        println!("\n== {}: {}", self.name, self.what);
        let start = Instant::now();
        let count = output::within(Output::Step(self.name), || {
            (self.run)().unwrap_or_else(|error| {
                note!("error: {error:#}");
                Count::failed(1)
            })
        });
        let seconds = start.elapsed().as_secs_f32();
        println!("== {}: {count}, {seconds:.1} s", self.name);
        Outcome { name: self.name, count, seconds }
    }
}
