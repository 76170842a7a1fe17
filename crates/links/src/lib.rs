//! Typed provides and consumes: which provider each consumer gets, what it learns of it, and why.
//!
//! Pure stages over one [`LinkModel`], which native descriptors and BOSH manifests are both read into:
//! [`select`] chooses a provider for each consumer and remembers why each [`Candidate`] won or lost; [`content`] says
//! what a linked consumer learns, with addresses of the network it asked for; [`expose`] maps the properties of a
//! provider; [`report`] says what went wrong and how it can be fixed; [`director`] says it in the words of BOSH's
//! director; [`impact`] says which consumers a change affects, [`sentence`] why.
//!
//! Nothing here fails. Order in the site never decides who wins: it only decides the order of answers.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

pub mod codes;
pub mod contract;
pub mod director;
pub mod impact;
pub mod names;
pub mod sentence;

mod consumer;
mod content;
mod deployment;
mod fix_builder;
mod link;
mod link_fixes;
mod model;
mod profile;
mod properties;
mod provider;
mod report;
mod select;

pub use consumer::{Consumer, ConsumerSpec, Manual, ProviderSelector, Request, Scope};
pub use content::content;
pub use deployment::{Deployment, Dns, Group, Instance, Network};
pub use link::{Absence, Candidate, Link, Outcome, Refusal, Verdict};
pub use model::{LinkModel, LinkProperty, LinkType, Named};
pub use profile::Profile;
pub use properties::{Declared, ExposedProperties, Exposure, expose, own_properties};
pub use provider::{DnsAlias, Owner, Provider, ProviderId};
pub use report::report;
pub use select::select;
