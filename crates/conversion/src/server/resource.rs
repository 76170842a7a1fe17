//! Resources that clients of the old version send.

use api::Problem;
use fields::{FieldMask, FieldPath, MessageType, normalize};
use serde_json::Value;

use super::problem::{lost, no_name, not_valid, of_name};
use crate::{Direction, KindConversion};

/// A resource of the new version. It is checked as one of the old version first, so that mistakes are reported in its words: as a
/// whole, or only the names of its fields where a mask says which of them count.
pub(super) fn converted(kind: KindConversion<'_>, sent: &Value, is_whole: bool) -> Result<Value, Problem> {
    let Some(old) = kind.old_kind() else { return Ok(sent.clone()) };
    let message = kind.message(Direction::ToOld);
    let normal = match message {
        Some(message) if sent.is_object() => {
            let violations = violations(sent, message, is_whole);
            if !violations.is_empty() {
                return Err(not_valid(&old.name, violations));
            }
            normalize(sent, message)
        }
        Some(_) | None => sent.clone(),
    };
    check_name(kind, &normal)?;
    kind.value(Direction::ToNew, &normal).map_err(|error| lost(&error))
}

fn violations(sent: &Value, message: MessageType<'_>, is_whole: bool) -> Vec<fields::Violation> {
    if !is_whole {
        return fields::check_names(sent, message);
    }
    let mut sent = sent.clone();
    for field in message.message().fields.iter().filter(|it| it.output_only) {
        FieldPath::of_names([&*field.name]).clear(&mut sent);
    }
    let mut found = fields::validate(&sent, message, None);
    // The name may be given by the path, or by the server.
    found.retain(|it| it.pointer != "/name");
    found
}

fn check_name(kind: KindConversion<'_>, sent: &Value) -> Result<(), Problem> {
    let (Some(old), Some(name)) = (kind.old_kind(), sent.get("name").and_then(Value::as_str)) else {
        return Ok(());
    };
    if name.is_empty() {
        return Ok(());
    }
    old.patterns.parse_concrete(name).map_err(|error| of_name("#/name", &error))?;
    match kind.name(Direction::ToNew, name) {
        Some(_) => Ok(()),
        None => Err(no_name("#/name", name)),
    }
}

/// The fields of the new version that a mask of the old one is. One of fields that only the old version has selects the name, which
/// changes nothing: a mask of no fields would be all of them.
pub(super) fn mask(kind: KindConversion<'_>, mask: &FieldMask) -> FieldMask {
    let converted = kind.mask(Direction::ToNew, mask);
    if !converted.is_empty() || mask.is_empty() {
        return converted;
    }
    FieldMask::new([FieldPath::of_names(["name"])]).unwrap_or_default()
}
