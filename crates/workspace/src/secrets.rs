use std::{cmp::Reverse, collections::BTreeSet};

use diag::{TextEdit, order};
use links::{Profile, expose};
use model::{Data, HIDDEN, Redactor, SHORTEST_CONTAINED, Value, is_secret_name};
use serde_json::Value as Json;
use syntax::{Node, NodeData};
use types::{Trail, Types};

use crate::{File, file::ReadFile, json::value_to_json, named, pipeline::Model};

/// The texts of all values that must not be shown: those that a file writes, be it that a later one replaces them, and
/// those that something took from another place.
pub(crate) fn all(files: &[ReadFile], model: &Model, types: &Types) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for root in files.iter().filter_map(|it| it.document().root.as_ref()) {
        written(Trail::root(types), root, &mut |_, text| {
            found.insert(text);
        });
    }
    for resource in &model.lowered.desired.resources {
        let trail = types.kind(&resource.kind).map(|it| Trail::object(types, it));
        types::secrets(trail, &resource.spec, &mut |text| {
            found.insert(text.to_owned());
        });
    }
    found.remove("");
    found
}

/// A redactor that removes the secrets of the deployment from texts and values: those of resources and of other merged
/// values, and those that providers of links hold under a name that indicates a secret.
pub fn redactor(model: &Model, types: &Types) -> Redactor {
    let mut redactor = Redactor::default();
    written(Trail::root(types), &model.merged.root, &mut |_, text| {
        redactor.add(&text);
    });
    let deployments = &model.lowered.linking.site.deployments;
    for provider in deployments.iter().flat_map(|it| &it.providers) {
        let mut properties = expose(&provider.exposure, Profile::default()).properties;
        hide_named(&mut properties);
        types::secrets(None, &properties, &mut |text| {
            redactor.add(text);
        });
    }
    for resource in &model.lowered.desired.resources {
        let trail = types.kind(&resource.kind).map(|it| Trail::object(types, it));
        types::secrets(trail, &resource.spec, &mut |text| {
            redactor.add(text);
        });
    }
    redactor
}

/// The files without secrets, to be given to others: each secret is replaced by [`HIDDEN`], also where it was copied
/// to, such as into a comment.
pub(crate) fn without(files: &[ReadFile], model: &Model, types: &Types) -> Vec<File> {
    let mut redactor = Redactor::default();
    for secret in all(files, model, types) {
        redactor.add(&secret);
    }
    let shared = |file: &ReadFile| {
        let (text, mut edits) = (file.text(), Vec::new());
        if let Some(root) = &file.document().root {
            written(Trail::root(types), root, &mut |node, _| edits.push(hidden(text, node)));
        }
        let text = redactor.text(&diag::apply_edits(text, &edits)).into_owned();
        File { text, ..file.to_file() }
    };
    files.iter().map(shared).collect()
}

/// The files as they may be shown: a secret is as many `*` as it has bytes, so that each place stays where it is.
pub(crate) fn masked(files: &[ReadFile], model: &Model, types: &Types) -> Vec<File> {
    let mut secrets: Vec<String> = all(files, model, types).into_iter().collect();
    secrets.retain(|it| it.chars().count() >= SHORTEST_CONTAINED);
    order::by_key(&mut secrets, |it| Reverse(it.len()));
    let shown = |file: &ReadFile| {
        let (mut text, mut places) = (file.text().to_string(), Vec::new());
        let document = file.document();
        if let Some(root) = &document.root {
            let mut hide = |node: &Node| places.push(node.span.start as usize..node.span.end as usize);
            written(Trail::root(types), root, &mut |node, _| hide(node));
            called(root, false, &mut hide);
        }
        if file.of_text().is_none() {
            places.extend(named::secrets(&text, document.partial));
        }
        for range in places {
            if let Some(stars) = text.get(range.clone()).map(stars) {
                text.replace_range(range, &stars);
            }
        }
        for secret in &secrets {
            text = text.replace(secret, &stars(secret));
        }
        File { text, ..file.to_file() }
    };
    files.iter().map(shown).collect()
}

/// Gives each scalar under a key whose name says that it is a secret, wherever that stands.
fn called(node: &Node, is_secret: bool, found: &mut dyn FnMut(&Node)) {
    match &node.data {
        NodeData::Mapping(mapping) => {
            let entries = mapping.entries.iter();
            entries.for_each(|it| called(&it.value, is_secret || is_secret_name(&it.key), found));
        }
        NodeData::Sequence(items) => items.iter().for_each(|it| called(it, is_secret, found)),
        NodeData::Int(_) | NodeData::Float(_) | NodeData::String(..) if is_secret => found(node),
        _ => {}
    }
}

/// As many `*` as there are bytes; lines stay lines.
fn stars(text: &str) -> String {
    text.bytes().map(|it| if it == b'\n' { '\n' } else { '*' }).collect()
}

/// The edit that hides a node. A block of lines ends with a line feed, which the text after it needs.
fn hidden(text: &str, node: &Node) -> TextEdit {
    let span = node.span;
    let is_line = text.get(span.start as usize..span.end as usize).is_some_and(|it| it.ends_with('\n'));
    let end = if is_line { "\n" } else { "" };
    TextEdit { span, new_text: format!("\"{HIDDEN}\"{end}") }
}

/// Marks as sensitive each value under a key whose name indicates a secret, with everything in it. A mere reference,
/// such as `((password))` in a manifest of BOSH, is no secret yet.
fn hide_named(value: &mut Value) {
    mark(value, false);
}

fn mark(value: &mut Value, is_secret: bool) {
    match &mut value.data {
        Data::List(items) => items.iter_mut().for_each(|it| mark(it, is_secret)),
        Data::Map(map) => map.iter_mut().for_each(|(key, it)| mark(it, is_secret || is_secret_name(key))),
        Data::String(text) if text.starts_with("((") && text.ends_with("))") => {}
        Data::String(_) | Data::Int(_) | Data::Float(_) => value.sensitive |= is_secret,
        Data::Null | Data::Bool(_) | Data::Unknown(_) => {}
    }
}

/// A part of a link as it is shown; `redactor` knows the secrets.
pub fn link_to_json(mut value: Value, redactor: &Redactor) -> Json {
    hide_in_link(&mut value, redactor);
    value_to_json(&value)
}

/// Marks the values that a part of a link must not show: those that are named as a secret, and those that hold one.
pub fn hide_in_link(value: &mut Value, redactor: &Redactor) {
    hide_named(value);
    redactor.taint(value);
}

/// Gives each scalar that must not be shown, and its text.
fn written(trail: Trail<'_>, node: &Node, found: &mut dyn FnMut(&Node, String)) {
    match &node.data {
        NodeData::Mapping(mapping) => {
            mapping.entries.iter().for_each(|it| written(trail.step(&it.key), &it.value, found));
        }
        NodeData::Sequence(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, it)| written(trail.step(&index.to_string()), it, found));
        }
        NodeData::Null | NodeData::Bool(_) => {}
        _ if !trail.is_sensitive() => {}
        NodeData::Int(it) => found(node, it.to_string()),
        NodeData::Float(it) => found(node, it.to_string()),
        NodeData::String(text, _) => found(node, text.to_string()),
    }
}
