//! Tests of the store: by case, by conformance scenario, by trap and by law.

mod cases_queries;
mod cases_store;
mod cases_transactions;
mod cases_views;
mod cases_watch;
#[cfg(not(target_arch = "wasm32"))]
mod change_log;
mod conformance;
#[cfg(not(target_arch = "wasm32"))]
mod globs;
#[cfg(not(target_arch = "wasm32"))]
mod laws;
mod many;
mod memory;
#[cfg(not(target_arch = "wasm32"))]
mod model;
mod scenarios_resources;
mod scenarios_watches;
#[cfg(not(target_arch = "wasm32"))]
mod submissions;
mod support;
mod texts;
#[cfg(not(target_arch = "wasm32"))]
mod threads;
mod traps;
