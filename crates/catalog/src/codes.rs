//! The codes of what this crate reports, each with its documentation.

mod catalogs;
mod requests;

use diag::CodeEntry;

pub use self::{catalogs::*, requests::*};

/// All of them, by what they are about.
pub const ALL: &[&[CodeEntry]] = &[CATALOGS, REQUESTS];
