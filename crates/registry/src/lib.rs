//! The registry of deployments as a service that is served: Goten's meta service.
//!
//! The protocol is that of [`regions::registration`]. Its entries are resources of the service [`SERVICE`], whose
//! [`SPECIFICATION`] is here: so they are listed, read and watched as any others are. Only the protocol writes them, in one
//! transaction for each request ([`reply_to`]); operators add regions.
//!
//! A server registers each service that it serves ([`registrations`]), and finds in its [`Surroundings`] the regions of the
//! services that concern it and the addresses of their deployments.
//!
//! Source: Goten's guide, "Meta Service as Service Registry", and the definitions of the meta service in its SDK
//! (`github.com/cloudwan/goten-sdk`).
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod deployment;
mod entry_key;
mod fit;
mod registration;
mod reply;
mod service;
mod services_info;
mod stored;
mod surroundings;

use std::sync::Arc;

pub use entry_key::deployment_of;
pub use fit::Fit;
pub use registration::{Installation, registrations};
pub use reply::reply_to;
pub use surroundings::Surroundings;

/// The namespace of the registry's own records, which are stored beside its resources.
pub const RECORDS: &str = "registry";

/// The name of the service.
pub const SERVICE: &str = "meta.goten.com";

/// The specification of the service, for servers that have no other one.
pub const SPECIFICATION: &str = include_str!("registry.yaml");

/// A name in the registry: of a service, a region, a version or a kind of resource.
pub type Name = Arc<str>;
/// An entry of the registry.
pub type Entry = regions::registration::Entry<Name>;
/// The name of an entry.
pub type EntryName = regions::registration::EntryName<Name>;
/// A request to the registry.
pub type Request = regions::registration::Request<Name>;
/// A message from the registry.
pub type Reply = regions::registration::Reply<Name>;
