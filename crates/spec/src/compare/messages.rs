//! Messages and enumerations that resources and methods of the specification use.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use diag::Span;
use fields::schema::{FieldType, Message, Schema};

use super::{Change, ChangeClass, ChangeKind, Side, enums, fields as members, pairs::KindPairs};
use crate::Method;

/// The roots of one version: the names of messages with the place that is shown for them.
type Roots<'a> = Vec<(&'a Arc<str>, Span)>;

/// Adds the changes in messages that are declared in both versions. Nothing is known of the fields of open messages.
///
/// Messages of standard methods and of changes are not compared: they follow from the kinds.
pub(super) fn compare(
    kinds: &KindPairs<'_>,
    methods: &[(&Method, &Method)],
    (old, new): (Side<'_>, Side<'_>),
    changes: &mut Vec<Change>,
) {
    let (Some(before), Some(after)) = (old.schema, new.schema) else { return };
    let olds = roots(old, methods.iter().map(|it| it.0));
    let news = roots(new, methods.iter().map(|it| it.1));
    let (old_reach, new_reach) = (reach(before, &olds), reach(after, &news));
    for (name, span) in &old_reach {
        let counterpart = kinds.renamed_message(name);
        let place = new_reach.get(&*counterpart).copied();
        if let Some(message) = before.messages.get(name).filter(|it| !it.open) {
            match after.messages.get(&*counterpart) {
                Some(other) if other.open => {}
                Some(other) => {
                    members::compare((name, message), other, (*span, place), kinds, (old, new), changes)
                }
                None => changes.push(gone(ChangeKind::MessageRemoved, name, *span)),
            }
        }
        if let Some(values) = before.enums.get(name) {
            match after.enums.get(&*counterpart) {
                Some(other) => enums::compare(name, values, other, (*span, place), changes),
                None => changes.push(gone(ChangeKind::EnumRemoved, name, *span)),
            }
        }
    }
    added(&new_reach, (before, after), kinds, changes);
}

fn gone(kind: ChangeKind, name: &str, span: Span) -> Change {
    Change::new(kind, ChangeClass::Breaking, name).at(span, None)
}

fn added(
    reach: &BTreeMap<Arc<str>, Span>,
    (before, after): (&Schema, &Schema),
    kinds: &KindPairs<'_>,
    changes: &mut Vec<Change>,
) {
    let paired: BTreeSet<String> =
        before.messages.keys().chain(before.enums.keys()).map(|it| kinds.renamed_message(it)).collect();
    for (name, span) in reach.iter().filter(|(it, _)| !paired.contains(&***it)) {
        let is_message = after.messages.get(name).is_some_and(|it| !it.open);
        let kind = match (is_message, after.enums.contains_key(name)) {
            (true, _) => ChangeKind::MessageAdded,
            (false, true) => ChangeKind::EnumAdded,
            (false, false) => continue,
        };
        changes.push(Change::new(kind, ChangeClass::Compatible, &**name).at(None, *span));
    }
}

fn roots<'a>(side: Side<'a>, methods: impl Iterator<Item = &'a Method>) -> Roots<'a> {
    let kinds = side.own().map(|it| &it.kinds).into_iter().flatten();
    let messages = methods.flat_map(|it| [(&it.request, it.span), (&it.response, it.span)]);
    kinds.map(|it| (&it.name, it.span)).chain(messages).collect()
}

/// All messages and enumerations that the roots contain, each with the place of the first root that does.
fn reach(schema: &Schema, roots: &Roots<'_>) -> BTreeMap<Arc<str>, Span> {
    let mut found: BTreeMap<Arc<str>, Span> = BTreeMap::new();
    let mut open: Vec<(Arc<str>, Span)> =
        roots.iter().rev().map(|(it, span)| ((*it).clone(), *span)).collect();
    while let Some((name, span)) = open.pop() {
        let is_known = schema.messages.contains_key(&name) || schema.enums.contains_key(&name);
        if !is_known || found.contains_key(&name) {
            continue;
        }
        let below = schema.messages.get(&name).map(below).unwrap_or_default();
        open.extend(below.into_iter().map(|it| (it, span)));
        found.insert(name, span);
    }
    found
}

fn below(message: &Message) -> BTreeSet<Arc<str>> {
    let named = message.fields.iter().filter_map(|it| match &it.ty {
        FieldType::Message(name) | FieldType::Enum(name) => Some(name.clone()),
        FieldType::Scalar(_) | FieldType::WellKnown(_) | FieldType::Foreign(_) => None,
    });
    named.collect()
}
