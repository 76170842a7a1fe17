//! The codes of what this crate reports, each with its documentation.

mod answers;
mod connecting;

use diag::CodeEntry;

pub use self::{answers::*, connecting::*};

/// All of them, by what they are about.
pub const ALL: &[&[CodeEntry]] = &[ANSWERS, CONNECTING];
