//! The codes of what this crate reports, each with its documentation.

mod applying;
mod files;
mod leftovers;
mod runs;
mod serving;
mod versions;

use diag::CodeEntry;

pub use self::{applying::*, files::*, leftovers::*, runs::*, serving::*, versions::*};

/// All of them, by what they are about.
pub const ALL: &[&[CodeEntry]] = &[APPLYING, FILES, LEFTOVERS, RUNS, SERVING, VERSIONS];
