//! `google.api.http`: the HTTP requests that call a method.

use std::sync::Arc;

use serde::Serialize;

use crate::{aggregate::Entry, decode::Decoder};

/// An HTTP request that calls a method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HttpRule {
    /// The method of HTTP: `GET`.
    pub method: Arc<str>,
    /// The template of its path.
    pub path: Arc<str>,
    /// The field that its body is; `*` for all that are not in the path, empty for none.
    pub body: Arc<str>,
}

const FIELDS: [&str; 10] = [
    "selector",
    "get",
    "put",
    "post",
    "delete",
    "patch",
    "custom",
    "body",
    "response_body",
    "additional_bindings",
];

/// Reads a rule, and after it those of its `additional_bindings`.
pub(super) fn read(option: &Entry, rules: &mut Vec<HttpRule>, decoder: &mut Decoder<'_>) {
    let mut rule = HttpRule::default();
    let mut additional = Vec::new();
    for field in decoder.body(option) {
        match &*field.name {
            "get" | "put" | "post" | "delete" | "patch" => {
                rule.method = field.name.to_ascii_uppercase().into();
                decoder.set(field, &mut rule.path);
            }
            "custom" => custom(field, &mut rule, decoder),
            "body" => decoder.set(field, &mut rule.body),
            "selector" | "response_body" => drop(decoder.text(field)),
            "additional_bindings" => read(field, &mut additional, decoder),
            _ => decoder.unknown(field, "google.api.http", &FIELDS),
        }
    }
    if rule.method.is_empty() {
        decoder.misplaced(option.at, "the rule has no HTTP method", "add `get`, `post` or another one");
    } else {
        rules.push(rule);
    }
    rules.append(&mut additional);
}

fn custom(option: &Entry, rule: &mut HttpRule, decoder: &mut Decoder<'_>) {
    for field in decoder.body(option) {
        match &*field.name {
            "kind" => decoder.set(field, &mut rule.method),
            "path" => decoder.set(field, &mut rule.path),
            _ => decoder.unknown(field, "custom", &["kind", "path"]),
        }
    }
}
