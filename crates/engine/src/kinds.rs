//! The kinds in the engine's store, and the specs of their resources.
//!
//! The store holds what happens in a run: the plan with its actions, its steps, the decisions about them and their outcomes, as
//! everybody may see them. Values are not in it, because they may be secret: those of the plan and of observed resources are in the
//! [`RunContext`](crate::run_context::RunContext), under the same addresses and ids.

use serde::{Deserialize, Serialize};
use store::Kind;

/// Desired resources.
pub(crate) fn desired() -> Kind {
    Kind::new("desired", "Resources")
}

/// Recorded resources.
pub(crate) fn recorded() -> Kind {
    Kind::new("recorded", "Resources")
}

/// Resources that adapters reported.
pub(crate) fn observed() -> Kind {
    Kind::new("observed", "Resources")
}

/// Requests for an observation.
pub(crate) fn observation_requests() -> Kind {
    Kind::new("run", "ObservationRequests")
}

/// Completed observations.
pub(crate) fn observations() -> Kind {
    Kind::new("run", "Observations")
}

/// Plans.
pub(crate) fn plans() -> Kind {
    Kind::new("run", "Plans")
}

/// Steps of a plan.
pub(crate) fn steps() -> Kind {
    Kind::new("run", "Steps")
}

/// Approvals of plans.
pub(crate) fn approvals() -> Kind {
    Kind::new("run", "Approvals")
}

/// Decisions about steps: one may start, or is left alone.
pub(crate) fn decisions() -> Kind {
    Kind::new("run", "Decisions")
}

/// Outcomes of steps; their spec is a [`StepView`](crate::StepView).
pub(crate) fn outcomes() -> Kind {
    Kind::new("run", "Outcomes")
}

/// The id of the only resource of a kind that has one.
pub(crate) const THE_ONE: &str = "current";

/// A resource as the store knows it; the reader that observed it keeps its attributes.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ResourceSpec {
    pub(crate) kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) phase: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
}

/// The number of the request, and whether to contact adapters.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ObservationRequestSpec {
    pub(crate) number: u64,
    pub(crate) observe: bool,
}

/// The number of the request that it answers.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ObservationSpec {
    pub(crate) number: u64,
}

/// A plan, with the actions that do something.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlanSpec {
    pub(crate) number: u64,
    pub(crate) digest: String,
    pub(crate) actions: Vec<ActionSpec>,
}

/// An action of a plan.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ActionSpec {
    pub(crate) id: String,
    pub(crate) address: String,
    pub(crate) action: view::Action,
    pub(crate) after: Vec<String>,
}

/// A step of the plan.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StepSpec {
    /// The id of its action.
    pub(crate) action: String,
    pub(crate) address: String,
    pub(crate) verb: view::Action,
    pub(crate) after: Vec<String>,
}

/// The plan that is approved.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ApprovalSpec {
    pub(crate) number: u64,
    pub(crate) digest: String,
}

/// The decision that a step may start, or is left alone.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DecisionSpec {
    Go,
    Skip {
        because: String,
    },
    /// It is left alone, for this reason.
    Leave {
        why: String,
    },
}

/// The lease on the state.
pub(crate) fn leases() -> Kind {
    Kind::new("run", "Leases")
}
