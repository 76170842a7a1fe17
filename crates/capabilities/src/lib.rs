//! All capabilities there are: the one place where hosts find them.
//!
//! Native hosts take [`workspace`], which has all of them. Hosts that download the engine take it in parts, of which
//! [`parts`] is the table. A function of [`Parts`] is all that is reached of a part, so that a tool which splits modules can
//! put everything behind it into a module that loads later. Answers of parts are JSON text, so that what writes them is
//! behind it, too.
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
