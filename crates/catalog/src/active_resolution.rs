//! `ActiveResolution` documents (deppy.io/v1alpha1): requirements as Deppy's first proposal writes them, and
//! the outcome written back (source: OLM's first proposal).
//!
//! ```yaml
//! apiVersion: deppy.io/v1alpha1
//! kind: ActiveResolution
//! metadata: {name: po-resolution}
//! spec:
//!   sources: [redhat-operators]          # the catalogs to use; all of them without this
//!   profile: v1                          # the rules to use: phase0 (without this), v0 or v1
//!   constraints:
//!   - required("odf-operator", ">= 3.1.0", "stable")
//!   - installed("devspaces", "1.0.2", "alpha")
//!   - runtime("openshift", "4.21")
//!   - required: {name: cluster-logging, versionRange: ">= 2.0.0 < 3.0.0", channel: stable}
//!   - installed: {name: fuse-online, version: 5.26.7, channel: fast}
//!   - runtime: {openshift: "4.21", kubernetes: 1.34.0}
//! ```
//!
//! The proposal has `sources`, `required` and `installed`. Extensions are `profile`, `runtime`, and these
//! fields: of `required` `channels` (a list), `source` (one catalog), `startingBundle` (with `v0`),
//! `upgrades: any` (versions that no upgrade leads to); of `installed` `bundle` (its name) and `properties`
//! (its properties, if no catalog has it any more).

mod call;
mod constraint;
mod documents;
mod fields;
mod read;
mod statement;
mod status;

pub use read::{ActiveResolution, read};
pub use status::write_status;
