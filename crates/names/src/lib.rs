//! Names of resources: `projects/p1/regions/eu/secrets/s`, and the patterns that they follow.
//!
//! A [`Pattern`] is a list of collections with an id each, `projects/{project}/secrets/{secret}`. A kind of resources has
//! one or several, its [`Patterns`], which are tried in order; a concrete name follows exactly one of them. Ids are what an
//! [`IdPattern`], a regular expression in Go's syntax, allows; it may allow `/`, so a name is never split at slashes without
//! its pattern. Where no id may contain one, splitting is the quick way, and a test compares it with the regular
//! expressions. `-` instead of an id is a wildcard and stands for any id.
//!
//! Source of the rules: Goten's guide, "Resource names", and what its real specifications generate.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

pub mod codes;
mod id;
mod name;
mod pattern;

pub use id::{IdPattern, IdPatternError, generate_id};
pub use name::{FullName, Name, NameError, NameProblem, ParentName, RelativeName, ResourceType, ServiceName};
pub use pattern::{Pattern, PatternError, Patterns, Segment};

/// In place of an id: any id.
pub const WILDCARD: &str = "-";

/// Bytes of a name, at most; the limit is ours. Ids in practice have up to 512 characters.
pub const MAX_NAME: usize = 16 << 10;
