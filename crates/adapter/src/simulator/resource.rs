use model::Phase;
use protocol::ResourceId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::outputs::Allocation;
use crate::{ObservedResource, ResourceRequest};

/// Something that is really there, in the simulator.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulatedResource {
    /// Kind and id.
    #[serde(flatten)]
    pub id: ResourceId,
    /// For whom.
    pub deployment: String,
    /// What it is called there.
    pub address: String,
    /// How often it was made anew.
    pub generation: u64,
    /// Which thing it is: no other ever has the same number.
    pub number: u64,
    /// What was asked for.
    #[serde(rename = "asked")]
    pub request: Map<String, Json>,
    /// What it really is.
    pub actual: Map<String, Json>,
    /// What references can read.
    pub outputs: Map<String, Json>,
    /// What it says of itself.
    pub message: Option<String>,
    #[serde(skip)]
    pub(super) ready: Readiness,
    #[serde(skip)]
    pub(super) allocation: Allocation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Readiness {
    At(i64),
    Never,
    Stopped,
}

impl SimulatedResource {
    pub(super) fn new(asked: &ResourceRequest, number: u64, ready: i64) -> Self {
        Self {
            id: asked.id.clone(),
            deployment: asked.deployment.clone(),
            address: asked.address.clone(),
            generation: asked.generation,
            number,
            request: asked.spec.clone(),
            actual: asked.spec.clone(),
            outputs: Map::new(),
            message: None,
            ready: Readiness::At(ready),
            allocation: Allocation::default(),
        }
    }

    pub(super) fn phase(&self, now: i64) -> Phase {
        match self.ready {
            Readiness::At(at) if at <= now => Phase::Active,
            Readiness::At(_) | Readiness::Never => Phase::Pending,
            Readiness::Stopped => Phase::Terminated,
        }
    }

    pub(super) fn seen(&self, now: i64) -> ObservedResource {
        let phase = self.phase(now);
        let mut outputs = self.outputs.clone();
        let state = match phase {
            Phase::Pending => "starting",
            Phase::Active => "running",
            Phase::Terminated => "stopped",
        };
        outputs.insert("state".into(), state.into());
        let identity = Map::from_iter([("thing".to_owned(), json!(self.number))]);
        ObservedResource {
            phase,
            identity,
            spec: self.actual.clone(),
            outputs,
            message: self.message.clone(),
        }
    }
}
