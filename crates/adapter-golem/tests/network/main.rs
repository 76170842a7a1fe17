//! The adapter on a Golem network of one machine: the daemons are real, the providers are simulated.

#![expect(clippy::print_stderr, reason = "a test that is skipped says so")]

mod agent;
mod bench;
mod conformance;
mod crashes;
mod life;
mod money;
mod providers;
