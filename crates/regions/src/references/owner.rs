//! What the owner of a resource does.

use crate::Name;

use super::{Records, ReferenceId, Reply, Status, Tentative};

/// Establishes a reference, if the resource exists and is not being deleted.
///
/// The reply is sent when the record is kept.
pub(super) fn establish<D: Name, K: Name>(
    records: &mut dyn Records<D, K>,
    id: ReferenceId<D>,
    key: &K,
    now: i64,
) -> Reply<K> {
    let mut record = records.back_references(key).unwrap_or_default();
    if record.deleted.is_some() {
        return Reply::Deleting;
    }
    let Some(incarnation) = records.incarnation(key) else { return Reply::Missing };
    if !record.tentative.iter().any(|it| it.id == id) {
        record.tentative.insert(Tentative { id, since: now });
    }
    record.version += 1;
    records.set_back_references(key, Some(record));
    Reply::Established { incarnation }
}

/// Makes the source of a reference that is committed a source of the resource. A reference that is not tentative was
/// confirmed before, or is of a former incarnation: nothing changes then.
pub(super) fn confirm<D: Name, K: Name>(
    records: &mut dyn Records<D, K>,
    id: &ReferenceId<D>,
    key: &K,
) -> Reply<K> {
    resolve(records, id, key, Status::Committed);
    Reply::Confirmed
}

/// Uses what a source has said about the transaction of a tentative reference.
pub(super) fn resolve<D: Name, K: Name>(
    records: &mut dyn Records<D, K>,
    id: &ReferenceId<D>,
    key: &K,
    status: Status,
) {
    let Some(mut record) = records.back_references(key) else { return };
    let before = record.tentative.len();
    record.tentative.retain(|it| it.id != *id);
    if status == Status::Open || record.tentative.len() == before {
        return;
    }
    if status == Status::Committed {
        record.sources.insert(id.source.clone());
    }
    records.set_back_references(key, Some(record));
}

/// Uses the reply of a source that was told of a deletion: one that depends on the resource no more is forgotten, and with
/// the last one the record, so that the name can be used again.
pub(super) fn released<D: Name, K: Name>(
    records: &mut dyn Records<D, K>,
    source: &D,
    key: &K,
    incarnation: u64,
) {
    let Some(mut record) = records.back_references(key) else { return };
    if record.deleted != Some(incarnation) {
        return;
    }
    record.sources.remove(source);
    let remains = !record.sources.is_empty();
    records.set_back_references(key, remains.then_some(record));
}
