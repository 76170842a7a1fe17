//! OLM's file-based catalogs: packages, channels, bundles, the edges between versions, and choosing from
//! them.
//!
//! [`read()`] turns catalogs into packages by upstream's rules, and [`active_resolution`] reads
//! `ActiveResolution` documents. Ranges of versions ([`range`]) are read in both dialects that OLM knows,
//! because upstream uses two libraries; [`upgrade`] is the graph of upgrades. [`resolve()`] builds a
//! `resolve::Problem` for the solver from the packages that are required and installed, and translates the
//! answer back into a [`Resolution`].
//!
//! Reading never fails: errors are reported with their place, and the rest of the catalog can be used
//! (source: operator-registry).
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

pub mod active_resolution;
mod answer;
mod bundle;
mod catalog;
mod channel;
pub mod codes;
pub mod constraint;
mod findings;
mod index;
mod outcome;
mod package;
mod problem;
mod property;
mod quote;
pub mod range;
mod read;
mod request;
mod resolution;
mod resolver;
pub mod upgrade;
mod validate;
pub mod version;

pub use bundle::Bundle;
pub use catalog::Catalog;
pub use channel::{Channel, Entry};
pub use index::Index;
pub use package::{Deprecation, Package};
pub use property::{Gvk, PackageRange, Property, PropertyData};
pub use read::{CatalogText, is_catalog, read};
pub use request::{Installed, Profile, Request, Requirement, RequirementOrigin, Runtime};
pub use resolution::{Conflict, ConsideredCandidate, Fact, Fix, Resolution, Selected};
pub use resolver::{resolve, what_would_move};
pub use validate::validate;
