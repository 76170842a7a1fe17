//! Resources as JSON, read once for each version.

use std::{cell::RefCell, collections::BTreeMap, sync::Arc};

use fields::{MessageType, schema::Field};
use serde_json::Value;
use store::{Resource, Uid};

use crate::{Api, Problem, Violation, kinds::Served};

const IMMUTABLE: diag::Code = diag::Code("api/immutable");

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

/// A stored resource without fields that a former version of its message had.
pub(crate) fn current(message: Option<MessageType<'_>>, stored: &Value) -> Value {
    message.map_or_else(|| stored.clone(), |message| fields::without_unknown(stored, message))
}

/// A value of a client, in the form of proto3, if it is valid. `old` is what it replaces: fields that only the server sets
/// remain, and those that never change have to be as they were.
///
/// # Errors
/// Everything that is wrong with it, with its places.
pub(crate) fn checked(
    api: &Api,
    served: Served<'_>,
    mut value: Value,
    old: Option<&Value>,
) -> Result<Value, Problem> {
    let Some(message) = served.checked_message() else { return Ok(value) };
    let mut violations = Vec::new();
    for field in &message.message().fields {
        // Metadata has its own rules, in the transactions.
        if field.output_only && &*field.name != "metadata" {
            keep(field, old, &mut value);
        }
    }
    violations.extend(fields::validate(&value, message, Some(api.transactions.store().now())));
    let value = fields::normalize(&value, message);
    if let Some(old) = old {
        let fixed = message.message().fields.iter().filter(|it| it.immutable);
        let changed = fixed.filter(|it| old.get(it.json_name()) != value.get(it.json_name()));
        violations.extend(changed.map(immutable));
    }
    if violations.is_empty() {
        return Ok(value);
    }
    let detail = format!("the `{}` is not valid", served.kind.name);
    let violations = violations.iter().map(Violation::of_value).collect();
    Err(Problem { violations, ..Problem::invalid_argument(detail) })
}

/// What only the server sets is what is stored.
fn keep(field: &Field, old: Option<&Value>, value: &mut Value) {
    let Some(object) = value.as_object_mut() else { return };
    object.shift_remove(&*field.name);
    match old.and_then(|it| it.get(field.json_name())) {
        Some(stored) => drop(object.insert(field.json_name(), stored.clone())),
        None => drop(object.shift_remove(&field.json_name())),
    }
}

fn immutable(field: &Field) -> fields::Violation {
    fields::Violation {
        code: IMMUTABLE,
        pointer: format!("/{}", field.json_name()),
        message: "the field cannot be changed after the resource was created".to_owned(),
        help: "leave it out of the update, or create another resource".to_owned(),
    }
}
