//! The declared fields of a kind as a tree, with the messages on the way to them.

use std::{collections::BTreeMap, sync::Arc};

use ::fields::schema::{Cardinality, FieldType, lower_camel};
use diag::{Diagnostic, Diagnostics, Span};

use super::path::{self, Step};
use crate::{
    codes::{FIELD_BELOW_SCALAR, FIELD_CARDINALITY, FIELD_DUPLICATE},
    skeleton::{FieldExtension, Text},
};

/// A field, with those below it.
#[derive(Debug)]
pub(super) struct Node<'a> {
    pub(super) name: Arc<str>,
    pub(super) cardinality: Cardinality,
    /// Its declaration; `None` where only fields below it are declared.
    pub(super) declared: Option<&'a FieldExtension>,
    pub(super) children: Nodes<'a>,
    /// The path that it comes from first.
    pub(super) span: Span,
}

/// Fields of one message, in the order in which they are written first.
#[derive(Debug, Default)]
pub(super) struct Nodes<'a> {
    pub(super) list: Vec<Node<'a>>,
    /// The place of each by its name in JSON.
    places: BTreeMap<String, usize>,
}

impl<'a> Nodes<'a> {
    fn get_mut(&mut self, name: &str) -> Option<&mut Node<'a>> {
        self.list.get_mut(*self.places.get(&lower_camel(name))?)
    }

    fn push(&mut self, node: Node<'a>) {
        self.places.insert(lower_camel(&node.name), self.list.len());
        self.list.push(node);
    }
}

/// The fields at the top. A declaration that contradicts an earlier one is reported and left out.
pub(super) fn of<'a>(fields: &'a [FieldExtension], report: &mut Diagnostics) -> Vec<Node<'a>> {
    let mut roots = Nodes::default();
    for field in fields {
        // A field without path was reported when it was read.
        let Some(path) = &field.path else { continue };
        let added = path::parse(path).and_then(|it| insert(&mut roots, &it, field, path));
        report.extend(added.err().map(|it| *it));
    }
    roots.list
}

fn insert<'a>(
    nodes: &mut Nodes<'a>,
    steps: &[Step<'_>],
    field: &'a FieldExtension,
    path: &Text,
) -> Result<(), Box<Diagnostic>> {
    let Some((first, rest)) = steps.split_first() else { return Ok(()) };
    let Some(node) = nodes.get_mut(first.name) else {
        let mut node = Node {
            name: first.name.into(),
            cardinality: if rest.is_empty() { field.field.cardinality } else { first.cardinality },
            declared: rest.is_empty().then_some(field),
            children: Nodes::default(),
            span: path.span,
        };
        insert(&mut node.children, rest, field, path)?;
        nodes.push(node);
        return Ok(());
    };
    match rest.is_empty() {
        true => declare(node, first, field, path),
        false => descend(node, first, rest, field, path),
    }
}

/// A declaration of a field that is known: only one that is known by the fields below it can still be declared.
fn declare<'a>(
    node: &mut Node<'a>,
    step: &Step<'_>,
    field: &'a FieldExtension,
    path: &Text,
) -> Result<(), Box<Diagnostic>> {
    if node.declared.is_some() || &*node.name != step.name {
        let message = format!("the field `{}` is declared twice", path.value);
        let diagnostic = Diagnostic::error(FIELD_DUPLICATE, path.span, message);
        let both = "names that differ by `_` only have one name in JSON; leave one of the fields out";
        let help = if &*node.name == step.name { "leave one of them out" } else { both };
        return Err(Box::new(diagnostic.related(node.span, "it is declared here first").help(help)));
    }
    if !is_message(field) {
        return Err(Box::new(below_scalar(path, node.span)));
    }
    if node.cardinality != field.field.cardinality {
        return Err(Box::new(other_cardinality(node, path)));
    }
    node.declared = Some(field);
    Ok(())
}

fn descend<'a>(
    node: &mut Node<'a>,
    step: &Step<'_>,
    rest: &[Step<'_>],
    field: &'a FieldExtension,
    path: &Text,
) -> Result<(), Box<Diagnostic>> {
    match node.declared {
        Some(declared) if !is_message(declared) => Err(Box::new(below_scalar(path, node.span))),
        _ if node.cardinality != step.cardinality => Err(Box::new(other_cardinality(node, path))),
        _ => insert(&mut node.children, rest, field, path),
    }
}

fn is_message(field: &FieldExtension) -> bool {
    matches!(field.field.ty, FieldType::Message(_))
}

fn below_scalar(path: &Text, other: Span) -> Diagnostic {
    let message = format!("`{}` cannot be a field: one of the two is not an object", path.value);
    Diagnostic::error(FIELD_BELOW_SCALAR, path.span, message)
        .related(other, "the other declaration")
        .help("only fields of the types object, list and map have fields: change the type, or move the field")
}

fn other_cardinality(node: &Node<'_>, path: &Text) -> Diagnostic {
    let (is, form) = match node.cardinality {
        Cardinality::One | Cardinality::Optional => ("one value", ""),
        Cardinality::Repeated => ("a list", "[]"),
        Cardinality::Map(_) => ("a map", "{}"),
    };
    let message = format!("`{}` is {is} elsewhere", node.name);
    Diagnostic::error(FIELD_CARDINALITY, path.span, message)
        .related(node.span, "the other declaration")
        .help(format!("write `{}{form}` in both paths", node.name))
}
