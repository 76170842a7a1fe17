//! Resource type definitions: kinds as data.
//!
//! A [`TypeDefinition`] says which fields a kind has, what they refer to, how they merge, which changes force a
//! rebuild, what is inferred if no file sets it. Merging, validation, planning, completion and the exported JSON
//! Schema read nothing else. The Golem kinds are the built-in definitions (`builtin/*.yaml`); files of the same
//! form, which users and adapters give, add or override kinds. So a kind is added without code.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod builtin;
mod cidr;
pub mod codes;
mod definition;
mod form;
mod golem;
mod merge;
mod normal;
mod read;
mod schema;
mod secrets;
mod set;
mod shape;
mod trail;
mod walk;

pub use cidr::{parse_cidr, range_with_mask};
pub use definition::{
    Condition, DefaultValue, Edge, Field, Implication, LinkFields, OnChange, PackageFields, Shape, Spelling,
    TypeDefinition, Types,
};
pub use form::{Form, ValueReader};
pub use merge::{MergeBehavior, MergeOptions, MergeRule, Sorting};
pub use normal::{canonical_address, normalize, normalize_observed};
pub use read::{FORMAT, read};
pub use schema::json_schema;
pub use secrets::secrets;
pub use set::same_set;
pub use trail::Trail;
pub use walk::{KeyInfo, SchemaNode};
