//! The vocabulary: what a resource is. Values in, values out; no serialisation.
//!
//! - [`Address`] names a resource (`services.web[0]`), [`Pointer`] a place inside a value (`/payload/params`).
//! - [`Value`] is data that knows where it came from ([`Origin`]), whether it must be hidden (`sensitive`), and whether
//!   it is known yet ([`Data::Unknown`]); an [`Expression`] is what determines one that is not.
//! - [`Desired`] is what the descriptors ask for; [`Recorded`] and [`Observed`] are what was written down and what an
//!   adapter saw.
//! - [`moves`] is the one rule for which recorded address becomes which when a resource is renamed ([`Moved`]).
//!
//! The only behaviour concerns secrets: a [`Redactor`] has those of a run and removes them from texts before these are
//! cut, recorded, shown or sent, and marks the values that hold them; [`is_secret_name`] is the only rule for what a
//! secret is called.
//!
//! Invariant: every value has an origin, by type.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod address;
mod desired;
mod expression;
mod moved;
mod origin;
mod pointer;
mod redactor;
mod secret_name;
mod state;
mod value;

pub use address::{Address, AddressError, unquote};
pub use desired::{Dependency, Desired, DesiredResource, EdgeKind, PackageUse};
pub use expression::{Expression, Part, Reference, Step, reference_openings};
pub use moved::{Moved, moves, rename_references};
pub use origin::Origin;
pub use pointer::Pointer;
pub use redactor::{HIDDEN, Redactor, SHORTEST_CONTAINED};
pub use secret_name::is_secret_name;
pub use state::{Observed, ObservedResource, Phase, Recorded, RecordedResource};
pub use value::{Data, Map, Value, map_of};
