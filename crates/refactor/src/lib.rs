//! Edits of names: every place that names a resource or a part of one, and its new name in all of them.
//!
//! All layers count, also where a later one overrides a value: a file that is used with other ones must not be left with a
//! name that nothing has. Only bytes of the files are found and edited; comments and formatting stay.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod name;
mod occurrences;
mod outline;
mod record;
mod references;
mod rename;

pub use occurrences::{Occurrence, OccurrenceKind, Occurrences};
pub use outline::outline;
pub use references::references;
pub use rename::{RenameError, rename};
