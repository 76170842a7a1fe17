use std::collections::BTreeSet;

use super::{
    Change, ChangeClass, ChangeKind, Side,
    pairs::{self, KindPairs},
    routes,
};
use crate::{Api, Method, RoutingRule, skeleton::Paths};

/// A method of both versions.
#[derive(Clone, Copy, Debug)]
pub(super) struct MethodPair<'a> {
    pub(super) item: &'a str,
    pub(super) before: &'a Method,
    pub(super) after: &'a Method,
}

impl MethodPair<'_> {
    pub(super) fn change(self, kind: ChangeKind, class: ChangeClass) -> Change {
        Change::new(kind, class, self.item).at(self.before.span, self.after.span)
    }
}

/// Adds the changes in the methods. Returns those of the specification that both versions have, the old one first.
pub(super) fn compare<'a>(
    kinds: &KindPairs<'_>,
    old: Side<'a>,
    new: Side<'a>,
    changes: &mut Vec<Change>,
) -> Vec<(&'a Method, &'a Method)> {
    let both = pair(kinds, old, new, changes);
    for (before, method, api, paired) in &both {
        let item = item(before, method);
        let pair = MethodPair { item: &item, before: method, after: paired };
        renamed(pair, api, kinds, old, changes);
        method_values(pair, kinds, (old, new), changes);
        routes::compare(pair, old, new, changes);
    }
    let custom = both.iter().filter(|(_, it, ..)| it.standard.is_none());
    custom.map(|(_, before, _, after)| (*before, *after)).collect()
}

/// A method with its group, in the old version and in the new one.
type Both<'a> = (&'a Api, &'a Method, &'a Api, &'a Method);

/// The methods of both versions; the others are changes.
fn pair<'a>(kinds: &KindPairs<'_>, old: Side<'a>, new: Side<'a>, changes: &mut Vec<Change>) -> Vec<Both<'a>> {
    let (mut apis, mut both) = (BTreeSet::new(), Vec::new());
    for before in pairs::apis(old) {
        let Some(after) = pairs::api(before, kinds, old, new) else {
            let change = Change::new(ChangeKind::ApiRemoved, ChangeClass::Breaking, &*before.name);
            changes.push(change.at(place(before), None));
            continue;
        };
        apis.insert(&*after.name);
        for method in &before.methods {
            match pairs::method(method, after, new) {
                Some((api, paired)) => both.push((before, method, api, paired)),
                None => changes.push(removed(before, method)),
            }
        }
    }
    let (known, unknown): (Vec<&Api>, Vec<&Api>) = pairs::apis(new).partition(|it| apis.contains(&*it.name));
    changes.extend(
        unknown.into_iter().map(|it| {
            Change::new(ChangeKind::ApiAdded, ChangeClass::Compatible, &*it.name).at(None, place(it))
        }),
    );
    let found: BTreeSet<(&str, &str)> = both.iter().map(|(_, _, api, it)| (&*api.name, &*it.name)).collect();
    for api in known {
        let is_new = |it: &&Method| !found.contains(&(&*api.name, &*it.name));
        changes.extend(api.methods.iter().filter(is_new).map(|it| added(api, it)));
    }
    both
}

fn item(api: &Api, method: &Method) -> String {
    format!("{}/{}", api.name, method.name)
}

fn place(api: &Api) -> Option<diag::Span> {
    api.methods.first().map(|it| it.span)
}

fn removed(api: &Api, method: &Method) -> Change {
    let change = Change::new(ChangeKind::MethodRemoved, ChangeClass::Breaking, item(api, method));
    change.at(method.span, None)
}

fn added(api: &Api, method: &Method) -> Change {
    let change = Change::new(ChangeKind::MethodAdded, ChangeClass::Compatible, item(api, method));
    change.at(None, method.span)
}

/// Standard methods are named after their kind.
fn renamed(pair: MethodPair<'_>, api: &Api, kinds: &KindPairs<'_>, old: Side<'_>, changes: &mut Vec<Change>) {
    let (before, after) = (pair.before, pair.after);
    let group = pair.item.split('/').next().unwrap_or_default();
    let kind = old.kind_of(before).map_or("", |it| &it.name);
    let is_moved = group != &*api.name && kinds.renamed(kind) == kind;
    if before.name == after.name && !is_moved {
        return;
    }
    let follows = before.standard.is_some();
    let class = if follows { ChangeClass::FollowsNames } else { ChangeClass::Breaking };
    changes.push(pair.change(ChangeKind::MethodRenamed, class).values(pair.item, item(api, after)));
}

/// A value of a method as text.
type Text<'a> = &'a dyn Fn(&Method) -> String;

fn method_values(
    pair: MethodPair<'_>,
    kinds: &KindPairs<'_>,
    (old, new): (Side<'_>, Side<'_>),
    changes: &mut Vec<Change>,
) {
    permission(pair, changes);
    if pair.before.standard.is_some() {
        return;
    }
    types(pair, kinds, changes);
    operated(pair, kinds, (old, new), changes);
    paths(pair, changes);
    let flag = |it: bool| it.to_string();
    use {ChangeClass as C, ChangeKind as K};
    let rows: [(K, C, Text<'_>); 8] = [
        (K::VerbChanged, C::Breaking, &|it| it.verb.to_string()),
        (K::ClientStreamingChanged, C::Breaking, &|it| flag(it.client_streaming)),
        (K::ServerStreamingChanged, C::Breaking, &|it| flag(it.server_streaming)),
        (K::CollectionMethodChanged, C::Breaking, &|it| flag(it.is_collection)),
        (K::PluralMethodChanged, C::Breaking, &|it| flag(it.is_plural)),
        (K::TransactionChanged, C::Unlisted, &|it| it.transaction.as_str().to_owned()),
        (K::ReadOnlyChanged, C::Unlisted, &|it| flag(it.read_only)),
        (K::RoutingChanged, C::Unlisted, &|it| routing(&it.routing)),
    ];
    for (kind, class, text) in rows {
        let (from, to) = (text(pair.before), text(pair.after));
        if from != to {
            changes.push(pair.change(kind, class).values(from, to));
        }
    }
}

/// It consists of collection and verb.
fn permission(pair: MethodPair<'_>, changes: &mut Vec<Change>) {
    let (from, to) = (&pair.before.permission, &pair.after.permission);
    if from != to {
        let change = pair.change(ChangeKind::PermissionChanged, ChangeClass::FollowsNames);
        changes.push(change.values(&**from, &**to));
    }
}

/// A type that is named after the method or the kind has another name with them.
fn types(pair: MethodPair<'_>, kinds: &KindPairs<'_>, changes: &mut Vec<Change>) {
    let (before, after) = (pair.before, pair.after);
    let rows = [
        (ChangeKind::RequestTypeChanged, "Request", &before.request, &after.request),
        (ChangeKind::ResponseTypeChanged, "Response", &before.response, &after.response),
    ];
    for (kind, suffix, from, to) in rows.into_iter().filter(|(_, _, from, to)| from != to) {
        let is_default = |method: &Method, ty: &str| ty.strip_suffix(suffix) == Some(&*method.name);
        let follows = (is_default(before, from) && is_default(after, to)) || kinds.is_renamed(from, to);
        let class = if follows { ChangeClass::FollowsNames } else { ChangeClass::Breaking };
        changes.push(pair.change(kind, class).values(&**from, &**to));
    }
}

fn operated(
    pair: MethodPair<'_>,
    kinds: &KindPairs<'_>,
    (old, new): (Side<'_>, Side<'_>),
    changes: &mut Vec<Change>,
) {
    let from = pair.before.kind.map_or_else(String::new, |it| old.name_of(it));
    let to = pair.after.kind.map_or_else(String::new, |it| new.name_of(it));
    if kinds.renamed(&from) != to {
        let change = pair.change(ChangeKind::OperatedResourceChanged, ChangeClass::Breaking);
        changes.push(change.values(from, to));
    }
}

/// Only paths that a specification writes: the others follow from the kind.
fn paths(pair: MethodPair<'_>, changes: &mut Vec<Change>) {
    let rows = [
        (ChangeKind::RequestPathsChanged, &pair.before.request_paths, &pair.after.request_paths),
        (ChangeKind::ResponsePathsChanged, &pair.before.response_paths, &pair.after.response_paths),
    ];
    for (kind, before, after) in rows {
        let (from, to) = (path_list(before), path_list(after));
        if from != to && (before.span.is_some() || after.span.is_some()) {
            changes.push(pair.change(kind, ChangeClass::Breaking).values(from, to));
        }
    }
}

fn path_list(paths: &Paths) -> String {
    let groups =
        [("name", &paths.resource_name), ("body", &paths.resource_body), ("parent", &paths.resource_parent)];
    let texts =
        groups.iter().flat_map(|(group, it)| it.iter().map(move |it| format!("{group} {}", it.value)));
    texts.collect::<Vec<_>>().join(", ")
}

fn routing(rule: &RoutingRule) -> String {
    let flags = [("owning region", rule.execute_on_owning_region), ("skip generated", rule.skip_generated)];
    let lists =
        [("resources", &rule.resource_paths), ("scopes", &rule.scope_paths), ("regions", &rule.region_paths)];
    let flags = flags.iter().filter(|(_, it)| *it).map(|(name, _)| (*name).to_owned());
    let lists = lists.iter().filter(|(_, it)| !it.is_empty());
    let lists = lists.map(|(name, it)| format!("{name} {}", it.join(" ")));
    flags.chain(lists).collect::<Vec<_>>().join(", ")
}
