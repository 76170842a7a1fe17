use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::{ResourceRequest, SimulatedResource};

/// The behaviour of a [`Simulator`](crate::Simulator). The default, also for keys that JSON omits, is that
/// calls succeed at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SimulatorConfig {
    /// The latency of calls, in milliseconds.
    pub latency_ms: Latency,
    /// The maximum of a random additional latency, in milliseconds.
    pub jitter_ms: u32,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The time for which a resource is pending after it was created or changed, in milliseconds.
    pub ready_ms: u32,
    /// By kind: the attributes, as pointers, that cannot be changed in place.
    pub create_only: BTreeMap<String, Vec<String>>,
    /// True if a network can only be destroyed once no service is attached to it.
    pub strict_networks: bool,
    /// True if the journal includes reads.
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

/// The latency of each call, in milliseconds. Half of it passes before the call is executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Latency {
    /// Of a creation.
    pub create: u32,
    /// Of a read.
    pub read: u32,
    /// Of an update.
    pub update: u32,
    /// Of a destruction.
    pub destroy: u32,
}

impl Latency {
    /// The same latency for all calls.
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
    /// The first attribute that would have to change and cannot. An attribute that becomes what was last
    /// requested, or that stays as it actually is, does not count.
    pub(super) fn needs_rebuild(
        &self,
        existing: Option<&SimulatedResource>,
        request: &ResourceRequest,
    ) -> Option<String> {
        let fixed = self.create_only.get(&request.id.kind)?;
        let existing = existing?;
        let changes = |pointer: &&String| {
            let requested = at(&request.spec, pointer);
            requested != at(&existing.request, pointer) && requested != at(&existing.actual, pointer)
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
