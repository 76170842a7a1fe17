//! The codes of what this crate reports, each with its documentation.

pub mod capability;
pub mod plan;
pub mod state;
pub mod workspace;

use diag::CodeEntry;

// Hosts use nothing of the core but this crate.
pub use graph::codes as graph;
pub use links::codes as links;
pub use lower::codes as lower;
pub use merge::codes as merge;
pub use syntax::codes as syntax;
pub use types::codes as types;

/// All of them, by family.
pub const ALL: &[&[CodeEntry]] = &[capability::ALL, plan::ALL, state::ALL, workspace::ALL];
