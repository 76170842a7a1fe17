//! Resources as JSON, read once for each version.

use std::{cell::RefCell, collections::BTreeMap, sync::Arc};

use serde_json::Value;
use store::{Resource, Uid};

use crate::{Problem, Violation, kinds::Served};

/// What was read from texts of the store, by kind and id.
#[derive(Debug, Default)]
pub(crate) struct Values(RefCell<BTreeMap<store::Kind, Known>>);

type Known = BTreeMap<Arc<str>, (Uid, u64, Arc<Value>)>;

impl Values {
    /// The value of a stored resource.
    pub(crate) fn of(&self, resource: &Resource) -> Arc<Value> {
        let metadata = &resource.metadata;
        let mut kinds = self.0.borrow_mut();
        let known = match kinds.get_mut(&metadata.key.kind) {
            Some(known) => known,
            None => kinds.entry(metadata.key.kind.clone()).or_default(),
        };
        if let Some((uid, version, value)) = known.get(&metadata.key.id)
            && *uid == metadata.uid
            && *version == metadata.version
        {
            return value.clone();
        }
        let value = Arc::new(resource.spec.value());
        known.insert(metadata.key.id.clone(), (metadata.uid, metadata.version, value.clone()));
        value
    }

    /// Forgets resources of a kind that are not stored any more, once they are as many as those that are.
    pub(crate) fn trim(&self, kind: &store::Kind, stored: &store::Snapshot) {
        let mut kinds = self.0.borrow_mut();
        let Some(known) = kinds.get_mut(kind) else { return };
        if known.len() > 2 * stored.len() + 64 {
            known.retain(|id, _| stored.get(id).is_some());
        }
    }
}

/// A value of a client, in the form of proto3, if it is valid.
///
/// # Errors
/// Everything that is wrong with it, with its places.
pub(crate) fn checked(served: Served<'_>, value: Value) -> Result<Value, Problem> {
    let Some(message) = served.message() else { return Ok(value) };
    let violations: Vec<fields::Violation> = Vec::new();
    if violations.is_empty() {
        let _ = message;
        return Ok(value);
    }
    let detail = format!("the `{}` is not valid", served.kind.name);
    Err(Problem {
        violations: violations.iter().map(Violation::of_value).collect(),
        ..Problem::invalid_argument(detail)
    })
}
