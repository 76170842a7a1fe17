//! Completions. They are computed from the lines before the cursor, because incomplete YAML has no tree.

use std::sync::Arc;

use diag::{Location, Source, order};
use types::{Edge, KeyInfo, SchemaNode, Shape, Trail, Types};

use crate::{
    capability::{Capability, Offer},
    offers,
    pipeline::Model,
    place::{Segment, canonical, type_place},
    view::{CompletionKind, CompletionView, EditView, LocationView},
};

/// The context of the cursor.
#[derive(Debug, PartialEq, Eq)]
enum Context {
    /// A key that is being written, in the map at a path.
    Key { path: Vec<Segment>, prefix: String },
    /// A value that is being written.
    Value { path: Vec<Segment>, prefix: String },
    /// The inside of `${`, in the value at a path.
    Reference { path: Vec<Segment>, prefix: String },
}

/// The detail of values that a kind gives as examples.
const EXAMPLE: &str = "example";

/// The data that completions are computed from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'w> {
    pub(crate) model: &'w Model,
    pub(crate) types: &'w Types,
    pub(crate) capabilities: &'w [Box<dyn Capability>],
}

/// The completions at a position of a file.
pub(crate) fn complete(known: Known<'_>, source: &Source, at: Location) -> Vec<CompletionView> {
    let Known { model, types, .. } = known;
    let Some(context) = context(types, source, at) else { return Vec::new() };
    let replace = |prefix: &str| LocationView {
        file: source.name.to_string(),
        line: at.line,
        column: at.column.saturating_sub(prefix.chars().count() as u32).max(1),
        end_line: at.line,
        end_column: at.column,
    };
    match context {
        Context::Key { path, prefix } => keys(types, source, at, &path, &replace(&prefix)),
        Context::Value { path, prefix } => {
            let replace = replace(&prefix);
            let offers = offers::of_value(known, source, at, &path);
            let mut views = values(model, types, &path, &replace);
            // What is really there says more than an example.
            views.retain(|it| offers.is_empty() || it.detail != EXAMPLE);
            views.splice(0..0, offers.into_iter().map(|it| value_view(&it.value, &it.detail, &replace)));
            views
        }
        Context::Reference { path, prefix } => {
            let replace = replace(&prefix);
            let mut views = references(model, types, &prefix, &replace);
            views.extend(
                offers::of_reference(known, &path, &prefix).into_iter().map(|it| link_view(it, &replace)),
            );
            views
        }
    }
}

fn context(types: &Types, source: &Source, at: Location) -> Option<Context> {
    let line = source.line_text(at.line);
    let before: String = line.chars().take(at.column.saturating_sub(1) as usize).collect();
    if let Some(open) = before.rfind("${") {
        let inside = &before[open + 2..];
        if !inside.contains('}') && !before[..open].ends_with('$') {
            let path = enclosing(source, at.line, Line::read(&before).indent);
            return Some(Context::Reference { path: canonical(types, &path), prefix: inside.to_owned() });
        }
    }
    let trimmed = before.trim_start();
    if trimmed.starts_with('#') || trimmed.contains(" #") {
        return None;
    }
    let line = Line::read(&before);
    let mut path = enclosing(source, at.line, line.indent);
    if line.dashes > 0 {
        path.push(Segment::Item(0, diag::Span::default()));
    }
    match line.key {
        Some(key) => {
            path.push(Segment::Key(key.into()));
            let prefix = flow_prefix(&line.rest, &mut path);
            Some(Context::Value { path: canonical(types, &path), prefix })
        }
        None if line.dashes > 0 && !is_map_item(types, &path) => {
            Some(Context::Value { path: canonical(types, &path), prefix: line.rest })
        }
        None => Some(Context::Key { path: canonical(types, &path), prefix: line.rest }),
    }
}

fn is_map_item(types: &Types, path: &[Segment]) -> bool {
    !type_place(types, &canonical(types, path)).keys().is_empty()
}

/// The text of the value being written; in `[a, b` it is the last item, and an item is pushed onto `path`.
fn flow_prefix(rest: &str, path: &mut Vec<Segment>) -> String {
    match rest.rfind(['[', ',']) {
        Some(at) if rest.starts_with('[') => {
            path.push(Segment::Item(0, diag::Span::default()));
            rest[at + 1..].trim_start().to_owned()
        }
        _ => rest.to_owned(),
    }
}

/// The parts of a line that tell where it stands.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    /// Column of the first character after dashes.
    indent: usize,
    /// Column of the first character.
    outer: usize,
    dashes: usize,
    key: Option<String>,
    /// The text after the key, or the whole line.
    rest: String,
}

impl Line {
    fn read(text: &str) -> Self {
        let mut rest = text.trim_start_matches(' ');
        let outer = text.len() - rest.len();
        let mut dashes = 0;
        while let Some(after) =
            rest.strip_prefix("- ").or_else(|| rest.strip_prefix('-').filter(|it| it.is_empty()))
        {
            rest = after.trim_start_matches(' ');
            dashes += 1;
        }
        let indent = text.len() - rest.len();
        let (key, rest) = match split_key(rest) {
            Some((key, value)) => (Some(key), value.trim_start()),
            None => (None, rest),
        };
        Self { indent, outer, dashes, key, rest: rest.to_owned() }
    }
}

/// `key: value`, quotes around the key taken away.
fn split_key(text: &str) -> Option<(String, &str)> {
    if let Some(quote) = text.chars().next().filter(|it| matches!(it, '"' | '\'')) {
        let (key, rest) = text[1..].split_once(quote)?;
        return Some((key.to_owned(), rest.trim_start().strip_prefix(':')?));
    }
    let at = text.find(": ").or_else(|| text.strip_suffix(':').map(str::len))?;
    let key = text[..at].trim_end();
    (!key.is_empty() && !key.contains(['{', '[', '"'])).then(|| (key.to_owned(), &text[at + 1..]))
}

/// The keys and items around a line, by indentation.
fn enclosing(source: &Source, line: u32, indent: usize) -> Vec<Segment> {
    let mut path = Vec::new();
    let mut indent = indent;
    for number in (1..line).rev() {
        let text = source.line_text(number);
        if text.trim().is_empty() || text.trim_start().starts_with('#') {
            continue;
        }
        let above = Line::read(text.trim_end());
        let opens = above.key.is_some() && (above.rest.is_empty() || above.rest.starts_with(['#', '!', '&']));
        if above.indent < indent && opens {
            path.push(Segment::Key(Arc::from(above.key.unwrap_or_default())));
            indent = above.indent;
        }
        if above.dashes > 0 && above.outer < indent.max(1) && above.indent <= indent {
            path.push(Segment::Item(0, diag::Span::default()));
            indent = above.outer + 1;
        }
        if indent == 0 {
            break;
        }
    }
    path.reverse();
    path
}

fn keys(
    types: &Types,
    source: &Source,
    at: Location,
    path: &[Segment],
    replace: &LocationView,
) -> Vec<CompletionView> {
    let place = type_place(types, path);
    let taken = siblings(source, at);
    let free = place.keys().into_iter().filter(|key| !taken.contains(&key.name.to_string()));
    let mut views: Vec<CompletionView> =
        free.filter(|key| !key.output).map(|key| key_view(&key, at, replace)).collect();
    order::by_key(&mut views, |it| !it.detail.starts_with("needed"));
    views
}

/// The keys that stand in the same map already.
fn siblings(source: &Source, at: Location) -> Vec<String> {
    entries_beside(source, at).into_iter().map(|(key, _)| key).collect()
}

/// The keys that stand in the same map as the line, with the texts that follow them on their lines.
pub(crate) fn entries_beside(source: &Source, at: Location) -> Vec<(String, String)> {
    let before: String =
        source.line_text(at.line).chars().take(at.column.saturating_sub(1) as usize).collect();
    let indent = Line::read(&before).indent;
    let upward = (1..at.line).rev();
    let lines = (source.text.lines().count() as u32).max(at.line);
    let mut keys = take_entries(source, upward, indent);
    keys.extend(take_entries(source, at.line + 1..=lines, indent));
    keys
}

fn take_entries(source: &Source, lines: impl Iterator<Item = u32>, indent: usize) -> Vec<(String, String)> {
    let mut keys = Vec::new();
    for number in lines {
        let text = source.line_text(number);
        if text.trim().is_empty() || text.trim_start().starts_with('#') {
            continue;
        }
        let line = Line::read(text.trim_end());
        if line.indent < indent {
            break;
        }
        if line.indent == indent {
            keys.extend(line.key.map(|key| (key, line.rest)));
        }
    }
    keys
}

fn key_view(key: &KeyInfo<'_>, at: Location, replace: &LocationView) -> CompletionView {
    let indent = " ".repeat(replace.column.min(at.column).saturating_sub(1) as usize + 2);
    let after = match (key.holds_map, key.holds_list) {
        (true, false) => format!(":\n{indent}"),
        (false, true) => format!(":\n{indent}- "),
        _ => ": ".into(),
    };
    CompletionView {
        label: key.name.to_string(),
        kind: CompletionKind::Key,
        detail: if key.required { format!("needed · {}", key.phrase) } else { key.phrase.clone() },
        doc: key.doc.into(),
        edit: EditView { location: replace.clone(), new_text: format!("{}{after}", key.name) },
    }
}

fn values(model: &Model, types: &Types, path: &[Segment], replace: &LocationView) -> Vec<CompletionView> {
    let place = type_place(types, path);
    let mut views = Vec::new();
    if let Some(shape) = place.shape() {
        shape_values(model, types, path, shape, replace, &mut views);
    }
    if let SchemaNode::Field(field) = place {
        let examples = field.examples.iter().map(|it| value_view(it, EXAMPLE, replace));
        views.extend(examples);
    }
    views
}

fn shape_values(
    model: &Model,
    types: &Types,
    path: &[Segment],
    shape: &Shape,
    replace: &LocationView,
    views: &mut Vec<CompletionView>,
) {
    match shape {
        Shape::OneOf(texts) => views.extend(texts.iter().map(|it| value_view(it, "value", replace))),
        Shape::Boolean => views.extend(["true", "false"].map(|it| value_view(it, "value", replace))),
        Shape::Reference { to, edge } => {
            let own = path.get(1).filter(|_| !matches!(edge, Edge::Embed));
            views.extend(
                names(model, types, to)
                    .filter(|it| own != Some(&Segment::Key(Arc::clone(it))))
                    .map(|it| value_view(&it, to, replace)),
            );
        }
        Shape::Either(shapes) => {
            shapes.iter().for_each(|shape| shape_values(model, types, path, shape, replace, views));
        }
        Shape::List(item) => {
            let mut items = Vec::new();
            shape_values(model, types, path, item, replace, &mut items);
            views.extend(items.into_iter().map(|mut it| {
                it.edit.new_text = format!("[{}]", it.edit.new_text);
                it
            }));
        }
        _ => {}
    }
}

/// The declared names of a kind.
fn names<'m>(model: &'m Model, types: &'m Types, kind: &str) -> impl Iterator<Item = Arc<str>> + 'm {
    let collection = types.kind(kind).map(|it| it.collection.to_string()).unwrap_or_default();
    let node = model.merged.root.get(&collection);
    let mapping = node.and_then(|node| node.as_mapping());
    mapping.into_iter().flat_map(|it| it.entries.iter().map(|entry| Arc::clone(&entry.key)))
}

fn value_view(text: &str, detail: &str, replace: &LocationView) -> CompletionView {
    let plain =
        !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '.'));
    let digits = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let new_text =
        if plain && !digits { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\\\"")) };
    let new_text =
        if detail == EXAMPLE && digits && !text.contains('.') { text.to_owned() } else { new_text };
    CompletionView {
        label: text.into(),
        kind: CompletionKind::Value,
        detail: detail.into(),
        doc: String::new(),
        edit: EditView { location: replace.clone(), new_text },
    }
}

/// The completion of a path into the data of links; one that ends in a dot can be continued.
fn link_view(Offer { value, detail }: Offer, replace: &LocationView) -> CompletionView {
    CompletionView {
        label: value.trim_end_matches('.').to_owned(),
        kind: CompletionKind::Reference,
        detail,
        doc: String::new(),
        edit: EditView { location: replace.clone(), new_text: value },
    }
}

/// Paths inside `${`, one step at a time.
fn references(model: &Model, types: &Types, prefix: &str, replace: &LocationView) -> Vec<CompletionView> {
    let (done, _) = prefix.rsplit_once('.').unwrap_or(("", prefix));
    let steps: Vec<&str> = done.split('.').filter(|it| !it.is_empty()).collect();
    let view = |label: &str, detail: &str, doc: &str, more: bool| {
        let path = if done.is_empty() { label.to_owned() } else { format!("{done}.{label}") };
        CompletionView {
            label: path.clone(),
            kind: CompletionKind::Reference,
            detail: detail.into(),
            doc: doc.into(),
            edit: EditView {
                location: replace.clone(),
                new_text: if more { format!("{path}.") } else { path },
            },
        }
    };
    let Some((root, rest)) = steps.split_first() else {
        return types
            .kinds
            .iter()
            .map(|it| view(&it.collection, &format!("{}s", it.kind), &it.doc, true))
            .collect();
    };
    let Some(definition) = types.collection(root) else { return Vec::new() };
    if rest.is_empty() && !definition.singleton {
        return names(model, types, &definition.kind)
            .map(|it| view(&it, &definition.kind, "", true))
            .collect();
    }
    let inside = if definition.singleton { rest } else { rest.get(1..).unwrap_or_default() };
    let start = Trail::object(types, definition);
    let trail = inside.iter().fold(start, |trail, step| {
        let (key, index) = step.split_once('[').map_or((*step, None), |(key, index)| (key, Some(index)));
        let trail = trail.step(key);
        if index.is_some() { trail.step("0") } else { trail }
    });
    let keys = trail.place().keys().into_iter();
    keys.map(|it| {
        let detail =
            if it.output { format!("{} · known once created", it.phrase) } else { it.phrase.clone() };
        view(it.name, &detail, it.doc, it.holds_map)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let line = text.lines().count() as u32;
        let column = text.lines().last().unwrap_or_default().chars().count() as u32 + 1;
        let source = Source::new("a.yaml", text);
        let show = |path: &[Segment]| {
            path.iter()
                .map(|it| match it {
                    Segment::Key(key) => key.to_string(),
                    Segment::Item(..) => "[]".into(),
                })
                .collect::<Vec<_>>()
                .join(" ")
        };
        let shown = match context(&Types::builtin(), &source, Location { line, column }) {
            Some(Context::Key { path, prefix }) => format!("key <{}> {prefix:?}", show(&path)),
            Some(Context::Value { path, prefix }) => format!("value <{}> {prefix:?}", show(&path)),
            Some(Context::Reference { path, prefix }) => format!("reference <{}> {prefix:?}", show(&path)),
            None => "nothing".into(),
        };
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn the_lines_before_tell_the_place() {
        check("ser", "key <> \"ser\"");
        check("services:\n  web:\n    pay", "key <services web> \"pay\"");
        check("nodes:\n  web:\n    network: de", "value <services web network> \"de\"");
        check(
            "services:\n  web:\n    payload: p\n    depends_on:\n      - d",
            "value <services web depends_on []> \"d\"",
        );
        check("services:\n  web:\n    depends_on:\n    - d", "value <services web depends_on []> \"d\"");
        check("services:\n  web:\n    depends_on: [a, d", "value <services web depends_on []> \"d\"");
        check(
            "services:\n  web:\n    init:\n      - run:\n          ar",
            "key <services web init [] run> \"ar\"",
        );
        check("services:\n  web:\n    x: ${services.d", "reference <services web> \"services.d\"");
        check("services:\n  web: # pay", "nothing");
    }
}
