//! Paths of fields in options, which are checked once all messages are known.

use std::sync::Arc;

use diag::{Diagnostic, Diagnostics, Span, nearest};
use fields::schema::{Cardinality, FieldType, Schema};

use crate::{aggregate::Entry, codes, decode::Decoder};

/// Paths that options of a message name.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathUses(Vec<(Arc<str>, Span)>);

impl PathUses {
    /// Reads a path into a list, to check it later.
    pub(crate) fn push(&mut self, entry: &Entry, list: &mut Vec<Arc<str>>, decoder: &mut Decoder<'_>) {
        let path = decoder.text(entry);
        list.extend(path.clone());
        self.0.extend(path.map(|it| (it, entry.value.at)));
    }

    /// Reads a path in place of another one, to check it later.
    pub(crate) fn set(&mut self, entry: &Entry, path: &mut Arc<str>, decoder: &mut Decoder<'_>) {
        let mut list = Vec::new();
        self.push(entry, &mut list, decoder);
        list.into_iter().for_each(|it| *path = it);
    }

    /// Reports the paths that name no field of a message.
    pub(crate) fn check(&self, schema: &Schema, message: &str, found: &mut Diagnostics) {
        for (path, at) in &self.0 {
            let names: Vec<&str> = path.split('.').collect();
            if let Err((name, message)) = exists(schema, message, &names) {
                found.push(unknown(schema, name, message, path, *at));
            }
        }
    }
}

fn unknown(schema: &Schema, name: &str, message: &str, path: &str, at: Span) -> Diagnostic {
    let text = if name == path {
        format!("`{message}` has no field `{name}`")
    } else {
        format!("`{message}` has no field `{name}`, which is part of the path `{path}`")
    };
    let fields = schema.messages.get(message).into_iter().flat_map(|it| &it.fields);
    let diagnostic = Diagnostic::warning(codes::UNKNOWN_FIELD, at, text);
    match nearest(name, fields.map(|it| &*it.name)) {
        Some(similar) => diagnostic.help(format!("use `{similar}`")),
        None => diagnostic.help("remove the path, or add the field"),
    }
}

/// Checks that a path may exist.
///
/// # Errors
///
/// The first name that is missing for certain, and its message.
fn exists<'a>(schema: &'a Schema, message: &'a str, path: &[&'a str]) -> Result<(), (&'a str, &'a str)> {
    let (Some((first, rest)), Some(known)) = (path.split_first(), schema.messages.get(message)) else {
        return Ok(());
    };
    let Some(field) = known.field(first) else { return Err((first, message)) };
    let is_map = matches!(field.cardinality, Cardinality::Map(_));
    match (&field.ty, rest) {
        (FieldType::Message(name), [_, rest @ ..]) if is_map => exists(schema, name, rest),
        (FieldType::Message(name), rest) => exists(schema, name, rest),
        (FieldType::Scalar(_) | FieldType::Enum(_), [next, ..]) if !is_map => Err((next, first)),
        _ => Ok(()),
    }
}
