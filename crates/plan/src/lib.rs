//! Desired, persisted and observed to an ordered plan with reasons (GAP-16, "Plan").
//!
//! A pure function: it holds nothing that could write. Two plans of the same input are the same.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

use std::sync::Arc;

use model::{Address, Desired, EdgeKind, Observed, Origin, Pointer, Recorded, Value};
use types::Types;

/// What is planned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Bring what exists to what is desired.
    #[default]
    Apply,
    /// Remove everything that is recorded.
    Destroy,
}

/// When a dependent acts because of what happens to what it needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KnockOn {
    /// When a value it takes changes or may change.
    #[default]
    Values,
    /// Always: the literal rule of GAP-16.
    All,
}

/// What a plan is made of.
#[derive(Clone, Copy, Debug)]
pub struct PlanInput<'a> {
    /// What the descriptors ask for; not looked at in destroy mode.
    pub desired: &'a Desired,
    /// What was recorded.
    pub recorded: &'a Recorded,
    /// What adapters saw.
    pub observed: &'a Observed,
    /// Which changes force a rebuild.
    pub types: &'a Types,
    /// Apply or destroy.
    pub mode: Mode,
    /// When dependents act.
    pub knock_on: KnockOn,
}

/// What has to happen, in order.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The actions, each after those it waits for; `no_op` and `forget` ones included.
    pub actions: Vec<Action>,
}

/// One thing that has to happen to one resource.
#[derive(Clone, Debug)]
pub struct Action {
    /// `a1`, `a2` … in order.
    pub id: String,
    /// Whom it happens to.
    pub address: Address,
    /// Its kind.
    pub kind: Arc<str>,
    /// What happens.
    pub verb: Verb,
    /// Indices of the actions that must be done before.
    pub after: Vec<usize>,
    /// Why; `None` only for a `no_op`.
    pub reason: Option<Reason>,
    /// The values that differ, by path.
    pub changes: Vec<Change>,
}

/// What happens to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// It is made.
    Create,
    /// Its attributes are changed in place.
    Update,
    /// It is destroyed and made again.
    Rebuild,
    /// It is destroyed.
    Destroy,
    /// Nothing.
    NoOp,
    /// It is gone already; its record is dropped.
    Forget,
}

impl Verb {
    /// `create`, `update`, `rebuild`, `destroy`, `no_op`, `forget`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Rebuild => "rebuild",
            Self::Destroy => "destroy",
            Self::NoOp => "no_op",
            Self::Forget => "forget",
        }
    }
}

/// Why an action is needed. For people; nothing branches on it.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// It is desired and was never made.
    New,
    /// What is desired differs from what was recorded.
    Changed,
    /// What exists differs from what was recorded.
    Drifted,
    /// It was recorded and does not exist any more.
    Gone,
    /// It is not desired any more.
    Removed,
    /// Something it needs acts.
    KnockOn {
        /// The index of that action.
        cause: usize,
        /// The connection.
        via: Via,
    },
    /// A person asked for it.
    Requested,
    /// Everything is to be destroyed.
    DestroyMode,
}

impl Reason {
    /// `new`, `changed`, `drifted`, `gone`, `removed`, `knock_on`, `requested`, `destroy_mode`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Changed => "changed",
            Self::Drifted => "drifted",
            Self::Gone => "gone",
            Self::Removed => "removed",
            Self::KnockOn { .. } => "knock_on",
            Self::Requested => "requested",
            Self::DestroyMode => "destroy_mode",
        }
    }
}

/// The connection along which an action causes another.
#[derive(Clone, Debug, PartialEq)]
pub struct Via {
    /// How they are connected.
    pub edge: EdgeKind,
    /// The attribute of the dependent.
    pub path: Pointer,
    /// Whom it needs.
    pub to: Address,
}

/// One value that differs.
#[derive(Clone, Debug)]
pub struct Change {
    /// Where in the resource's spec.
    pub path: Pointer,
    /// What is desired; `None` when it is to go away.
    pub desired: Option<Value>,
    /// What was recorded; `None` when nothing was.
    pub persisted: Option<Value>,
    /// What exists; `None` when nothing does or it was not looked at.
    pub observed: Option<Value>,
    /// What is desired is not known yet.
    pub unknown: bool,
    /// None of the three may be shown.
    pub sensitive: bool,
    /// It cannot be changed in place.
    pub forces_rebuild: bool,
    /// Where the desired value comes from; for a value that goes away, the resource's declaration.
    pub origin: Origin,
}

/// Makes a plan.
pub fn plan(input: &PlanInput<'_>) -> Plan {
    let _ = input;
    todo!()
}
