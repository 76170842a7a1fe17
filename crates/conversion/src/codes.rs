//! The codes of what this crate reports, each with its documentation.

mod files;
mod requests;

use diag::CodeEntry;

pub use self::{files::*, requests::*};

/// All of them, by what they are about.
pub const ALL: &[&[CodeEntry]] = &[FILES, REQUESTS];
