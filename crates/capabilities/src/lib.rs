//! All capabilities: the one place where hosts find them, and the parts in which the engine is downloaded.
//!
//! Native hosts take [`workspace`], which has all capabilities. Hosts that download the engine load it in parts, and
//! [`parts`] is the table of them: the name of each part, its capabilities, the hosts that load it, and the trait by which
//! it answers, such as [`LinkingPart`]. Macros generate the rest from the table: [`Part`]; the functions of [`Parts`], which
//! are the only access to a part; and, by `load_functions!`, the functions of `wasm` and of the app's worker that load one.
//! Builds and tests of the npm package request the names from the module. So a part is added in one row, and no list of
//! parts can be out of date.
//!
//! A part is reached through one function only, so that a tool which splits modules can move everything behind it into a
//! file of its own. In a build with the feature `split`, which is what ships, `web/parts/split.mjs` does that: the file
//! shares memory and function table with the main module and is fetched on demand. Without the feature the function is
//! called directly and the module is whole, as in development builds. Answers of parts are JSON text, so that the code that
//! writes them is in the part, too. The npm package cannot show the message of a panic, so panics trap at once there
//! (`web/parts/panics.mjs`).
//!
//! The alternative is a small build of the core that a whole build replaces. It makes the core 60 KB smaller, but users of
//! versions download twice as much, and all files are read again.
#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod comparison;
mod documents;
mod editing;
mod linking;
mod load_functions;
mod part;
mod refactoring;
mod reports;
mod service_commands;
mod services;
mod table;
mod versions;

use ::workspace::Workspace;

pub use comparison::ComparisonPart;
pub use documents::DocumentsPart;
pub use editing::{Cursor, EditingPart};
pub use linking::LinkingPart;
pub use part::{ALL, Part, Parts};
pub use refactoring::RefactoringPart;
pub use reports::ReportsPart;
pub use service_commands::{ServiceCommandsPart, execute};
pub use services::ServicesPart;
pub use versions::VersionsPart;

/// An empty workspace with all capabilities.
pub fn workspace() -> Workspace {
    let mut workspace = Workspace::with(ALL);
    part::load_all(&mut workspace);
    workspace
}

/// An answer as JSON text; `null` where it cannot be written, which every answer can.
fn json(answer: &impl serde::Serialize) -> String {
    serde_json::to_string(answer).unwrap_or_else(|_| "null".to_owned())
}
