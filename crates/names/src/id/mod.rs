//! The form of ids.

mod class;
mod generate;
mod pattern;
mod sequence;
mod token;

pub use generate::generate_id;
pub use pattern::{IdPattern, IdPatternError};
