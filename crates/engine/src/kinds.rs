//! The kinds of the engine's store, and what their resources say.

use serde::{Deserialize, Serialize};
use store::Kind;

use crate::StepState;

/// What the descriptors ask for.
pub(crate) fn desired() -> Kind {
    Kind::new("desired", "Resources")
}

/// What is recorded.
pub(crate) fn persisted() -> Kind {
    Kind::new("persisted", "Resources")
}

/// What adapters saw.
pub(crate) fn observed() -> Kind {
    Kind::new("observed", "Resources")
}

/// That somebody wants to see how things are.
pub(crate) fn looks() -> Kind {
    Kind::new("run", "Looks")
}

/// That somebody looked.
pub(crate) fn sights() -> Kind {
    Kind::new("run", "Sights")
}

/// The plan.
pub(crate) fn plans() -> Kind {
    Kind::new("run", "Plans")
}

/// Its steps.
pub(crate) fn steps() -> Kind {
    Kind::new("run", "Steps")
}

/// That the plan may be carried out.
pub(crate) fn approvals() -> Kind {
    Kind::new("run", "Approvals")
}

/// That it is a step's turn.
pub(crate) fn turns() -> Kind {
    Kind::new("run", "Turns")
}

/// What came of a step.
pub(crate) fn outcomes() -> Kind {
    Kind::new("run", "Outcomes")
}

/// The one resource of a kind that has one.
pub(crate) const THE_ONE: &str = "current";

/// A resource as the store knows it; its attributes stay with who read them.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ResourceSpec {
    pub(crate) kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) phase: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
}

/// Which look it is, and whether adapters are asked.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ObservationRequestSpec {
    pub(crate) number: u64,
    pub(crate) observe: bool,
}

/// Which look it answers.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ObservationSpec {
    pub(crate) number: u64,
}

/// The plan as the store knows it.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlanSpec {
    pub(crate) number: u64,
    pub(crate) digest: String,
    pub(crate) actions: usize,
}

/// A step of the plan.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StepSpec {
    pub(crate) address: String,
    pub(crate) verb: String,
    pub(crate) after: Vec<String>,
}

/// Which plan may be carried out.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ApprovalSpec {
    pub(crate) number: u64,
    pub(crate) digest: String,
}

/// Whether a step's turn has come, or will not.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TurnSpec {
    Go,
    Skip {
        because: String,
    },
    /// It is left alone: why, in a line.
    Leave {
        why: String,
    },
}

/// The outcome of a step.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct OutcomeSpec {
    pub(crate) state: StepState,
}

/// That the state is held.
pub(crate) fn leases() -> Kind {
    Kind::new("run", "Leases")
}
