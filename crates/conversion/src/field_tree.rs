//! Rules about fields, relative to a message: those that are about fields inside a field that both versions have are passed on to its
//! message.

use diag::{Diagnostic, Span, nearest};
use fields::schema::{Cardinality, Field, FieldType, Message, Schema};
use serde_json::Value;

use crate::{codes::UNKNOWN_FIELD, mapping::Text};

/// A rule with its paths from the message on; an empty path is of the version that has no such field.
#[derive(Clone, Debug)]
pub(crate) struct Rule<'a> {
    pub(crate) old: Vec<String>,
    pub(crate) new: Vec<String>,
    pub(crate) kind: RuleKind<'a>,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum RuleKind<'a> {
    /// Both are the same field, with values of other names.
    Same(&'a [(Text, Text)]),
    /// Only the old version has the field.
    Constant(&'a Value),
    /// Only the new version has the field.
    Default(&'a Value),
    /// The field was moved to or from another message: a rule of that is about it.
    Moved,
}

impl Rule<'_> {
    /// The rule without the first steps of its paths.
    pub(crate) fn inner(&self) -> Self {
        let tail = |it: &[String]| it.get(1..).unwrap_or_default().to_vec();
        Self { old: tail(&self.old), new: tail(&self.new), ..self.clone() }
    }

    /// The same as what the message of only one of the paths has to know: that the field is not its own.
    pub(crate) fn moved(&self, old: &[String], new: &[String]) -> Self {
        Self { old: old.to_vec(), new: new.to_vec(), kind: RuleKind::Moved, ..self.clone() }
    }
}

/// The steps of a path that a message has: `spec.items[].name`, in which `[]` and `{}` may be left out.
pub(crate) fn steps(schema: &Schema, message: &str, path: &Text) -> Result<Vec<String>, Box<Diagnostic>> {
    let mut of = schema.messages.get(message);
    let mut steps = Vec::new();
    for step in path.value.split('.') {
        let name = step.strip_suffix("[]").or_else(|| step.strip_suffix("{}")).unwrap_or(step);
        let Some(field) = of.and_then(|it| it.field(name)) else {
            return Err(Box::new(unknown(path, name, of)));
        };
        steps.push(field.name.to_string());
        of = inner_message(schema, field);
    }
    Ok(steps)
}

fn unknown(path: &Text, name: &str, of: Option<&Message>) -> Diagnostic {
    let message = format!("there is no field `{}`", path.value);
    let unknown = Diagnostic::error(UNKNOWN_FIELD, path.span, message);
    let known = of.into_iter().flat_map(|it| &it.fields).map(|it| &*it.name);
    match nearest(name, known.clone()) {
        Some(near) => {
            let fixed = path.value.replace(name, near);
            unknown.replace(format!("Write `{fixed}`"), path.span, fixed)
        }
        None => unknown.help(format!("it has {}", known.collect::<Vec<_>>().join(", "))),
    }
}

/// The message of the values of a field.
pub(crate) fn inner_message<'s>(schema: &'s Schema, field: &Field) -> Option<&'s Message> {
    match &field.ty {
        FieldType::Message(name) => schema.messages.get(name),
        FieldType::Scalar(_) | FieldType::Enum(_) | FieldType::WellKnown(_) | FieldType::Foreign(_) => None,
    }
}

/// True if a field has one value at most.
pub(crate) const fn is_single(field: &Field) -> bool {
    match field.cardinality {
        Cardinality::One | Cardinality::Optional => true,
        Cardinality::Repeated | Cardinality::Map(_) => false,
    }
}

/// The fields of a message that no rule is about, as paths: below a field of which rules are about parts, the other parts.
pub(crate) fn remaining(
    schema: &Schema,
    message: &Message,
    above: &[String],
    rules: &[&[String]],
) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for field in &message.fields {
        let path: Vec<String> = above.iter().cloned().chain([field.name.to_string()]).collect();
        if rules.iter().any(|it| **it == *path) {
            continue;
        }
        match inner_message(schema, field) {
            Some(inner) if rules.iter().any(|it| it.starts_with(&path)) => {
                found.extend(remaining(schema, inner, &path, rules));
            }
            _ => found.push(path),
        }
    }
    found
}

/// The field at the end of a path of names.
pub(crate) fn field<'s>(schema: &'s Schema, message: &'s Message, path: &[String]) -> Option<&'s Field> {
    let (first, rest) = path.split_first()?;
    let found = message.fields.iter().find(|it| *it.name == **first)?;
    if rest.is_empty() { Some(found) } else { field(schema, inner_message(schema, found)?, rest) }
}
