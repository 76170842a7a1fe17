//! The codes of what this crate reports, each with its documentation.

mod changes;
mod manifests;

use diag::CodeEntry;

pub use self::{changes::*, manifests::*};

/// All of them, by what they are about.
pub const ALL: &[&[CodeEntry]] = &[CHANGES, MANIFESTS];
