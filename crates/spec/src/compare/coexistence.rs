//! Coexistence of two versions of a service: whether their resources can be the same, stored once by the names of their fields.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use fields::schema::{Cardinality, Field, FieldType, Meaning, Message, Schema};

use super::{Side, kinds::patterns, types};
use crate::Kind;

/// The reasons why resources of an old version of a service cannot be those of a new one, too: the differences that would have
/// to be converted. Each is a sentence. Fields are the same if they have the same name and the same type, whatever their
/// numbers are.
///
/// Items that are only in one of the versions, and names that only the new one allows, prevent nothing.
pub fn check_coexistence(old: Side<'_>, new: Side<'_>) -> Vec<String> {
    let mut check = Check { old, new, seen: BTreeSet::new(), found: Vec::new() };
    let (Some(before), Some(after)) = (old.own(), new.own()) else { return check.found };
    let named: BTreeMap<&str, &Kind> = after.kinds.iter().map(|it| (&*it.name, it)).collect();
    for kind in before.kinds.iter().filter(|it| !it.name.is_empty()) {
        check.kind(kind, named.get(&*kind.name).copied());
    }
    check.found
}

struct Check<'a> {
    old: Side<'a>,
    new: Side<'a>,
    /// The pairs of messages that were compared.
    seen: BTreeSet<(Arc<str>, Arc<str>)>,
    found: Vec<String>,
}

impl<'a> Check<'a> {
    fn kind(&mut self, before: &Kind, after: Option<&Kind>) {
        let replaced = before.replacement.as_ref().map(|it| self.new.short(&it.value));
        if let Some(name) = replaced.filter(|it| **it != *before.name) {
            return self.differs(&before.name, "", &format!("`{name}`"));
        }
        let Some(after) = after else { return };
        let known = patterns(after);
        for lost in patterns(before).into_iter().filter(|it| !known.contains(it)) {
            let version = self.versions().1;
            self.found.push(format!("`{lost}` is no name of `{}` in {version}", before.name));
        }
        self.messages(&before.name, &before.name, &after.name);
    }

    fn messages(&mut self, path: &str, before: &Arc<str>, after: &Arc<str>) {
        let (Some(old), Some(new)) = (self.old.schema, self.new.schema) else { return };
        let found = |schema: &'a Schema, name: &Arc<str>| schema.messages.get(name).filter(|it| !it.open);
        let (Some(old), Some(new)) = (found(old, before), found(new, after)) else { return };
        if !self.seen.insert((before.clone(), after.clone())) {
            return;
        }
        let named: BTreeMap<&str, &Field> = new.fields.iter().map(|it| (&*it.name, it)).collect();
        for field in &old.fields {
            let path = format!("{path}.{}", field.name);
            match named.get(&*field.name) {
                Some(other) => self.field(&path, field, other),
                None => self.renamed(&path, field, old, new),
            }
        }
    }

    /// A field that has another name in the new version: both are found by their number.
    fn renamed(&mut self, path: &str, field: &Field, old: &Message, new: &Message) {
        let same = |it: &&Field| it.number == field.number && types::full(it) == types::full(field);
        let is_known = |name: &str| old.fields.iter().any(|it| &*it.name == name);
        let other = new.fields.iter().find(same).filter(|it| field.number.is_some() && !is_known(&it.name));
        if let Some(other) = other {
            self.differs(path, "", &format!("`{}`", other.name));
        }
    }

    fn field(&mut self, path: &str, before: &Field, after: &Field) {
        if cardinality(before) != cardinality(after) {
            return self.differs(path, &types::full(before), &types::full(after));
        }
        match (&before.ty, &after.ty) {
            (FieldType::Message(old), FieldType::Message(new)) => self.messages(path, old, new),
            (FieldType::Enum(old), FieldType::Enum(new)) => self.values(path, old, new),
            (old, new) if old == new => self.target(path, before, after),
            _ => self.differs(path, &types::full(before), &types::full(after)),
        }
    }

    fn values(&mut self, path: &str, before: &Arc<str>, after: &Arc<str>) {
        let values = |side: Side<'a>, name: &Arc<str>| side.schema.and_then(|it| it.enums.get(name));
        let (Some(old), Some(new)) = (values(self.old, before), values(self.new, after)) else { return };
        let lost = old.values.iter().filter(|(value, _)| !new.values.iter().any(|(it, _)| it == value));
        let version = self.versions().1;
        self.found.extend(lost.map(|(value, _)| format!("`{value}` is no value of `{path}` in {version}")));
    }

    fn target(&mut self, path: &str, before: &Field, after: &Field) {
        let target = |side: Side<'_>, field: &Field| match &field.meaning {
            Some(Meaning::Reference { resource, .. }) => {
                side.services.find(side.service, resource).map(|it| side.services.type_name(it))
            }
            _ => None,
        };
        let (old, new) = (target(self.old, before), target(self.new, after));
        if let (Some(old), Some(new)) = (old, new)
            && old != new
        {
            self.differs(path, &format!("a reference to `{old}`"), &format!("one to `{new}`"));
        }
    }

    fn differs(&mut self, what: &str, before: &str, after: &str) {
        let (old, new) = self.versions();
        let before = if before.is_empty() { format!("of {old}") } else { format!("is {before} in {old}") };
        let and = if before.starts_with("of") { "is" } else { "and" };
        self.found.push(format!("`{what}` {before} {and} {after} in {new}"));
    }

    fn versions(&self) -> (&'a str, &'a str) {
        let version = |side: Side<'a>| side.own().map_or("", |it| &*it.version);
        (version(self.old), version(self.new))
    }
}

/// The number of values of a field: `optional` says only what its absence means.
const fn cardinality(field: &Field) -> Cardinality {
    match field.cardinality {
        Cardinality::Optional => Cardinality::One,
        other => other,
    }
}
