//! The layout of YAML files, as formatters of code give it: indentation, spaces and blank lines.
//!
//! [`format`] gives edits of white space, and of single quotes that can as well be double ones. Values, comments and the
//! lines that they are on stay: what has been formatted is read again, and is refused if anything else differs. A text for
//! which that is not certain is left as it is, with a warning.
//!
//! A text is cut into [pieces](piece) by the scanner's events; [`layout`] puts them into lines; [`edits`] compares the
//! result with the text.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod block;
pub mod codes;
mod comments;
mod cursor;
mod edits;
mod format;
mod frames;
mod layout;
mod open;
mod page;
mod piece;
mod pieces;
mod same;
mod scalar;
mod spacing;

pub use format::{Formatted, format};
