//! The codes of what this crate reports, each with its documentation.

mod links;
mod moves;
mod networks;
mod references;
mod values;

use diag::CodeEntry;

pub use self::{links::*, moves::*, networks::*, references::*, values::*};

/// All of them, by what they are about.
pub const ALL: &[&[CodeEntry]] = &[LINKS, MOVES, NETWORKS, REFERENCES, VALUES];
