//! The codes of what this crate reports, each with its documentation.

mod indices;
mod parameters;
mod values;

use diag::CodeEntry;

pub use self::{indices::*, parameters::*, values::*};

/// All of them, by what they are about.
pub const ALL: &[&[CodeEntry]] = &[INDICES, PARAMETERS, VALUES];
