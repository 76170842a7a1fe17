use model::Phase;
use protocol::{Answer, Call, Code, Problem, ResourceBody, ResourceId};

use super::{Inner, reads::absent};
use crate::{Adapter, Record, ResourceRequest};

impl<A: Adapter> Inner<A> {
    /// Applies a write, once no other call works on the resource.
    pub(super) async fn perform(&self, call: &Call) -> Answer {
        let done = match call {
            Call::Create { id, body, .. } => {
                let _turn = self.turns.take(id).await;
                self.create(resource_request(id, body), &body.deployment_name).await
            }
            Call::Update { id, body, if_match, .. } => {
                let _turn = self.turns.take(id).await;
                self.update(resource_request(id, body), &body.deployment_name, if_match.as_deref()).await
            }
            Call::Destroy { id, if_match, deployment, .. } => {
                let _turn = self.turns.take(id).await;
                self.destroy(id, deployment.as_deref(), if_match.as_deref()).await
            }
            _ => Err(Problem::new(Code::BadRequest, "this is not a write")),
        };
        done.unwrap_or_else(Answer::from)
    }

    async fn create(&self, request: ResourceRequest, name: &str) -> Result<Answer, Problem> {
        if let Some(answer) = self.created_before(&request).await? {
            return Ok(answer);
        }
        let is_begun = self.index.borrow().get(&request.id).is_some_and(|it| it.is_of(&request));
        self.index.borrow_mut().begin(Record::begun(request.clone()).of_deployment(name))?;
        let created = match is_begun {
            true => self.adapter.create_again(&request).await,
            false => self.adapter.create(&request).await,
        };
        match created {
            Ok(seen) => {
                let record = Record::seen(request, seen).of_deployment(name);
                self.index.borrow_mut().note(record.clone());
                Ok(Answer::Created(Box::new(record.to_resource())))
            }
            Err(problem) if problem.is(Code::ExistsDifferently) && !is_begun => {
                self.index.borrow_mut().remove(&request.id);
                Err(problem)
            }
            Err(problem) => {
                // Whatever the failed call has left must be found, so that it can be destroyed. If even that
                // cannot be determined, the record stays, as a note that a resource may exist.
                let _ = self.see(&request.id).await;
                Err(problem)
            }
        }
    }

    /// The answer if the resource exists already. A creation that an earlier attempt did not finish is
    /// repeated, and so is that of a resource that has ended.
    async fn created_before(&self, request: &ResourceRequest) -> Result<Option<Answer>, Problem> {
        let known = self.index.borrow().get(&request.id);
        let Some(record) = known else { return Ok(None) };
        let is_same = record.is_of(request);
        if is_same && record.known.identity.is_none() {
            return Ok(None);
        }
        let there = self.see(&request.id).await?.filter(|record| record.phase != Phase::Terminated);
        match there {
            None => Ok(None),
            Some(record) if is_same => Ok(Some(Answer::Is(Box::new(record.to_resource())))),
            Some(record) if record.known.request.deployment != request.deployment => Err(other_lineage()),
            Some(_) => {
                let detail = "a resource with this id exists and was created from another spec";
                Err(Problem::new(Code::ExistsDifferently, detail))
            }
        }
    }

    async fn update(
        &self,
        request: ResourceRequest,
        name: &str,
        if_match: Option<&str>,
    ) -> Result<Answer, Problem> {
        self.belongs(&request.id, &request.deployment)?;
        let record = self.there(&request.id, if_match).await?;
        let seen = self.adapter.update(&record.known, &request).await?;
        let record = Record::seen(request, seen).of_deployment(name);
        self.index.borrow_mut().note(record.clone());
        Ok(Answer::Is(Box::new(record.to_resource())))
    }

    async fn destroy(
        &self,
        id: &ResourceId,
        deployment: Option<&str>,
        if_match: Option<&str>,
    ) -> Result<Answer, Problem> {
        if let Some(deployment) = deployment {
            self.belongs(id, deployment)?;
        }
        let known = self.index.borrow().get(id).ok_or_else(absent)?;
        let record = if if_match.is_some() { self.there(id, if_match).await? } else { known };
        self.adapter.destroy(&record.known).await?;
        self.index.borrow_mut().remove(id);
        Ok(Answer::Done)
    }

    /// Checks that the record of an id, if there is one, belongs to the deployment of that lineage.
    fn belongs(&self, id: &ResourceId, deployment: &str) -> Result<(), Problem> {
        let known = self.index.borrow().get(id);
        match known.filter(|it| it.known.request.deployment != deployment) {
            Some(_) => Err(other_lineage()),
            None => Ok(()),
        }
    }

    /// The existing resource, with its identity, if its ETag is the one that the caller has read.
    async fn there(&self, id: &ResourceId, if_match: Option<&str>) -> Result<Record, Problem> {
        let known = self.index.borrow().get(id).ok_or_else(absent)?;
        if if_match.is_none() && known.known.identity.is_some() {
            return Ok(known);
        }
        let record = self.see(id).await?.ok_or_else(absent)?;
        match if_match {
            Some(tags) if !names(tags, record.to_resource().etag.as_deref()) => {
                Err(Problem::new(Code::Stale, "it changed since it was read"))
            }
            _ => Ok(record),
        }
    }
}

fn resource_request(id: &ResourceId, body: &ResourceBody) -> ResourceRequest {
    let ResourceBody { deployment, address, generation, spec, .. } = body.clone();
    ResourceRequest { id: id.clone(), deployment, address, generation, spec }
}

fn other_lineage() -> Problem {
    Problem::new(Code::OtherLineage, "it belongs to another deployment: its lineage is another")
}

/// True if an `If-Match` header contains an ETag. Weak ones never match.
fn names(tags: &str, etag: Option<&str>) -> bool {
    tags.split(',').map(str::trim).any(|tag| tag == "*" || Some(tag) == etag)
}
