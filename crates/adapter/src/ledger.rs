use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use model::Phase;
use protocol::{Resource, ResourceId, spec_hash};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::{Known, ObservedResource, ResourceRequest};

/// The persistent records of what a [`Service`](crate::Service) was requested to create, so that it is known
/// after a restart.
///
/// A record without identity is written before its real resource is created: if the process dies, the record
/// remains.
pub trait Ledger {
    /// All records.
    ///
    /// # Errors
    /// The reason why they cannot be read, in a line.
    fn load(&mut self) -> Result<Vec<Record>, String>;

    /// Writes a record, and replaces the one of the same id. It must survive a crash once this returns.
    ///
    /// # Errors
    /// The reason why it cannot be written, in a line.
    fn put(&mut self, record: &Record) -> Result<(), String>;

    /// Removes a record; it is no error if there is none.
    ///
    /// # Errors
    /// The reason why it still exists, in a line.
    fn remove(&mut self, id: &ResourceId) -> Result<(), String>;

    /// The adapter's [instance](protocol::Description::instance): random, generated once and kept as long as
    /// the records are. Empty if there is none; then engines cannot distinguish the adapter from another one.
    ///
    /// # Errors
    /// The reason why it cannot be read or generated, in a line.
    fn instance(&mut self) -> Result<String, String> {
        Ok(String::new())
    }
}

/// A resource as it was last requested and last reported.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The resource. Without identity: its creation did not return yet.
    #[serde(flatten)]
    pub known: Known,
    /// The name of the deployment that it belongs to; empty if no caller sent it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub deployment_name: String,
    /// The [`spec_hash`] of the requested attributes: a ledger may leave secrets out of the attributes.
    #[serde(default)]
    pub hash: String,
    /// The phase that was last observed.
    #[serde(with = "phase", default = "pending")]
    pub phase: Phase,
    /// The attributes that were last observed.
    #[serde(default)]
    pub actual: Map<String, Json>,
    /// The message that was last reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

const fn pending() -> Phase {
    Phase::Pending
}

impl Record {
    /// A record of a resource that is about to be created.
    pub fn begun(request: ResourceRequest) -> Self {
        let hash = hash(&request.spec);
        let known = Known { request, identity: None, outputs: Map::new() };
        let (deployment_name, actual) = (String::new(), Map::new());
        Self { known, deployment_name, hash, phase: Phase::Pending, actual, message: None }
    }

    /// A record of a resource that was requested and then observed.
    pub fn seen(request: ResourceRequest, seen: ObservedResource) -> Self {
        let hash = hash(&request.spec);
        let known = Known { request, identity: Some(seen.identity), outputs: seen.outputs };
        let deployment_name = String::new();
        Self { known, deployment_name, hash, phase: seen.phase, actual: seen.spec, message: seen.message }
    }

    /// The same record with that name of its deployment.
    #[must_use]
    pub fn of_deployment(self, name: impl Into<String>) -> Self {
        Self { deployment_name: name.into(), ..self }
    }

    /// The same record with what is observed now.
    #[must_use]
    pub fn now(self, seen: ObservedResource) -> Self {
        let Self { hash, deployment_name, .. } = self;
        Self { hash, deployment_name, ..Self::seen(self.known.request, seen) }
    }

    /// True if it is the record of exactly this request. The address is only a name and is not compared.
    pub fn is_of(&self, request: &ResourceRequest) -> bool {
        let own = &self.known.request;
        own.deployment == request.deployment
            && own.generation == request.generation
            && self.hash == hash(&request.spec)
    }

    /// The id of the resource.
    pub const fn id(&self) -> &ResourceId {
        &self.known.request.id
    }

    /// The resource as callers receive it. Its ETag depends on everything else in it, and on nothing more.
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

/// The [`spec_hash`] of attributes.
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

/// A ledger in memory. Clones share their records: a clone that is kept plays the part of a disk that
/// outlives a service.
#[derive(Clone, Debug, Default)]
pub struct MemoryLedger {
    records: Rc<RefCell<BTreeMap<ResourceId, Record>>>,
    instance: Rc<str>,
}

impl MemoryLedger {
    /// A ledger of that instance of an adapter; the default one has no instance.
    pub fn of(instance: &str) -> Self {
        Self { instance: instance.into(), ..Self::default() }
    }

    /// The current records.
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
