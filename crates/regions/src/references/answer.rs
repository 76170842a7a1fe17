//! The steps of a deployment for each message, as every host executes them.

use crate::Name;

use super::{
    Records, Reply, Request,
    owner::{confirm, establish, released, resolve},
    source::{check, confirmed, deleted, status},
};

/// The reply to a request, in one transaction: it is sent when what it speaks of is kept. `now` is in milliseconds; `is_open` is
/// true if the [transaction](Request::number) whose state is requested is in progress.
pub fn answer<D: Name, K: Name>(
    records: &mut dyn Records<D, K>,
    request: &Request<D, K>,
    now: i64,
    is_open: bool,
) -> Reply<K> {
    match request {
        Request::Establish { id, key } => establish(records, id.clone(), key, now),
        Request::Confirm { id, key } => confirm(records, id, key),
        Request::Status { id, key } => status(records, id, key, is_open),
        Request::Check { key } => check(records, key),
        Request::Deleted { key, incarnation } => deleted(records, key, *incarnation),
    }
}

/// Uses the reply of a deployment to a request about records, in one transaction. Replies that [`Saving`](super::Saving) and
/// [`Checking`](super::Checking) take change nothing here.
pub fn take<D: Name, K: Name>(
    records: &mut dyn Records<D, K>,
    from: &D,
    request: &Request<D, K>,
    reply: &Reply<K>,
) {
    match (request, reply) {
        (Request::Confirm { id, key }, Reply::Confirmed) => confirmed(records, id, key),
        (Request::Status { id, key }, Reply::Status { status }) => resolve(records, id, key, *status),
        (Request::Deleted { key, incarnation }, Reply::Depends { depends: false }) => {
            released(records, from, key, *incarnation);
        }
        _ => {}
    }
}
