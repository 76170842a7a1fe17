//! Snapshots of a simulator: a page that was closed and opened again finds the simulated resources as they
//! were.

use protocol::ResourceId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::{
    SimulatedResource, Simulator,
    journal::{CallCounts, Journal, JournalEntry},
    resource::Readiness,
};
use crate::{ObservedResource, ResourceRequest};

/// The number of latest calls that a snapshot contains.
const CALLS: usize = 1_000;

/// The resources of a [`Simulator`] as plain data; orders and the config are not part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SimulatorSnapshot {
    number: u64,
    #[serde(rename = "things")]
    resources: Vec<KeptResource>,
    tally: CallCounts,
    journal: Vec<KeptCall>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KeptResource {
    #[serde(flatten)]
    request: ResourceRequest,
    number: u64,
    actual: Map<String, Json>,
    outputs: Map<String, Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    ready: Readiness,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KeptCall {
    at: i64,
    verb: String,
    #[serde(flatten)]
    id: ResourceId,
    address: String,
    outcome: String,
}

impl Simulator {
    /// A snapshot of the resources and the latest calls.
    pub fn kept(&self) -> SimulatorSnapshot {
        let journal = self.inner.journal.borrow();
        SimulatorSnapshot {
            number: self.inner.number.get(),
            resources: self.inner.resources.borrow().all().into_iter().map(KeptResource::of).collect(),
            tally: journal.tally(),
            journal: journal.latest(CALLS).iter().map(KeptCall::of).collect(),
        }
    }

    /// Restores a snapshot; resources that cannot be created now are left out.
    pub fn restore(&self, kept: SimulatorSnapshot) {
        let SimulatorSnapshot { number, mut resources, tally, journal } = kept;
        // The services of a network come after it.
        resources.sort_by_key(|it| (it.request.id.kind != "network", it.number));
        for resource in resources {
            self.inner.resources.borrow_mut().restore(resource.resource());
        }
        self.inner.number.set(number);
        let calls = journal.into_iter().filter_map(KeptCall::call).collect();
        self.inner.journal.replace(Journal::of(calls, tally));
    }
}

impl Simulator {
    /// Adds a resource as if this simulator had created it, with these outputs: it is ready at once, and keeps the addresses
    /// and ports that it had. Returns what a service observes of it from now on; `None` if the id is in use, or if others
    /// have its addresses.
    pub fn import(&self, request: &ResourceRequest, outputs: Map<String, Json>) -> Option<ObservedResource> {
        if self.inner.seen(&request.id).is_some() {
            return None;
        }
        let number = self.inner.number.get() + 1;
        let resource =
            SimulatedResource { outputs, ..SimulatedResource::new(request, number, self.inner.now()) };
        self.inner.resources.borrow_mut().restore(resource);
        let seen = self.inner.seen(&request.id)?;
        self.inner.number.set(number);
        self.inner.notify();
        Some(seen)
    }
}

impl KeptResource {
    fn of(resource: SimulatedResource) -> Self {
        let SimulatedResource {
            id,
            deployment,
            address,
            generation,
            number,
            request: spec,
            actual,
            outputs,
            message,
            ready,
            ..
        } = resource;
        let request = ResourceRequest { id, deployment, address, generation, spec };
        Self { request, number, actual, outputs, message, ready }
    }

    fn resource(self) -> SimulatedResource {
        let mut resource = SimulatedResource::new(&self.request, self.number, 0);
        (resource.actual, resource.outputs) = (self.actual, self.outputs);
        (resource.message, resource.ready) = (self.message, self.ready);
        resource
    }
}

impl KeptCall {
    fn of(call: &JournalEntry) -> Self {
        let JournalEntry { at, verb, id, address, outcome } = call.clone();
        Self { at, verb: verb.into(), id, address, outcome }
    }

    fn call(self) -> Option<JournalEntry> {
        let verb = ["create", "read", "update", "destroy"].into_iter().find(|it| *it == self.verb)?;
        Some(JournalEntry { at: self.at, verb, id: self.id, address: self.address, outcome: self.outcome })
    }
}

/// The attributes of a resource and the values that were allocated to it, as if exactly those had been
/// requested.
pub(super) fn exactly(resource: &SimulatedResource) -> Map<String, Json> {
    let mut spec = resource.request.clone();
    if let Some(ip) =
        resource.outputs.get("network_node").and_then(|it| it.get("ip")).filter(|it| it.is_string())
        && !spec.contains_key("ip")
    {
        spec.insert("ip".into(), json!([ip]));
    }
    for proxy in ["http_proxy", "tcp_proxy"] {
        let ports = resource.outputs.get(proxy).and_then(|it| it.get("ports")).cloned();
        if let (Some(ports), Some(Json::Object(request))) = (ports, spec.get_mut(proxy)) {
            request.insert("ports".into(), ports);
        }
    }
    spec
}
