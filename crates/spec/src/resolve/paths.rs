//! The fields that name resources in requests and responses, when the specification does not say.

use std::sync::Arc;

use diag::Span;

use crate::{
    Kind, Spanned, StandardMethod,
    skeleton::{Paths, Text},
    words::snake,
};

/// Places in a request of a standard method (source: Goten's guide).
pub(super) fn of_request(method: StandardMethod, kind: &Kind) -> Paths {
    let text = |it: &str| at(kind.span, it);
    let parent = || if has_parents(kind) { text("parent") } else { Vec::new() };
    let body = || text(&snake(&kind.name));
    match method {
        StandardMethod::Get | StandardMethod::Watch | StandardMethod::Delete => {
            Paths { resource_name: text("name"), ..Paths::default() }
        }
        StandardMethod::BatchGet => Paths { resource_name: text("names"), ..Paths::default() },
        StandardMethod::List | StandardMethod::WatchCollection | StandardMethod::Search => {
            Paths { resource_parent: parent(), ..Paths::default() }
        }
        StandardMethod::Create => {
            Paths { resource_body: body(), resource_parent: parent(), ..Paths::default() }
        }
        StandardMethod::Update => Paths { resource_body: body(), ..Paths::default() },
    }
}

/// Places in a response of a standard method.
pub(super) fn of_response(method: StandardMethod, kind: &Kind) -> Paths {
    let text = |it: &str| at(kind.span, it);
    match method {
        StandardMethod::Get | StandardMethod::Create | StandardMethod::Update => {
            Paths { resource_name: text("name"), ..Paths::default() }
        }
        StandardMethod::BatchGet | StandardMethod::List | StandardMethod::Search => {
            Paths { resource_body: text(&snake(&kind.plural)), ..Paths::default() }
        }
        StandardMethod::Watch => Paths { resource_body: text("change"), ..Paths::default() },
        StandardMethod::WatchCollection => {
            Paths { resource_body: text(&format!("{}_changes", snake(&kind.name))), ..Paths::default() }
        }
        StandardMethod::Delete => Paths::default(),
    }
}

/// Places in a request of a method of the specification.
pub(super) fn of_custom(is_collection: bool, is_plural: bool, kind: &Kind, span: Span) -> Paths {
    match (is_collection, is_plural) {
        (true, _) if has_parents(kind) => Paths { resource_parent: at(span, "parent"), ..Paths::default() },
        (true, _) => Paths::default(),
        (false, true) => Paths { resource_name: at(span, "names"), ..Paths::default() },
        (false, false) => Paths { resource_name: at(span, "name"), ..Paths::default() },
    }
}

/// True if names of a kind can have something before the kind's own segment.
pub(super) fn has_parents(kind: &Kind) -> bool {
    kind.patterns.0.iter().any(|it| it.segments().len() > 1)
}

fn at(span: Span, path: &str) -> Vec<Text> {
    vec![Spanned::new(Arc::from(path), span)]
}
