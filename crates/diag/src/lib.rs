//! Places in texts, and the problems there.
//!
//! Every other crate refers to text through [`Span`]s (a file and two byte offsets) and to the user's mistakes
//! through [`Diagnostic`]s. Lines and columns are made once, at the edge, by [`Sources::locate`].
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
