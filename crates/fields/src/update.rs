use serde_json::Value;

use crate::{
    FieldMask, FieldPath, MessageType, Violation, codes,
    error::quoted,
    schema::{Cardinality, Field, FieldType},
};

/// A request to change a resource, as Goten's `Update` methods have it.
#[derive(Clone, Copy, Debug)]
pub struct Update<'a> {
    /// The resource as it should be.
    pub resource: &'a Value,
    /// The fields that change; without a mask all do, and those that the resource lacks are cleared.
    pub mask: Option<&'a FieldMask>,
    /// The condition on the resource before the change (`cas`).
    pub condition: Option<UpdateCondition<'a>>,
}

/// The required values of fields of a resource before it is changed: compare and swap.
#[derive(Clone, Copy, Debug)]
pub struct UpdateCondition<'a> {
    /// The resource as the client has read it (`conditional_state`).
    pub state: &'a Value,
    /// The fields that have to be as they were (`field_mask`).
    pub mask: &'a FieldMask,
}

/// The resource after a change. Fields that only the server sets (`output_only`) stay as they are.
///
/// Both flags of fields are found in messages and in their fields that are messages; not in elements of lists and maps, which
/// have no place of their own.
///
/// # Errors
/// `fields/conflict` if a field of the condition has changed, `fields/immutable` for each field that cannot be changed after
/// the resource was created.
pub fn update(current: &Value, update: &Update<'_>, of: MessageType<'_>) -> Result<Value, Vec<Violation>> {
    if let Some(condition) = update.condition {
        check_condition(current, condition, of)?;
    }
    let mut changed = current.clone();
    update.mask.unwrap_or(&FieldMask::full()).copy(update.resource, &mut changed);
    flagged(of, |it| it.output_only).copy(current, &mut changed);
    let immutable = flagged(of, |it| it.immutable);
    let difference = FieldMask::diff(&immutable.project(current), &immutable.project(&changed), Some(of));
    let violations: Vec<Violation> = difference.paths().map(cannot_change).collect();
    if violations.is_empty() { Ok(changed) } else { Err(violations) }
}

fn check_condition(
    current: &Value,
    condition: UpdateCondition<'_>,
    of: MessageType<'_>,
) -> Result<(), Vec<Violation>> {
    let now = condition.mask.project(current);
    let before = condition.mask.project(condition.state);
    let difference = FieldMask::diff(&crate::normalize(&before, of), &crate::normalize(&now, of), Some(of));
    let conflict = |path: &FieldPath| {
        let message = format!("{} was changed meanwhile", quoted(&path.to_string()));
        let help = "read the resource again, and repeat the change";
        Violation::new(codes::CONFLICT, pointer(path), message, help)
    };
    let violations: Vec<Violation> = difference.paths().map(conflict).collect();
    if violations.is_empty() { Ok(()) } else { Err(violations) }
}

fn cannot_change(path: &FieldPath) -> Violation {
    let message = format!("{} cannot be changed after the resource was created", quoted(&path.to_string()));
    let help = "leave the field as it is, or create another resource";
    Violation::new(codes::IMMUTABLE, pointer(path), message, help)
}

fn pointer(path: &FieldPath) -> String {
    path.segments().iter().map(|it| format!("/{}", crate::path::token(it.json()))).collect()
}

/// The fields with a flag; those below one are not listed.
fn flagged(of: MessageType<'_>, has_flag: fn(&Field) -> bool) -> FieldMask {
    let mut paths = Vec::new();
    let mut above = Vec::new();
    collect(of, &FieldPath::default(), has_flag, &mut above, &mut paths);
    FieldMask::new(paths).unwrap_or_default()
}

/// A message that contains itself is entered once.
fn collect<'a>(
    of: MessageType<'a>,
    at: &FieldPath,
    has_flag: fn(&Field) -> bool,
    above: &mut Vec<&'a str>,
    paths: &mut Vec<FieldPath>,
) {
    for field in &of.message().fields {
        let path = at.join(&field.name);
        if has_flag(field) {
            paths.push(path);
            continue;
        }
        let is_single = matches!(field.cardinality, Cardinality::One | Cardinality::Optional);
        if let (FieldType::Message(name), Some(inner), true) = (&field.ty, of.of_field(field), is_single)
            && !above.contains(&&**name)
        {
            above.push(name);
            collect(inner, &path, has_flag, above, paths);
            above.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::{
        schema::{Message, Schema},
        testing::{TEXT, any_message, field, message_path, of},
    };

    /// A message with a field that is set once, fields of the server, and itself.
    fn schema() -> Schema {
        let state = vec![field("phase", TEXT), Field { output_only: true, ..field("node", TEXT) }];
        let resource = vec![
            field("a", TEXT),
            field("b", of("State")),
            Field { immutable: true, ..field("node_name", TEXT) },
            Field { output_only: true, ..field("status", of("State")) },
            field("inner", of("Resource")),
        ];
        let message = |fields| Message { fields, ..Message::default() };
        Schema {
            messages: [("Resource".into(), message(resource)), ("State".into(), message(state))].into(),
            ..Schema::default()
        }
    }

    #[test]
    fn updates_keep_what_they_may_not_change() {
        let schema = schema();
        let of = MessageType::new(&schema, "Resource").unwrap();
        let current =
            json!({"a": "1", "nodeName": "n", "status": {"phase": "up"}, "b": {"phase": "x", "node": "k"}});
        let text = |it: &str| FieldMask::parse(it).unwrap();
        for (resource, mask, condition, expected) in [
            (
                json!({"a": "2", "nodeName": "n"}),
                None,
                None,
                Ok(json!({"a": "2", "nodeName": "n", "status": {"phase": "up"}, "b": {"node": "k"}})),
            ),
            (
                json!({"a": "2", "status": {}}),
                Some("a,status"),
                None,
                Ok(
                    json!({"a": "2", "nodeName": "n", "status": {"phase": "up"}, "b": {"phase": "x", "node": "k"}}),
                ),
            ),
            (json!({"a": "2"}), Some("*"), None, Err(vec![("fields/immutable", "/nodeName")])),
            (json!({"nodeName": "m"}), Some("node_name"), None, Err(vec![("fields/immutable", "/nodeName")])),
            (
                json!({"a": "2"}),
                Some("b"),
                Some((json!({"a": "0"}), "a")),
                Err(vec![("fields/conflict", "/a")]),
            ),
            // Another field than those of the condition was changed; and a default is not a change.
            (
                json!({"a": "2"}),
                Some("a"),
                Some((json!({"a": "1", "b": {}}), "a,inner")),
                Ok(
                    json!({"a": "2", "nodeName": "n", "status": {"phase": "up"}, "b": {"phase": "x", "node": "k"}}),
                ),
            ),
            (
                json!({"a": "2"}),
                Some("a"),
                Some((json!({"a": "1", "b": {"phase": "y"}}), "b.phase,a")),
                Err(vec![("fields/conflict", "/b/phase")]),
            ),
        ] {
            let mask = mask.map(text);
            let condition = condition.map(|(state, mask)| (state, text(mask)));
            let request = Update {
                resource: &resource,
                mask: mask.as_ref(),
                condition: condition.as_ref().map(|(state, mask)| UpdateCondition { state, mask }),
            };
            let updated = update(&current, &request, of);
            let updated = updated
                .as_ref()
                .map_err(|it| it.iter().map(|it| (it.code.as_str(), &*it.pointer)).collect::<Vec<_>>());
            assert_eq!(updated, expected.as_ref().map_err(Clone::clone), "{resource} {mask:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn only_fields_of_the_mask_change(current in any_message(), resource in any_message(), path in message_path()) {
            let schema = schema();
            let of = MessageType::new(&schema, "Resource").unwrap();
            let mask = FieldMask::new([path]).unwrap();
            let condition = Some(UpdateCondition { state: &current, mask: &FieldMask::full() });
            let request = Update { resource: &resource, mask: Some(&mask), condition };
            if let Ok(updated) = update(&current, &request, of) {
                let changed = FieldMask::diff(&current, &updated, None);
                prop_assert!(changed.paths().all(|it| mask.touches(it)), "{} {}", changed, mask);
                prop_assert_eq!(updated.get("nodeName"), current.get("nodeName"));
            }
        }
    }
}
