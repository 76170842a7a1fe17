use std::{collections::BTreeMap, rc::Rc};

use protocol::{Call, Description, Feature, Problem, Reply, Resource, ResourceId, Unclear, VERSION};
use tokio::sync::Semaphore;

use super::{Reader, Remote, limit};
use crate::{Trouble, pace::Deadline};

/// What was found where something was looked for; `None`: nothing is there.
pub(super) type Sought = Result<Option<Box<Resource>>, Trouble>;

/// What was found where many were looked for.
pub(super) type Sighting = BTreeMap<ResourceId, Option<Box<Resource>>>;

impl Reader {
    /// What the adapter is. It is asked once.
    pub(crate) async fn describe(&self, deadline: Deadline) -> Result<Rc<Description>, Trouble> {
        self.0.describe(deadline).await
    }

    /// What is at an id.
    pub(crate) async fn read(&self, id: &ResourceId, deadline: Deadline) -> Sought {
        self.0.read(id, deadline).await
    }

    /// What is at all these ids, in as few requests as the adapter allows.
    pub(crate) async fn read_all(&self, ids: &[ResourceId], deadline: Deadline) -> Result<Sighting, Trouble> {
        let can_batch = self.describe(deadline).await?.can(Feature::BatchRead);
        let mut found = Sighting::new();
        if !can_batch {
            for id in ids {
                found.insert(id.clone(), self.read(id, deadline).await?);
            }
            return Ok(found);
        }
        for part in ids.chunks(self.0.pace.settings.batch.max(1)) {
            let call = Call::BatchRead(part.to_vec());
            match self.0.question(&call, deadline).await? {
                Reply::Batch(batch) => {
                    found.extend(part.iter().map(|id| (id.clone(), None)));
                    found.extend(batch.items.into_iter().map(|it| (it.id.clone(), Some(Box::new(it)))));
                }
                other => return Err(strange(&other)),
            }
        }
        Ok(found)
    }

    /// All that the adapter has of a deployment; nothing where it cannot tell.
    pub(crate) async fn list(&self, deployment: &str, deadline: Deadline) -> Result<Vec<Resource>, Trouble> {
        if !self.describe(deadline).await?.can(Feature::List) {
            return Ok(Vec::new());
        }
        let (mut found, mut page) = (Vec::new(), None);
        loop {
            let call = Call::List { deployment: deployment.to_owned(), page: page.clone() };
            match self.0.question(&call, deadline).await? {
                Reply::Page(part) => {
                    found.extend(part.items.into_iter().filter(|it| it.deployment == deployment));
                    // A page that leads back to itself would never end.
                    if part.next.is_none() || part.next == page {
                        return Ok(found);
                    }
                    page = part.next;
                }
                other => return Err(strange(&other)),
            }
        }
    }
}

impl Remote {
    pub(super) async fn describe(&self, deadline: Deadline) -> Result<Rc<Description>, Trouble> {
        if let Some(description) = &*self.description.borrow() {
            return Ok(description.clone());
        }
        let description = match self.question(&Call::Describe, deadline).await? {
            Reply::Described(description) if description.protocol == VERSION => Rc::new(*description),
            Reply::Described(description) => return Err(other_version(description.protocol)),
            Reply::Absent => return Err(no_adapter()),
            other => return Err(strange(&other)),
        };
        *self.gate.borrow_mut() =
            Rc::new(Semaphore::new(limit(&self.pace.settings, description.max_in_flight)));
        *self.description.borrow_mut() = Some(description.clone());
        Ok(description)
    }

    pub(super) async fn read(&self, id: &ResourceId, deadline: Deadline) -> Sought {
        match self.question(&Call::Read(id.clone()), deadline).await? {
            Reply::Resource(resource) => Ok(Some(resource)),
            Reply::Absent => Ok(None),
            other => Err(strange(&other)),
        }
    }

    /// Asks until there is an answer: reading again does no harm.
    async fn question(&self, call: &Call, deadline: Deadline) -> Result<Reply, Trouble> {
        let mut tries = 0;
        loop {
            let reply = self.ask(call, 0).await;
            let wait = match &reply {
                Reply::Busy(_, Some(after)) => *after,
                Reply::Busy(..) | Reply::Outstanding(_) => self.pace.backoff(tries),
                Reply::Unclear(Unclear::Lost(_) | Unclear::Failed(_)) => self.pace.backoff(tries),
                Reply::Unclear(Unclear::Malformed(_)) => return Err(strange(&reply)),
                Reply::Unauthorized(problem) => return Err(unauthorized(problem)),
                Reply::OtherVersion(problem) | Reply::Refused(problem) => return Err(Trouble::said(problem)),
                _ => return Ok(reply),
            };
            tries += 1;
            if tries >= self.pace.settings.tries || !self.pace.wait(wait, deadline).await {
                return Err(strange(&reply));
            }
        }
    }
}

pub(super) fn unauthorized(problem: &Problem) -> Trouble {
    Trouble::said(problem).help("give the adapter's token")
}

fn other_version(version: u32) -> Trouble {
    let message = format!("the adapter speaks version {version} of the protocol");
    Trouble::new("engine/other-version", message).help("use an adapter that speaks version 1")
}

fn no_adapter() -> Trouble {
    Trouble::new("engine/no-adapter", "there is no adapter at that address")
        .help("the address is what stands before `/v1`")
}

/// An answer that does not tell what was asked.
pub(super) fn strange(reply: &Reply) -> Trouble {
    match reply {
        Reply::Unclear(why @ Unclear::Malformed(_)) => {
            Trouble::new("engine/adapter-contract", why.to_string()).help("the adapter has to be mended")
        }
        Reply::Unclear(why) => Trouble::new("engine/unreachable", why.to_string())
            .help("nothing was lost; see that the adapter can be reached, and try again")
            .passing(),
        Reply::Busy(problem, _) => Trouble::said(problem),
        _ => Trouble::new("engine/adapter-contract", "the adapter answers what was not asked")
            .help("the adapter has to be mended"),
    }
}
