use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::{ResourceRequest, SimulatedResource};

/// How a [`Simulator`](crate::Simulator) behaves. What JSON leaves out is as in the default: at once and well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SimulatorConfig {
    /// How long calls take, in milliseconds.
    pub latency_ms: Latency,
    /// And how much longer at most, differently each time.
    pub jitter_ms: u32,
    /// What makes the differences.
    pub seed: u64,
    /// How long a thing is pending after it was made or changed, in milliseconds.
    pub ready_ms: u32,
    /// By kind: the attributes, as pointers, that cannot be changed in place.
    pub create_only: BTreeMap<String, Vec<String>>,
    /// A network is not destroyed while services live in it.
    pub strict_networks: bool,
    /// Reads stand in the journal, too.
    pub journal_reads: bool,
}

impl Default for SimulatorConfig {
    fn default() -> Self {
        let pointers = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect();
        let service = pointers(&["/payload", "/network", "/ip", "/http_proxy", "/tcp_proxy"]);
        let network = pointers(&["/ip", "/mask", "/owner_ip"]);
        Self {
            latency_ms: Latency::default(),
            jitter_ms: 0,
            seed: 0,
            ready_ms: 0,
            create_only: [("service".to_owned(), service), ("network".to_owned(), network)].into(),
            strict_networks: true,
            journal_reads: false,
        }
    }
}

/// How long each call takes, in milliseconds. Half of it passes before anything is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Latency {
    /// To make a thing.
    pub create: u32,
    /// To look at it.
    pub read: u32,
    /// To change it.
    pub update: u32,
    /// To destroy it.
    pub destroy: u32,
}

impl Latency {
    /// The same for all.
    pub const fn all(ms: u32) -> Self {
        Self { create: ms, read: ms, update: ms, destroy: ms }
    }

    pub(super) fn of(self, verb: &str) -> u32 {
        match verb {
            "create" => self.create,
            "read" => self.read,
            "update" => self.update,
            _ => self.destroy,
        }
    }
}

impl SimulatorConfig {
    /// The first attribute that would have to change and cannot. One that becomes what was last asked for, or stays what
    /// it really is, does not.
    pub(super) fn needs_rebuild(
        &self,
        thing: Option<&SimulatedResource>,
        request: &ResourceRequest,
    ) -> Option<String> {
        let fixed = self.create_only.get(&request.id.kind)?;
        let thing = thing?;
        let changes = |pointer: &&String| {
            let wanted = at(&request.spec, pointer);
            wanted != at(&thing.request, pointer) && wanted != at(&thing.actual, pointer)
        };
        fixed.iter().find(changes).cloned()
    }
}

/// The value at a pointer into a spec.
fn at<'s>(spec: &'s Map<String, Json>, pointer: &str) -> Option<&'s Json> {
    let pointer = pointer.strip_prefix('/')?;
    let (first, rest) = pointer.split_once('/').map_or((pointer, None), |(first, rest)| (first, Some(rest)));
    let value = spec.get(&first.replace("~1", "/").replace("~0", "~"))?;
    rest.map_or(Some(value), |rest| value.pointer(&format!("/{rest}")))
}
