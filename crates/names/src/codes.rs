//! The codes of what this crate reports, each with its documentation.

mod names;
mod patterns;

use diag::CodeEntry;

pub use self::{names::*, patterns::*};

/// All of them, by what they are about.
pub const ALL: &[&[CodeEntry]] = &[NAMES, PATTERNS];
