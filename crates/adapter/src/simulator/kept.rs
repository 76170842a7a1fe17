//! What a simulator can be made again from: a page that was closed finds its world as it left it.

use protocol::ResourceId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::{
    SimulatedResource, Simulator,
    journal::{CallCounts, Journal, JournalEntry},
    resource::Readiness,
};
use crate::ResourceRequest;

/// The latest calls that are kept.
const CALLS: usize = 1_000;

/// All that a [`Simulator`] has made, as plain data; orders and knobs are not part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SimulatorSnapshot {
    number: u64,
    things: Vec<KeptThing>,
    tally: CallCounts,
    journal: Vec<KeptCall>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KeptThing {
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
    /// All that it has made, and the latest calls.
    pub fn kept(&self) -> SimulatorSnapshot {
        let journal = self.inner.journal.borrow();
        SimulatorSnapshot {
            number: self.inner.number.get(),
            things: self.inner.things.borrow().all().into_iter().map(KeptThing::of).collect(),
            tally: journal.tally(),
            journal: journal.latest(CALLS).iter().map(KeptCall::of).collect(),
        }
    }

    /// Puts everything back as it was kept; what could not be made now is left out.
    pub fn restore(&self, kept: SimulatorSnapshot) {
        let SimulatorSnapshot { number, mut things, tally, journal } = kept;
        // Who lives in a network comes after it.
        things.sort_by_key(|it| (it.request.id.kind != "network", it.number));
        for thing in things {
            self.inner.things.borrow_mut().restore(thing.thing());
        }
        self.inner.number.set(number);
        let calls = journal.into_iter().filter_map(KeptCall::call).collect();
        self.inner.journal.replace(Journal::of(calls, tally));
    }
}

impl KeptThing {
    fn of(thing: SimulatedResource) -> Self {
        let SimulatedResource {
            id,
            deployment,
            address,
            generation,
            number,
            request: asked,
            actual,
            outputs,
            message,
            ready,
            ..
        } = thing;
        let request = ResourceRequest { id, deployment, address, generation, spec: asked };
        Self { request, number, actual, outputs, message, ready }
    }

    fn thing(self) -> SimulatedResource {
        let mut thing = SimulatedResource::new(&self.request, self.number, 0);
        (thing.actual, thing.outputs) = (self.actual, self.outputs);
        (thing.message, thing.ready) = (self.message, self.ready);
        thing
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

/// A thing's attributes with what it was given, as if it had asked for exactly that.
pub(super) fn exactly(thing: &SimulatedResource) -> Map<String, Json> {
    let mut spec = thing.request.clone();
    if let Some(ip) =
        thing.outputs.get("network_node").and_then(|it| it.get("ip")).filter(|it| it.is_string())
        && !spec.contains_key("ip")
    {
        spec.insert("ip".into(), json!([ip]));
    }
    for proxy in ["http_proxy", "tcp_proxy"] {
        let ports = thing.outputs.get(proxy).and_then(|it| it.get("ports")).cloned();
        if let (Some(ports), Some(Json::Object(request))) = (ports, spec.get_mut(proxy)) {
            request.insert("ports".into(), ports);
        }
    }
    spec
}
