//! The JavaScript API of the npm package: the class `Workspace` (feature `descriptors`); the classes `Store` and
//! `Runtime` (feature `controllers`). Each feature is a module of its own in the package, so that nobody downloads what they do
//! not use.
//!
//! The simulation, and what applies at adapters, are parts of the module ([`run_engine`]): they add `engine`, `adapter`, the
//! browser's database and `fetch` to it. The plan and the run at an adapter are two calls without memory between them: the
//! digest of the plan joins them. The custom elements (`web/npm/src/element`)
//! show the same views in pages of others. Their drawings are trees of plain data, so that user text cannot become markup.
//! What such a page loads first has no engine: the rest is imported when an element is first seen, and elements that name
//! each other share one set of files with what the engine says of it.
//!
//! Methods take and return plain data; what `Workspace` returns is what `JSON.parse` makes of the command line's JSON.
//! `web/npm/src/*.d.ts` are the documentation and the promise; `web/npm` holds what loads these modules.
//!
//! Invariants: no argument makes a method panic, a wrong one is a thrown `Error` with a `code`; a user's mistake in a
//! descriptor is never thrown, it is a diagnostic.
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

/// Smaller than the default, dlmalloc, and faster: of an edit, a seventh was allocation.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

#[cfg(feature = "descriptors")]
mod adapters;
mod answer;
mod argument;
mod failure;

#[cfg(feature = "descriptors")]
mod descriptors;
#[cfg(feature = "descriptors")]
mod files;
#[cfg(feature = "descriptors")]
mod options;
#[cfg(feature = "descriptors")]
mod parts;
#[cfg(feature = "descriptors")]
mod reports;
#[cfg(feature = "descriptors")]
mod runs;
#[cfg(feature = "descriptors")]
mod services;
#[cfg(feature = "descriptors")]
mod simulation;
#[cfg(feature = "descriptors")]
mod solver;

#[cfg(feature = "controllers")]
mod controllers;

#[cfg(feature = "controllers")]
pub use controllers::{Context, Runtime, Store, Watch};
#[cfg(feature = "descriptors")]
pub use descriptors::Workspace;
#[cfg(all(feature = "descriptors", not(feature = "split")))]
pub use parts::parts;
#[cfg(feature = "descriptors")]
pub use parts::{add_part, set_loader};
#[cfg(feature = "descriptors")]
pub use reports::ask_reports;
#[cfg(feature = "descriptors")]
pub use runs::run_engine;
#[cfg(feature = "descriptors")]
pub use services::ask_services;
#[cfg(feature = "descriptors")]
pub use solver::solve_problem;
