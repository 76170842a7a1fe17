//! Routes of methods. They contain names, so they change whenever patterns do; such a change is not counted again
//! (source: Goten's tools).

use std::collections::BTreeSet;

use super::{Change, ChangeClass, ChangeKind, Side, kinds::patterns, methods::MethodPair};
use crate::{Method, Route};

pub(super) fn compare(pair: MethodPair<'_>, old: Side<'_>, new: Side<'_>, changes: &mut Vec<Change>) {
    let (before, after) = (paths(pair.before, old), paths(pair.after, new));
    if before != after {
        let (from, to) = texts(&before, &after);
        let class = class(pair, (old, &before), (new, &after));
        changes.push(pair.change(ChangeKind::HttpPaths, class).values(from, to));
    }
    body(pair, changes);
}

/// Method and path, without the version.
type Paths<'a> = Vec<(&'a str, String)>;

fn paths<'a>(method: &'a Method, side: Side<'_>) -> Paths<'a> {
    method.routes.iter().map(|it| (&*it.method, side.without_version(&it.path))).collect()
}

/// The paths; with their HTTP methods only if these differ.
fn texts(before: &Paths<'_>, after: &Paths<'_>) -> (String, String) {
    let verbs: BTreeSet<&str> = before.iter().chain(after).map(|it| it.0).collect();
    let one = |(verb, path): &(&str, String)| match verbs.len() {
        1 => path.clone(),
        _ => format!("{verb} {path}"),
    };
    let list = |it: &Paths<'_>| it.iter().map(one).collect::<Vec<_>>().join(", ");
    (list(before), list(after))
}

fn class(
    pair: MethodPair<'_>,
    (old, before): (Side<'_>, &Paths<'_>),
    (new, after): (Side<'_>, &Paths<'_>),
) -> ChangeClass {
    if pair.before.verb != pair.after.verb || are_names_changed(pair, old, new) {
        let shapes = |method: &Method, side: Side<'_>, paths: &Paths<'_>| -> BTreeSet<(String, Shape)> {
            paths.iter().map(|(verb, path)| ((*verb).to_owned(), shape(path, method, side))).collect()
        };
        if shapes(pair.before, old, before) == shapes(pair.after, new, after) {
            return ChangeClass::FollowsNames;
        }
    }
    let urls = |it: &Paths<'_>| -> BTreeSet<String> {
        it.iter().map(|(verb, path)| format!("{verb} {}", url(path))).collect()
    };
    let (olds, news) = (urls(before), urls(after));
    match (olds.is_subset(&news), news.is_subset(&olds)) {
        (true, true) => ChangeClass::Unlisted,
        (true, false) => ChangeClass::Compatible,
        (false, _) => ChangeClass::Breaking,
    }
}

fn are_names_changed(pair: MethodPair<'_>, old: Side<'_>, new: Side<'_>) -> bool {
    match (old.kind_of(pair.before), new.kind_of(pair.after)) {
        (Some(before), Some(after)) => patterns(before) != patterns(after),
        _ => false,
    }
}

/// The part of a path that does not come from names.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    last: Last,
    suffix: Option<Suffix>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Last {
    Name,
    Collection,
    Other(String),
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Suffix {
    Verb,
    Other(String),
}

fn shape(path: &str, method: &Method, side: Side<'_>) -> Shape {
    let (path, suffix) = match path.rsplit_once(':') {
        Some((path, suffix)) if !suffix.contains(['/', '}']) => (path, Some(suffix)),
        _ => (path, None),
    };
    let collection = side.kind_of(method).map(|it| &*it.collection);
    let last = if path.ends_with('}') {
        Last::Name
    } else {
        let segment = path.rsplit('/').next().unwrap_or_default();
        if Some(segment) == collection { Last::Collection } else { Last::Other(segment.to_owned()) }
    };
    let suffix = suffix.map(|it| match it == &*method.verb {
        true => Suffix::Verb,
        false => Suffix::Other(it.to_owned()),
    });
    Shape { last, suffix }
}

/// A path as requests have it: `{parent=projects/*}` is `projects/*`.
fn url(path: &str) -> String {
    let (mut url, mut rest) = (String::new(), path);
    while let Some((before, variable)) = rest.split_once('{') {
        let (inside, after) = variable.split_once('}').unwrap_or((variable, ""));
        url.push_str(before);
        url.push_str(inside.split_once('=').map_or("*", |(_, pattern)| pattern));
        rest = after;
    }
    url + rest
}

/// Only the first route has one.
fn body(pair: MethodPair<'_>, changes: &mut Vec<Change>) {
    let of = |it: &Method| it.routes.first().map(|it: &Route| it.body.clone()).unwrap_or_default();
    let (from, to) = (of(pair.before), of(pair.after));
    if from != to {
        let follows = pair.before.standard.is_some();
        let class = if follows { ChangeClass::FollowsNames } else { ChangeClass::Breaking };
        changes.push(pair.change(ChangeKind::HttpBodyChanged, class).values(&*from, &*to));
    }
}

#[cfg(test)]
mod tests {
    use super::url;

    #[test]
    fn variables_are_not_part_of_urls() {
        let rows = [
            ("/{parent=projects/*}/plans:watch", "/projects/*/plans:watch"),
            ("/{name}", "/*"),
            ("/plans", "/plans"),
            ("/{a=b/*}/c/{d=e/*}", "/b/*/c/e/*"),
        ];
        for (path, expected) in rows {
            assert_eq!(url(path), expected);
        }
    }
}
