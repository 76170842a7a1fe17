//! The kinds and methods that are the same in two versions.

use std::collections::BTreeMap;

use super::{Change, ChangeClass, ChangeKind, Side};
use crate::{Api, Kind, Method, skeleton::Text};

/// Kinds of both versions that are one, and those that are only in one of them.
#[derive(Debug, Default)]
pub(super) struct KindPairs<'a> {
    pub(super) both: Vec<(&'a Kind, &'a Kind)>,
    pub(super) removed: Vec<&'a Kind>,
    pub(super) added: Vec<&'a Kind>,
    /// Mergers and splits.
    pub(super) changes: Vec<Change>,
}

impl KindPairs<'_> {
    /// The new name of an old kind.
    pub(super) fn renamed<'n>(&'n self, old: &'n str) -> &'n str {
        self.both.iter().find(|(it, _)| &*it.name == old).map_or(old, |(_, new)| &new.name)
    }

    /// The new name of an old message, which may be inside that of a kind: `Pod.Spec`.
    pub(super) fn renamed_message(&self, old: &str) -> String {
        match old.split_once('.') {
            Some((kind, rest)) => format!("{}.{rest}", self.renamed(kind)),
            None => self.renamed(old).to_owned(),
        }
    }

    /// True if it is another name of the same kind.
    pub(super) fn is_renamed(&self, old: &str, new: &str) -> bool {
        old != new && self.renamed(old) == new
    }
}

/// Pairs kinds by the replacement that the old one names, or else by name.
pub(super) fn kinds<'a>(old: Side<'a>, new: Side<'a>) -> KindPairs<'a> {
    let mut pairs = KindPairs::default();
    let (Some(before), Some(after)) = (old.own(), new.own()) else { return pairs };
    let mut sources: BTreeMap<&str, Vec<&'a Kind>> = BTreeMap::new();
    for kind in before.kinds.iter().filter(|it| !it.name.is_empty()) {
        match target(kind, &after.kinds, new, &mut pairs.changes) {
            Some(found) => sources.entry(&found.name).or_default().push(kind),
            None => pairs.removed.push(kind),
        }
    }
    for kind in after.kinds.iter().filter(|it| !it.name.is_empty()) {
        match sources.remove(&*kind.name) {
            None => pairs.added.push(kind),
            Some(olds) => {
                pairs.changes.extend(merged(&olds, kind));
                let same = olds.iter().find(|it| it.name == kind.name).or(olds.first());
                pairs.both.extend(same.map(|it| (*it, kind)));
            }
        }
    }
    pairs
}

fn target<'a>(kind: &Kind, after: &'a [Kind], new: Side<'_>, changes: &mut Vec<Change>) -> Option<&'a Kind> {
    let named = |name: &str| after.iter().find(|it| &*it.name == name);
    let same = named(&kind.name);
    let replaced = kind.replacement.as_ref().and_then(|it| named(new.short(&it.value)));
    let replaced = replaced.filter(|it| it.name != kind.name);
    match (same, replaced) {
        (Some(same), Some(replaced)) => {
            let both = format!("{}, {}", same.name, replaced.name);
            changes.push(
                Change::new(ChangeKind::ResourceSplit, ChangeClass::Unsupported, &*kind.name)
                    .values(&*kind.name, both)
                    .at(kind.span, replaced.span),
            );
            Some(same)
        }
        (same, replaced) => replaced.or(same),
    }
}

fn merged(olds: &[&Kind], new: &Kind) -> Option<Change> {
    let first = olds.first().filter(|_| olds.len() > 1)?;
    let names: Vec<&str> = olds.iter().map(|it| &*it.name).collect();
    let change = Change::new(ChangeKind::ResourcesMerged, ChangeClass::Unsupported, &*new.name);
    Some(change.values(names.join(", "), &*new.name).at(first.span, new.span))
}

/// The groups of methods of both versions that are one: those of the same kind, or of the same name.
pub(super) fn api<'a>(api: &Api, kinds: &KindPairs<'_>, old: Side<'_>, new: Side<'a>) -> Option<&'a Api> {
    let kind = api.kind.and_then(|it| old.own()?.kinds.get(it));
    let renamed = kind.map(|it| format!("{}Service", kinds.renamed(&it.name)));
    let name = renamed.as_deref().unwrap_or(&api.name);
    new.own()?.apis.iter().find(|it| &*it.name == name)
}

/// The method that replaces one: the same standard method, the replacement that it names, or one of the same name.
pub(super) fn method<'a>(method: &Method, api: &'a Api, new: Side<'a>) -> Option<(&'a Api, &'a Method)> {
    if let Some(standard) = method.standard {
        return api.methods.iter().find(|it| it.standard == Some(standard)).map(|it| (api, it));
    }
    let replaced = method.replacement.as_ref().and_then(|it| replacement(it, api, new));
    let custom = || api.methods.iter().find(|it| it.standard.is_none() && it.name == method.name);
    replaced.or_else(|| custom().map(|it| (api, it)))
}

/// `NewMethod` of the same group, or `NewGroup/NewMethod`, in which the group is written with or without `Service`.
pub(super) fn replacement<'a>(name: &Text, api: &'a Api, new: Side<'a>) -> Option<(&'a Api, &'a Method)> {
    let (group, name) = match name.value.rsplit_once('/') {
        Some((group, name)) => (Some(group), name),
        None => (None, &*name.value),
    };
    let full = group.map(|it| format!("{it}Service"));
    let is_group = |it: &&Api| Some(&*it.name) == group || Some(&*it.name) == full.as_deref();
    let api = match group {
        Some(_) => new.own()?.apis.iter().find(is_group)?,
        None => api,
    };
    Some((api, api.methods.iter().find(|it| &*it.name == name)?))
}

/// The groups of methods of a version.
pub(super) fn apis(side: Side<'_>) -> impl Iterator<Item = &Api> {
    side.own().map(|it| it.apis.iter()).into_iter().flatten()
}
