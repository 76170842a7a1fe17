//! Edits of names: every place that names a resource or a part of one, and its new name in all of them.
//!
//! Places are found by the type definitions, which say what a field refers to, and by the addresses in `${…}`. All layers
//! count, also where a later one overrides a value: a file that is used with other ones must not be left with a name that
//! nothing has. Only bytes of the files are found and edited; comments and formatting stay.
//!
//! A recorded resource that is renamed gets a `moved` record in the files, so that the next plan does not destroy and
//! create it. [`model::moves`] is the one rule for which recorded address becomes which, `plan::follow_moves` applies it
//! to what is compared, and the ledger of `engine` to what is recorded.
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
