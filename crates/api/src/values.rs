//! Resources as JSON: as they are stored, and as clients send them.

use fields::{MessageType, schema::Field};
use serde_json::Value;

use crate::{Api, Problem, Violation, codes, kinds::Served, versions};

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
    for field in &message.message().fields {
        // Metadata has its own rules, in the transactions.
        if field.output_only && &*field.name != "metadata" {
            keep(field, old, &mut value);
        }
    }
    let value = valid(api, message, &value, old)
        .map_err(|mistakes| not_valid(format!("the `{}` is not valid", served.kind.name), &mistakes))?;
    let value = match old {
        Some(old) => versions::with_others(api, served, value, old),
        None => value,
    };
    match versions::violations_of_newest(api, served, &value, old) {
        None => Ok(value),
        Some((version, mistakes)) => {
            Err(not_valid(format!("the `{}` is not valid in {version}", served.kind.name), &mistakes))
        }
    }
}

/// A value in the form of proto3, if it is valid; it replaces another one if there is one.
///
/// # Errors
/// Everything that is wrong with it.
pub(crate) fn valid(
    api: &Api,
    message: MessageType<'_>,
    value: &Value,
    old: Option<&Value>,
) -> Result<Value, Vec<fields::Violation>> {
    let mut violations = fields::validate(value, message, Some(api.transactions.store().now()));
    let value = fields::normalize(value, message);
    if let Some(old) = old {
        let fixed = message.message().fields.iter().filter(|it| it.immutable);
        let changed = fixed.filter(|it| old.get(it.json_name()) != value.get(it.json_name()));
        violations.extend(changed.map(immutable));
    }
    if violations.is_empty() { Ok(value) } else { Err(violations) }
}

/// Checks the names of all fields that a client sends, also of those that are not used.
///
/// # Errors
/// Each name that is no field, or is sent twice.
pub(crate) fn check_names(served: Served<'_>, value: &Value) -> Result<(), Problem> {
    let violations = served.checked_message().map(|it| fields::check_names(value, it)).unwrap_or_default();
    if violations.is_empty() {
        Ok(())
    } else {
        Err(not_valid(format!("the `{}` is not valid", served.kind.name), &violations))
    }
}

/// A message that has these violations.
pub(crate) fn not_valid(detail: String, violations: &[fields::Violation]) -> Problem {
    let violations = violations.iter().map(Violation::of_value).collect();
    Problem { violations, ..Problem::invalid_argument(detail) }
}

/// Keeps the stored value of a field that only the server sets.
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
        code: codes::IMMUTABLE,
        pointer: format!("/{}", field.json_name()),
        message: "the field cannot be changed after the resource was created".to_owned(),
        help: "leave it out of the update, or create another resource".to_owned(),
    }
}
