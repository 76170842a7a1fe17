use model::Phase;
use protocol::ResourceId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::outputs::Allocation;
use crate::{ObservedResource, ResourceRequest};

/// A resource that exists in the simulator.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulatedResource {
    /// The kind and the id.
    #[serde(flatten)]
    pub id: ResourceId,
    /// The lineage of the deployment.
    pub deployment: String,
    /// The address in that deployment.
    pub address: String,
    /// The number of times that the resource was created.
    pub generation: u64,
    /// A number that is unique to this resource and never used again.
    pub number: u64,
    /// The requested attributes.
    #[serde(rename = "asked")]
    pub request: Map<String, Json>,
    /// The actual attributes.
    pub actual: Map<String, Json>,
    /// The values that references can read.
    pub outputs: Map<String, Json>,
    /// The reported message.
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
    pub(super) fn new(request: &ResourceRequest, number: u64, ready: i64) -> Self {
        Self {
            id: request.id.clone(),
            deployment: request.deployment.clone(),
            address: request.address.clone(),
            generation: request.generation,
            number,
            request: request.spec.clone(),
            actual: request.spec.clone(),
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
