use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use model::Phase;
use protocol::{Resource, ResourceId, spec_hash};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::{Known, ObservedResource, ResourceRequest};

/// Where a [`Service`](crate::Service) writes down what it was asked for, so that it is still known after a restart.
///
/// A record is put before its real thing is created, without identity: whatever dies then, a trace is left.
pub trait Ledger {
    /// All records.
    ///
    /// # Errors
    /// Why they cannot be read, in a line.
    fn load(&mut self) -> Result<Vec<Record>, String>;

    /// Writes a record in place of the one with its id. It must outlive a crash once this returns.
    ///
    /// # Errors
    /// Why it cannot be written, in a line.
    fn put(&mut self, record: &Record) -> Result<(), String>;

    /// Takes a record away; that there is none is no error.
    ///
    /// # Errors
    /// Why it is still there, in a line.
    fn remove(&mut self, id: &ResourceId) -> Result<(), String>;

    /// The adapter's [instance](protocol::Description::instance): random, made once and kept as long as the records are.
    /// Empty where there is none; then engines cannot tell the adapter from another one.
    ///
    /// # Errors
    /// Why it cannot be read or made, in a line.
    fn instance(&mut self) -> Result<String, String> {
        Ok(String::new())
    }
}

/// A resource as it was last asked for and last told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// What was made. Without identity: its creation did not come back yet.
    #[serde(flatten)]
    pub known: Known,
    /// The name of the deployment that it belongs to; empty where nobody told it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub deployment_name: String,
    /// [`spec_hash`] of what was asked for: a ledger may leave secrets out of the attributes.
    #[serde(default)]
    pub hash: String,
    /// Its phase, as it was last seen.
    #[serde(with = "phase", default = "pending")]
    pub phase: Phase,
    /// The attributes it was last seen with.
    #[serde(default)]
    pub actual: Map<String, Json>,
    /// What it last said of itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

const fn pending() -> Phase {
    Phase::Pending
}

impl Record {
    /// Of something that is about to be created.
    pub fn begun(asked: ResourceRequest) -> Self {
        let hash = hash(&asked.spec);
        let known = Known { request: asked, identity: None, outputs: Map::new() };
        let (deployment_name, actual) = (String::new(), Map::new());
        Self { known, deployment_name, hash, phase: Phase::Pending, actual, message: None }
    }

    /// Of something that was asked for and then seen.
    pub fn seen(asked: ResourceRequest, seen: ObservedResource) -> Self {
        let hash = hash(&asked.spec);
        let known = Known { request: asked, identity: Some(seen.identity), outputs: seen.outputs };
        let deployment_name = String::new();
        Self { known, deployment_name, hash, phase: seen.phase, actual: seen.spec, message: seen.message }
    }

    /// The same, of a deployment of that name.
    #[must_use]
    pub fn of_deployment(self, name: impl Into<String>) -> Self {
        Self { deployment_name: name.into(), ..self }
    }

    /// The same, as it is seen now.
    #[must_use]
    pub fn now(self, seen: ObservedResource) -> Self {
        let Self { hash, deployment_name, .. } = self;
        Self { hash, deployment_name, ..Self::seen(self.known.request, seen) }
    }

    /// Whether it is of just that. Its address is a name only.
    pub fn is_of(&self, request: &ResourceRequest) -> bool {
        let own = &self.known.request;
        own.deployment == request.deployment
            && own.generation == request.generation
            && self.hash == hash(&request.spec)
    }

    /// Which resource it is of.
    pub const fn id(&self) -> &ResourceId {
        &self.known.request.id
    }

    /// As it is told to a caller. Its ETag depends on everything else in it, and on nothing more.
    pub fn to_resource(&self) -> Resource {
        let request = &self.known.request;
        let mut resource = Resource {
            id: request.id.clone(),
            deployment: request.deployment.clone(),
            deployment_name: self.deployment_name.clone(),
            address: request.address.clone(),
            generation: request.generation,
            phase: self.phase,
            identity: self.known.identity.clone().unwrap_or_default(),
            spec: self.actual.clone(),
            outputs: self.known.outputs.clone(),
            spec_hash: self.hash.clone(),
            message: self.message.clone(),
            etag: None,
        };
        // Maps have text keys, so it has a JSON form.
        let hash = spec_hash(&serde_json::to_value(&resource).unwrap_or_default());
        resource.etag =
            Some(format!("\"{}\"", hash.trim_start_matches("sha256:").get(..32).unwrap_or(&hash)));
        resource
    }
}

/// [`spec_hash`] of attributes.
pub(crate) fn hash(spec: &Map<String, Json>) -> String {
    spec_hash(&Json::Object(spec.clone()))
}

mod phase {
    use model::Phase;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(phase: &Phase, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(phase.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Phase, D::Error> {
        let text = String::deserialize(deserializer)?;
        Phase::parse(&text).ok_or_else(|| D::Error::custom("a phase is `pending`, `active` or `terminated`"))
    }
}

/// A ledger in memory. Clones share their records: one that is kept stands for a disk that outlives a service.
#[derive(Clone, Debug, Default)]
pub struct MemoryLedger {
    records: Rc<RefCell<BTreeMap<ResourceId, Record>>>,
    instance: Rc<str>,
}

impl MemoryLedger {
    /// The ledger of that instance of an adapter; a default one has none.
    pub fn of(instance: &str) -> Self {
        Self { instance: instance.into(), ..Self::default() }
    }

    /// What is written down now.
    pub fn records(&self) -> Vec<Record> {
        self.records.borrow().values().cloned().collect()
    }
}

impl Ledger for MemoryLedger {
    fn load(&mut self) -> Result<Vec<Record>, String> {
        Ok(self.records())
    }

    fn put(&mut self, record: &Record) -> Result<(), String> {
        self.records.borrow_mut().insert(record.id().clone(), record.clone());
        Ok(())
    }

    fn remove(&mut self, id: &ResourceId) -> Result<(), String> {
        self.records.borrow_mut().remove(id);
        Ok(())
    }

    fn instance(&mut self) -> Result<String, String> {
        Ok(self.instance.to_string())
    }
}
