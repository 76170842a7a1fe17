//! The codes of what this crate reports, each with its documentation.

pub mod apply;
pub mod wasm;
pub mod worker;

use diag::CodeEntry;

/// All of them, by family.
pub const ALL: &[&[CodeEntry]] = &[apply::ALL, wasm::ALL, worker::ALL];
