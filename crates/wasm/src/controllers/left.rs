use std::sync::Arc;

use ::store::{Committed, Resource, Snapshot};
use serde::Serialize;

use crate::answer::{self, Answer};

/// The result of listing resources.
#[derive(Serialize)]
struct Listed<'a> {
    revision: u64,
    resources: Vec<&'a Resource>,
}

/// The result of a transaction: the revision and, for each resource of it, the new content and readiness.
#[derive(Serialize)]
struct Left {
    revision: u64,
    resources: Vec<Option<Arc<Resource>>>,
    ready: Vec<bool>,
}

pub(super) fn listed(snapshot: &Snapshot) -> Answer {
    let resources = snapshot.iter().map(|resource| &**resource).collect();
    answer::plain(&Listed { revision: snapshot.revision().get(), resources })
}

pub(super) fn left(committed: Committed) -> Answer {
    let Committed { revision, resources, ready } = committed;
    answer::plain(&Left { revision: revision.get(), resources, ready })
}
