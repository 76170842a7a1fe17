//! The fields of views.

use ::fields::schema::{Cardinality, FieldType, Schema};
use diag::{Diagnostic, Diagnostics, nearest};

use crate::{
    Kind,
    codes::{FIELD_STORAGE, FIELD_VIEW},
    skeleton::Text,
};

/// The views that a resource can have, from few fields to all of them.
const VIEWS: [&str; 4] = ["NAME", "BASIC", "DETAIL", "FULL"];

/// Reports views that do not exist, and paths in them that lead to no field.
pub(super) fn check(kind: &Kind, schema: &Schema, report: &mut Diagnostics) {
    for (view, paths) in &kind.views {
        if !VIEWS.contains(&&*view.value) {
            report.push(unknown_view(view));
        }
        let missing = paths.iter().filter(|it| !exists(schema, &kind.name, &it.value));
        report.extend(missing.map(|it| no_field(kind, it, schema)));
    }
}

fn unknown_view(view: &Text) -> Diagnostic {
    let message = format!("there is no view `{}`", view.value);
    let diagnostic = Diagnostic::error(FIELD_VIEW, view.span, message);
    match nearest(&view.value, VIEWS) {
        Some(name) => diagnostic.replace(format!("Write `{name}`"), view.span, name),
        None => diagnostic.help("write NAME, BASIC, DETAIL or FULL"),
    }
}

fn no_field(kind: &Kind, path: &Text, schema: &Schema) -> Diagnostic {
    let message = format!("`{}` has no field `{}`", kind.name, path.value);
    let diagnostic = Diagnostic::error(FIELD_VIEW, path.span, message);
    let known = schema.messages.get(&kind.name).map(|it| it.fields.iter().map(|it| &*it.name));
    match known.and_then(|it| nearest(&path.value, it)) {
        Some(name) => diagnostic.replace(format!("Write `{name}`"), path.span, name),
        None => diagnostic.help("declare it under `fields`, or leave it out of the view"),
    }
}

/// Reports fields of indices and of the cache that the kind does not have.
pub(super) fn check_storage(kind: &Kind, schema: &Schema, report: &mut Diagnostics) {
    let (indices, cache) = (kind.indices.as_ref(), kind.cache.as_ref());
    let indexed = indices.into_iter().flat_map(|it| {
        let orders = it.sorting_groups.iter().map(|it| &it.order_by);
        let filters = it.filters.iter().map(|it| &it.path).chain(it.single.iter().map(|it| &it.path));
        orders.chain(filters).map(|path| (path, it.span))
    });
    let cached = cache.into_iter().flat_map(|it| {
        let patterns = it.reference_patterns.keys();
        it.queries.iter().flatten().chain(patterns).map(|path| (path, it.span))
    });
    let paths = indexed.chain(cached).map(|(path, span)| (path.to_string(), span));
    report.extend(paths.filter(|(path, _)| !exists(schema, &kind.name, path)).map(|(path, span)| {
        let message = format!("`{}` has no field `{path}`", kind.name);
        Diagnostic::error(FIELD_STORAGE, span, message)
            .help("declare it under `fields`, or leave it out of `indices` and `cache`")
    }));
}

/// True if a path leads to a field, or into a message whose fields are not known.
fn exists(schema: &Schema, message: &str, path: &str) -> bool {
    let (mut message, mut names) = (message, path.split('.'));
    while let Some(name) = names.next() {
        let Some(known) = schema.messages.get(message) else { return true };
        let Some(field) = known.field(name) else { return known.open };
        if matches!(field.cardinality, Cardinality::Map(_)) && names.next().is_none() {
            return true;
        }
        message = match &field.ty {
            FieldType::Message(name) | FieldType::Foreign(name) => name,
            FieldType::WellKnown(_) => return true,
            FieldType::Scalar(_) | FieldType::Enum(_) => return names.next().is_none(),
        };
    }
    !path.is_empty()
}
