//! The patterns of names.

mod diagnose;
mod error;
mod one;
mod patterns;
mod segment;
mod split;

pub use error::PatternError;
pub use one::Pattern;
pub use patterns::Patterns;
pub use segment::Segment;
