//! Desired, persisted and observed to an ordered plan with reasons: the operation plan of the Golem application model.
//!
//! A pure function: it holds nothing that could write. Two plans of the same input are the same.
//!
//! The way of one resource, dependencies first:
//! 1. *Existence*: is it recorded, and does it exist? A record without identity, or one an adapter could not find, is gone.
//! 2. *Fill in*: `${…}` values that are known by now become plain values. A value of a resource that is about to be
//!    created or rebuilt stays unknown.
//! 3. *Compare* with what exists (what was recorded, corrected by what was observed), path by path. The type
//!    definition of the innermost field on the path says what a change there asks for.
//! 4. *Knock on*: what it needs may act on it, along the edges and up to a fixed point; see [`KnockOn`].
//!
//! Invariants: `after` has no cycles and each action stands behind all it waits for; every action but a `no_op` has a
//! reason, and a chain of knock-ons ends in an action with a reason of its own.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod action;
mod assemble;
mod cause;
mod compare;
mod edges;
mod existence;
mod field_states;
mod fill;
mod moves;
mod order;
mod reconcile;
mod renames;
mod secret;
mod template;
mod trace;

#[cfg(test)]
mod tests;

use graph::Graph;
use model::{Desired, Observed, Recorded};
use types::Types;

pub use action::{Change, PlannedAction, Reason, Via};
pub use compare::reports_fields;
pub use moves::{follow_moves, name_as_created};
pub use renames::likely_renames;

/// The mode of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Bring what exists to what is desired.
    #[default]
    Apply,
    /// Remove everything that is recorded.
    Destroy,
}

/// The condition under which a dependent acts because of an action on a resource that it needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KnockOn {
    /// If a value it takes changes or may change: a `${…}` value, or the identity of the resource it lives in.
    #[default]
    Values,
    /// Always, as the Golem application model says literally. A dependent of an updated resource is updated, a dependent of one
    /// that is rebuilt, or made again after it was gone, is rebuilt.
    All,
}

/// The input of a plan.
#[derive(Clone, Copy, Debug)]
pub struct PlanInput<'a> {
    /// The desired resources; ignored in destroy mode.
    pub desired: &'a Desired,
    /// The recorded resources, under the names that they [have now](follow_moves).
    pub recorded: &'a Recorded,
    /// The observed resources.
    pub observed: &'a Observed,
    /// The type definitions, which determine the changes that force a rebuild.
    pub types: &'a Types,
    /// Apply or destroy.
    pub mode: Mode,
    /// The condition under which dependents act.
    pub knock_on: KnockOn,
}

/// The actions that have to happen, in order.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The actions: those that do something, each after those it waits for, ties in declaration order (what is
    /// destroyed comes last, in reverse order of address); then `forget`, then `no_op` ones.
    pub actions: Vec<PlannedAction>,
    /// Indices of the actions that must not happen: they would destroy or rebuild a protected resource.
    pub refused: Vec<usize>,
}

/// Makes a plan.
///
/// Cycles among what is desired are the descriptors' mistakes and reported elsewhere; here they are passed over, as
/// are cycles among recorded dependencies.
pub fn plan(input: &PlanInput<'_>) -> Plan {
    match input.mode {
        Mode::Destroy => assemble::assemble(input, &Graph::default(), Vec::new()),
        Mode::Apply => {
            let (graph, _) = Graph::build(input.desired);
            let decisions = reconcile::reconcile(input, &graph);
            assemble::assemble(input, &graph, decisions)
        }
    }
}
