//! The requests that records demand. They are sent again until the replies have changed the records, so nothing is lost with a
//! message or a process.

use crate::Name;

use super::{BackReferences, ReferenceId, Remote, Request};

/// The confirmations that a source owes to the owner of a resource.
pub fn confirmations<D: Name, K: Name>(key: &K, remote: &Remote<D>) -> Vec<Request<D, K>> {
    let ids = remote.unconfirmed.iter().cloned();
    ids.map(|id| Request::Confirm { id, key: key.clone() }).collect()
}

/// The requests that an owner owes to the sources of references to a resource: those that depend on it are told that it was
/// deleted, and transactions whose references have been tentative for `patience` milliseconds are asked about.
pub fn questions<D: Name, K: Name>(
    key: &K,
    record: &BackReferences<D>,
    now: i64,
    patience: i64,
) -> Vec<(D, Request<D, K>)> {
    let overdue = record.tentative.iter().filter(|it| now.saturating_sub(it.since) >= patience);
    let status = |id: &ReferenceId<D>| Request::Status { id: id.clone(), key: key.clone() };
    let statuses = overdue.map(|it| (it.id.source.clone(), status(&it.id)));
    let told = record.deleted.into_iter().flat_map(|incarnation| {
        let request = move || Request::Deleted { key: key.clone(), incarnation };
        record.sources.iter().map(move |source| (source.clone(), request()))
    });
    statuses.chain(told).collect()
}
