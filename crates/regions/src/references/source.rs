//! What a deployment does whose resources refer to others.

use crate::Name;

use super::{Records, ReferenceId, Reply, Status};

/// The state of a transaction that established a reference; `is_open` says whether it is in progress.
pub(super) fn status<D: Name, K: Name>(
    records: &dyn Records<D, K>,
    id: &ReferenceId<D>,
    key: &K,
    is_open: bool,
) -> Reply<K> {
    let committed = records.remote(key).is_some_and(|it| it.unconfirmed.contains(id));
    let status = match (committed, is_open) {
        (true, _) => Status::Committed,
        (false, true) => Status::Open,
        (false, false) => Status::Ended,
    };
    Reply::Status { status }
}

/// Notes that the owner knows of a reference.
pub(super) fn confirmed<D: Name, K: Name>(records: &mut dyn Records<D, K>, id: &ReferenceId<D>, key: &K) {
    let Some(mut remote) = records.remote(key) else { return };
    if !remote.unconfirmed.remove(id) {
        return;
    }
    let remains = !remote.unconfirmed.is_empty() || records.dependents(key).any;
    records.set_remote(key, remains.then_some(remote));
}

/// The own resources that forbid the deletion of a resource. The reply is sent when everything that it depends on is kept.
pub(super) fn check<D: Name, K: Name>(records: &dyn Records<D, K>, key: &K) -> Reply<K> {
    let dependents = records.dependents(key);
    Reply::Checked { blockers: dependents.blockers, depends: dependents.any }
}

/// Notes that a resource was deleted: what depends on it becomes work. What is said of another incarnation than the one that is
/// referred to is out of date.
pub(super) fn deleted<D: Name, K: Name>(
    records: &mut dyn Records<D, K>,
    key: &K,
    incarnation: u64,
) -> Reply<K> {
    let Some(mut remote) = records.remote(key).filter(|it| it.incarnation == incarnation) else {
        return Reply::Depends { depends: false };
    };
    let depends = records.dependents(key).any;
    remote.deleted = true;
    records.set_remote(key, depends.then_some(remote));
    Reply::Depends { depends }
}
