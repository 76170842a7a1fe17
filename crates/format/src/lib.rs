//! The layout of YAML files, as formatters of code give it: indentation, spaces and blank lines.
//!
//! [`format`] gives edits of white space, and of single quotes that can as well be double ones. A text is cut into
//! [pieces](piece) by the scanner's events; [`layout`] puts them into lines, by the collections around them; [`edits`]
//! compares the result with the text.
//!
//! Values, comments and the lines that they are on stay. That is checked and not assumed: the result is read again, and is
//! refused unless it has the same events and comments and would not change if it were formatted again. A text for which
//! that is not certain is left as it is, with a warning. Readers of YAML 1.1 read the same of both, which a test compares
//! with PyYAML.
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
