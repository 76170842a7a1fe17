//! The codes of what this crate reports, each with its documentation.

mod errors;
mod lints;

use diag::CodeEntry;

pub use self::{errors::*, lints::*};

/// All of them, by what they are about.
pub const ALL: &[&[CodeEntry]] = &[ERRORS, LINTS];
