//! The codes of what this crate reports, each with its documentation.

mod audit;
mod limits;
mod models;
mod transactions;

use diag::CodeEntry;

pub use self::{audit::*, limits::*, models::*, transactions::*};

/// All of them, by what they are about.
pub const ALL: &[&[CodeEntry]] = &[AUDIT, LIMITS, MODELS, TRANSACTIONS];
