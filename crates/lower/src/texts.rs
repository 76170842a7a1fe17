//! Scalars that are read as text although they look like numbers, in the merged tree.

use std::sync::Arc;

use diag::{Code, Diagnostics, Sources, order};
use merge::Merged;
use model::Pointer;
use syntax::codes::{AMBIGUOUS_SCALAR, NUMBER_TOO_BIG};
use syntax::{Entry, Mapping, Node, NodeData, Style};
use types::{SchemaNode, Shape, Types};

use crate::codes::NOT_QUOTED;

/// A number that loses digits, and one that is another number elsewhere: what a text is not.
const OF_NUMBERS: [Code; 2] = [NUMBER_TOO_BIG, AMBIGUOUS_SCALAR];

/// Puts texts into the merged tree where [`lower`](crate::lower) has read them (YAML would read `1.10` as 1.1), so that all views
/// show the text that is planned. Of the problems of files, those go that only a number would have.
pub fn keep_texts(
    merged: &mut Merged,
    types: &Types,
    sources: &Sources,
    lowered: &Diagnostics,
    files: &mut Diagnostics,
) {
    let texts = order::set(lowered.iter().filter(|it| it.code == NOT_QUOTED).filter_map(|it| it.span));
    if texts.is_empty() {
        return;
    }
    files.retain(|it| !OF_NUMBERS.contains(&it.code) || it.span.is_none_or(|span| !texts.contains(&span)));
    let root = SchemaNode::Root(types);
    if let Some(node) = as_text(&merged.root, root, sources) {
        merged.root = node;
    }
    for (pointer, history) in &mut merged.history {
        let place = place_at(pointer, root);
        for shadowed in &mut history.shadowed {
            if let Some(node) = as_text(&shadowed.value, place, sources) {
                shadowed.value = node;
            }
        }
    }
}

fn place_at<'t>(pointer: &Pointer, root: SchemaNode<'t>) -> SchemaNode<'t> {
    pointer.parts().fold(root, |place, segment| {
        let is_index = segment.parse::<usize>().is_ok() && place.shape().is_some_and(Shape::may_be_list);
        if is_index { place.item() } else { place.key(&segment) }
    })
}

/// The node with texts in it; `None` if that is what it has already.
fn as_text(node: &Node, place: SchemaNode<'_>, sources: &Sources) -> Option<Node> {
    let data = match &node.data {
        NodeData::Mapping(mapping) => {
            let values = mapping.entries.iter().map(|it| as_text(&it.value, place.key(&it.key), sources));
            let values: Vec<Option<Node>> = values.collect();
            values.iter().any(Option::is_some).then(|| {
                let entries = mapping.entries.iter().zip(values);
                let entries = entries.map(|(entry, value)| match value {
                    Some(value) => Entry { value, ..entry.clone() },
                    None => entry.clone(),
                });
                NodeData::Mapping(Arc::new(Mapping { entries: entries.collect() }))
            })?
        }
        NodeData::Sequence(items) => {
            let form = match place.shape() {
                Some(Shape::Form(form)) => Some(form),
                _ => None,
            };
            let written = |it: &Node| form.and_then(|form| form.item_as_written(it)).map(SchemaNode::Inside);
            list(items, &|it| as_text(it, written(it).unwrap_or_else(|| place.item()), sources))?
        }
        _ if place.shape().is_some_and(|it| is_text(it, node)) => return scalar(node, sources),
        _ => return None,
    };
    Some(Node { data, ..node.clone() })
}

/// A list with texts in it; `None` if that is what it has already.
fn list(items: &[Node], read: &dyn Fn(&Node) -> Option<Node>) -> Option<NodeData> {
    let values: Vec<Option<Node>> = items.iter().map(read).collect();
    values.iter().any(Option::is_some).then(|| {
        let items = items.iter().zip(values).map(|(item, value)| value.unwrap_or_else(|| item.clone()));
        NodeData::Sequence(Arc::new(items.collect()))
    })
}

/// A number or a truth value as it is written.
fn scalar(node: &Node, sources: &Sources) -> Option<Node> {
    let is_number = matches!(node.data, NodeData::Bool(_) | NodeData::Int(_) | NodeData::Float(_));
    let text = || NodeData::String(sources.text(node.span).into(), Style::DoubleQuoted);
    is_number.then(|| Node { data: text(), ..node.clone() })
}

/// True if a scalar is read as text at a place of this shape.
fn is_text(shape: &Shape, node: &Node) -> bool {
    match shape {
        Shape::Text | Shape::OneOf(_) | Shape::Reference { .. } | Shape::Cidr | Shape::IpAddress { .. } => {
            true
        }
        Shape::Either(shapes) => shapes.iter().find(|it| it.fits(node)).is_some_and(|it| is_text(it, node)),
        _ => false,
    }
}
