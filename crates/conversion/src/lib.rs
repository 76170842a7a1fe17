//! Versions of a service that run side by side: resources are stored as those of the new version, and requests to the old one are
//! answered from them.
//!
//! A *conversion* is a file, [`Mapping`]: which resource type, which form of names and which field of the old version is which of the
//! new one. What it does not mention and both have is the same. [`Conversion::new`] checks it against the two specifications. It
//! can be undone: a file that would lose a value of the old version is refused, and fields that only the new one has are kept when
//! the old one writes ([`KindConversion::keep_unknown`]).
//!
//! Everything is derived from that one file, in both directions: resources, names and parents, paths and masks, filters and orders.
//! Page tokens are those of the new version's lists. [`OldVersions`] is that for a server: it converts the requests to the old
//! version, lets the API of the new one answer, and converts the response, messages of watches and problems too.
//!
//! **Limits**
//! - One resource is one resource. Types that become one, or are split, are not converted.
//! - Lists have the order of the new version, which is that of the old one unless names change otherwise than by constants.
//! - Owner references name their version themselves, and stay as they are.
//!
//! There is no IO here, no clock and no randomness.
//!
//! Source of the rules: Goten's guide, 2.4.2, "Migrating your Service to New Version".
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

pub mod codes;
mod conversion;
mod direction;
mod enum_values;
mod field_conversion;
mod field_pairing;
mod field_tree;
mod filter;
mod keys;
mod kind_conversion;
mod kind_pairs;
mod mapping;
mod message_builder;
mod message_conversion;
mod name_builder;
mod name_constants;
mod name_conversion;
mod open_message;
mod order;
mod path;
mod read;
mod server;
mod summary;
mod value;

pub use conversion::Conversion;
pub use direction::Direction;
pub use filter::Unconvertible;
pub use kind_conversion::KindConversion;
pub use mapping::{FieldMapping, FieldRule, Mapping, NameMapping, ResourceMapping, Text};
pub use name_conversion::ParentUse;
pub use read::read;
pub use server::OldVersions;
pub use summary::{FieldSummary, KindSummary, NameSummary};
pub use value::LostValue;
