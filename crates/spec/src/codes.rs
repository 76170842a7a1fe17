//! The codes of what this crate reports, each with its documentation.

mod fields;
mod specifications;
mod tenancy_lints;

use diag::CodeEntry;

pub use self::{fields::*, specifications::*, tenancy_lints::*};

/// All of them, by what they are about.
pub const ALL: &[&[CodeEntry]] = &[FIELDS, SPECIFICATIONS, TENANCY_LINTS];
