//! References of resources, by their paths: `spec.image_pull_secrets[].name`.

use std::{collections::BTreeMap, sync::Arc};

use fields::schema::{Cardinality, DeleteBehavior, Field, FieldType, Meaning, Schema};

use super::{Change, ChangeClass, ChangeKind, Side, pairs::KindPairs};
use crate::Kind;

/// More than any real kind has (11), and few enough that a hostile schema costs nothing.
const MAX_REFERENCES: usize = 10_000;

type References = BTreeMap<String, (String, DeleteBehavior)>;

/// Adds the changes in the references of kinds that both versions have.
pub(super) fn compare(pairs: &KindPairs<'_>, old: Side<'_>, new: Side<'_>, changes: &mut Vec<Change>) {
    for (before, after) in &pairs.both {
        let (olds, news) = (of_kind(before, old), of_kind(after, new));
        let change = |kind: ChangeKind, class: ChangeClass, path: &str| {
            Change::new(kind, class, format!("{}.{path}", before.name)).at(before.span, after.span)
        };
        for (path, reference) in &olds {
            let Some(other) = news.get(path) else {
                let change = change(ChangeKind::ReferenceRemoved, ChangeClass::Compatible, path);
                changes.push(change.values(text(reference), ""));
                continue;
            };
            if pairs.renamed(&reference.0) != other.0 {
                let change = change(ChangeKind::ReferenceTargetChanged, ChangeClass::Breaking, path);
                changes.push(change.values(&*reference.0, &*other.0));
            }
            if reference.1 != other.1 {
                let change = change(ChangeKind::DeleteBehaviorChanged, ChangeClass::Unlisted, path);
                changes.push(change.values(reference.1.as_str(), other.1.as_str()));
            }
        }
        for (path, reference) in news.iter().filter(|(it, _)| !olds.contains_key(*it)) {
            let change = change(ChangeKind::ReferenceAdded, ChangeClass::Compatible, path);
            changes.push(change.values("", text(reference)));
        }
    }
}

fn text((target, behavior): &(String, DeleteBehavior)) -> String {
    format!("{target} {}", behavior.as_str())
}

fn of_kind(kind: &Kind, side: Side<'_>) -> References {
    let mut found = References::new();
    if let Some(schema) = side.schema {
        walk(&kind.name, "", &mut Vec::new(), schema, side, &mut found);
    }
    found
}

/// Depth first; `above` are the messages on the way, so that recursive ones end.
fn walk(
    message: &Arc<str>,
    path: &str,
    above: &mut Vec<Arc<str>>,
    schema: &Schema,
    side: Side<'_>,
    found: &mut References,
) {
    let Some(fields) = schema.messages.get(message).map(|it| &it.fields) else { return };
    if above.contains(message) {
        return;
    }
    above.push(message.clone());
    for field in fields.iter().take_while(|_| found.len() < MAX_REFERENCES).collect::<Vec<_>>() {
        let path = step(path, field);
        match (&field.meaning, &field.ty) {
            (Some(Meaning::Reference { resource, on_target_deleted }), _) => {
                found.insert(path, (side.short(resource).to_owned(), *on_target_deleted));
            }
            (_, FieldType::Message(inner)) => walk(inner, &path, above, schema, side, found),
            _ => {}
        }
    }
    above.pop();
}

fn step(path: &str, field: &Field) -> String {
    let dot = if path.is_empty() { "" } else { "." };
    let mark = match field.cardinality {
        Cardinality::One | Cardinality::Optional => "",
        Cardinality::Repeated => "[]",
        Cardinality::Map(_) => "{}",
    };
    format!("{path}{dot}{}{mark}", field.name)
}
