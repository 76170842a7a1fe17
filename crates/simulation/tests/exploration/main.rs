//! Everything that can happen to simulated deployments, tried by a model checker.
#![expect(clippy::print_stdout, reason = "an exploration says how many states it has tried")]

mod explore;
mod references;
