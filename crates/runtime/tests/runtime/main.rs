//! Tests of the runtime, by case and by law. No test needs a thread or a real clock.

mod cases_chain;
mod cases_failures;
mod cases_inputs;
mod cases_isolation;
mod cases_limits;
mod cases_registration;
mod cases_rights;
mod cases_wakes;
mod chain;
mod generic;
mod graph;
mod host;
#[cfg(not(target_arch = "wasm32"))]
mod laws;
#[cfg(not(target_arch = "wasm32"))]
mod page;
mod restarts;
mod support;
