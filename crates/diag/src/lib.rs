//! Places in texts, and the problems there.
//!
//! Every other crate refers to text through [`Span`]s (a file and two byte offsets) and to the user's mistakes
//! through [`Diagnostic`]s: a stable code, a message, a primary span, related places, help and fixes. Lines
//! and columns exist only in output: [`Sources::locate`] computes them once, at the edge.
//!
//! [`codes!`] defines the codes of a crate, each with its documentation, its severities, and whether it has
//! fixes. Each code is a constant, so code compares constants instead of texts, and all of them are a list,
//! from which their documentation is made.
//!
//! Invariants: a span lies inside its file; `start <= end`; both are character boundaries.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod code;
mod diagnostic;
mod nearest;
pub mod order;
mod source;
mod span;
mod visible;

pub use code::{Code, CodeEntry};
pub use diagnostic::{Diagnostic, Diagnostics, Fix, Label, Severity, TextEdit, apply_edits};
pub use nearest::{Speller, nearest};
pub use source::{Location, Source, Sources};
pub use span::{FileId, Span};
pub use visible::{escape_invisible, is_invisible};
