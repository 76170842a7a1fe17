//! The codes of what this crate reports, each with its documentation.

mod adapters;
mod plans;

use diag::CodeEntry;

pub use self::{adapters::*, plans::*};

/// All of them, by what they are about.
pub const ALL: &[&[CodeEntry]] = &[ADAPTERS, PLANS];
