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
    /// A resource that is not there yet.
    pub(in crate::conformance) fn subject(&self) -> Subject {
        let number = self.subjects.get() + 1;
        self.subjects.set(number);
        let address = format!("conformance.{}-{number}", self.check.get());
        let id = resource_id(&self.options.lineage, &address, 1);
        Subject { id: ResourceId::new(&self.options.kind, id), address, number }
    }

    /// What is asked for at it.
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

    /// The call that creates it. What is created has to be destroyed again, whatever is answered.
    pub(in crate::conformance) fn put(&self, subject: &Subject) -> Call {
        if subject.id.kind == self.options.kind {
            self.made.borrow_mut().insert(subject.id.clone(), true);
        }
        let wanted = self.body(subject, &self.options.spec);
        Call::Create { id: subject.id.clone(), wanted, key: self.key() }
    }

    /// The call that changes it into something.
    pub(in crate::conformance) fn patch(
        &self,
        subject: &Subject,
        spec: &Map<String, Json>,
        if_match: Option<String>,
    ) -> Call {
        let wanted = self.body(subject, spec);
        Call::Update { id: subject.id.clone(), wanted, key: self.key(), if_match }
    }

    /// The call that destroys it.
    pub(in crate::conformance) fn delete(&self, id: &ResourceId, if_match: Option<String>) -> Call {
        let deployment = Some(self.options.lineage.clone());
        Call::Destroy { id: id.clone(), key: self.key(), if_match, deployment }
    }

    /// Creates one and waits until it is active.
    pub(in crate::conformance) async fn made(&self) -> Result<(Subject, Resource), Stop> {
        let subject = self.subject();
        self.call(&self.put(&subject)).await.resource("it could not be created")?;
        let resource = self.active(&subject.id).await?;
        Ok((subject, resource))
    }

    pub(in crate::conformance) async fn read(&self, id: &ResourceId) -> CallResult {
        self.ask(&Call::Read(id.clone())).await
    }

    /// Waits until it is active.
    pub(in crate::conformance) async fn active(&self, id: &ResourceId) -> Result<Resource, Stop> {
        let is_active = |came: &CallResult| match &came.reply {
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

    /// Waits until it is not there.
    pub(in crate::conformance) async fn gone(&self, id: &ResourceId) -> Result<(), Stop> {
        let is_gone = |came: &CallResult| matches!(came.reply, Reply::Absent);
        let came = self.until(async || self.read(id).await, is_gone).await;
        ensure(is_gone(&came), || format!("it still exists: {}", came.description()))
    }

    /// Destroys what the checks have made so far.
    pub(in crate::conformance) async fn tidy(&self) {
        let left: Vec<ResourceId> =
            self.made.borrow().iter().filter(|(_, left)| **left).map(|(id, _)| id.clone()).collect();
        for id in left {
            let mut came = self.call(&self.delete(&id, None)).await;
            if let Reply::Outstanding(problem) = &came.reply
                && let Some(op) = problem.op.clone()
            {
                self.end_of(&op).await;
                came = self.call(&self.delete(&id, None)).await;
            }
            if matches!(came.reply, Reply::Done | Reply::Absent) {
                self.made.borrow_mut().insert(id, false);
            }
        }
    }

    /// Everything that was ever asked for.
    pub(in crate::conformance) fn ever_made(&self) -> Vec<ResourceId> {
        self.made.borrow().keys().cloned().collect()
    }
}

/// Puts the resource's number in place of `{n}`.
fn number(value: &mut Json, n: u32) {
    match value {
        Json::String(text) => *text = text.replace("{n}", &n.to_string()),
        Json::Array(items) => items.iter_mut().for_each(|item| number(item, n)),
        Json::Object(fields) => fields.values_mut().for_each(|field| number(field, n)),
        _ => {}
    }
}
