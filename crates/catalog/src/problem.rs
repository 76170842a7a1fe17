//! From requirements to variables and constraints.

pub(crate) mod candidate;
mod candidate_filter;
mod cause;
mod channels;
mod formulation;
mod needs;
mod runtime;
mod uniqueness;
mod universe;
mod upgrades;
mod v0;

pub(crate) use candidate::{Candidate, ChannelRequest};
pub(crate) use candidate_filter::{CandidateFilter, Exclusion, RequirementCandidates};
pub(crate) use cause::{Cause, StatedVariable};
pub(crate) use channels::Membership;
pub(crate) use formulation::{Formulation, RequiredBundle};
pub(crate) use universe::Universe;
