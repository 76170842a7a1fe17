//! The program on a Golem network of one machine: the daemons are real, the providers are simulated.

#![expect(clippy::print_stderr, reason = "a test that is skipped says so")]

mod bench;
mod budgets;
mod kills;
mod losses;
mod real;
mod restarts;
