use model::Phase;
use protocol::{Call, Reply, Resource, ResourceBody, ResourceId, resource_id};
use serde_json::{Map, Value as Json};

use super::{Bench, CallResult};
use crate::conformance::{Stop, ensure};

/// A resource of a check.
#[derive(Clone, Debug)]
pub(in crate::conformance) struct Subject {
    pub(in crate::conformance) id: ResourceId,
    address: String,
    number: u32,
}

impl Bench {
    /// A resource that does not exist yet.
    pub(in crate::conformance) fn subject(&self) -> Subject {
        let number = self.subjects.get() + 1;
        self.subjects.set(number);
        let address = format!("conformance.{}-{number}", self.check.get());
        let id = resource_id(&self.options.lineage, &address, 1);
        Subject { id: ResourceId::new(&self.options.kind, id), address, number }
    }

    /// The request body for it.
    pub(in crate::conformance) fn body(&self, subject: &Subject, spec: &Map<String, Json>) -> ResourceBody {
        let mut spec = Json::Object(spec.clone());
        number(&mut spec, subject.number);
        ResourceBody {
            deployment: self.options.lineage.clone(),
            deployment_name: self.options.lineage.clone(),
            address: subject.address.clone(),
            generation: 1,
            spec: if let Json::Object(spec) = spec { spec } else { Map::new() },
        }
    }

    /// The call that creates it. From then on it has to be destroyed, whatever the response is.
    pub(in crate::conformance) fn put(&self, subject: &Subject) -> Call {
        if subject.id.kind == self.options.kind {
            self.made.borrow_mut().insert(subject.id.clone(), true);
        }
        let body = self.body(subject, &self.options.spec);
        Call::Create { id: subject.id.clone(), body, key: self.key() }
    }

    /// The call that changes it to a spec.
    pub(in crate::conformance) fn patch(
        &self,
        subject: &Subject,
        spec: &Map<String, Json>,
        if_match: Option<String>,
    ) -> Call {
        let body = self.body(subject, spec);
        Call::Update { id: subject.id.clone(), body, key: self.key(), if_match }
    }

    /// The call that destroys it.
    pub(in crate::conformance) fn delete(&self, id: &ResourceId, if_match: Option<String>) -> Call {
        let deployment = Some(self.options.lineage.clone());
        Call::Destroy { id: id.clone(), key: self.key(), if_match, deployment }
    }

    /// Creates a resource and waits until it is active.
    pub(in crate::conformance) async fn made(&self) -> Result<(Subject, Resource), Stop> {
        let subject = self.subject();
        self.call(&self.put(&subject)).await.resource("it could not be created")?;
        let resource = self.active(&subject.id).await?;
        Ok((subject, resource))
    }

    pub(in crate::conformance) async fn read(&self, id: &ResourceId) -> CallResult {
        self.call_once(&Call::Read(id.clone())).await
    }

    /// Waits until it is active.
    pub(in crate::conformance) async fn active(&self, id: &ResourceId) -> Result<Resource, Stop> {
        let is_active = |result: &CallResult| match &result.reply {
            Reply::Resource(resource) => resource.phase != Phase::Pending,
            reply => !matches!(reply, Reply::Busy(..) | Reply::Unclear(_)),
        };
        let resource =
            self.until(async || self.read(id).await, is_active).await.resource("it cannot be read")?;
        let phase = resource.phase.as_str();
        ensure(resource.phase == Phase::Active, || {
            format!("it is {phase} after {} seconds, not active", self.options.ready_s)
        })?;
        Ok(resource)
    }

    /// Waits until it no longer exists.
    pub(in crate::conformance) async fn gone(&self, id: &ResourceId) -> Result<(), Stop> {
        let is_gone = |result: &CallResult| matches!(result.reply, Reply::Absent);
        let result = self.until(async || self.read(id).await, is_gone).await;
        ensure(is_gone(&result), || format!("it still exists: {}", result.description()))
    }

    /// Destroys the resources that the checks have created so far.
    pub(in crate::conformance) async fn tidy(&self) {
        let left: Vec<ResourceId> =
            self.made.borrow().iter().filter(|(_, left)| **left).map(|(id, _)| id.clone()).collect();
        for id in left {
            let mut result = self.call(&self.delete(&id, None)).await;
            if let Reply::Outstanding(problem) = &result.reply
                && let Some(op) = problem.op.clone()
            {
                self.end_of(&op).await;
                result = self.call(&self.delete(&id, None)).await;
            }
            if matches!(result.reply, Reply::Done | Reply::Absent) {
                self.made.borrow_mut().insert(id, false);
            }
        }
    }

    /// All resources that were ever requested.
    pub(in crate::conformance) fn ever_made(&self) -> Vec<ResourceId> {
        self.made.borrow().keys().cloned().collect()
    }
}

/// Replaces `{n}` by the number of the resource.
fn number(value: &mut Json, n: u32) {
    match value {
        Json::String(text) => *text = text.replace("{n}", &n.to_string()),
        Json::Array(items) => items.iter_mut().for_each(|item| number(item, n)),
        Json::Object(fields) => fields.values_mut().for_each(|field| number(field, n)),
        _ => {}
    }
}
