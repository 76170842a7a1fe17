//! Places in a document as paths: `resources[0].parents`.

use diag::Span;
use syntax::{Entry, Node, NodeData};

/// The path of the innermost value that contains a place, or whose key does; `None` for the document itself.
pub(crate) fn of(root: &Node, span: Span) -> Option<String> {
    let mut path = String::new();
    let mut node = root;
    while let Some((step, inner)) = step(node, span) {
        let dot = if path.is_empty() || step.starts_with('[') { "" } else { "." };
        path = format!("{path}{dot}{step}");
        node = inner;
    }
    (!path.is_empty()).then_some(path)
}

/// The place of a value by its JSON pointer from another value, which is at a place; that of the last value on the way that
/// exists. `None` if there is no value at the place.
pub(crate) fn at_pointer(root: &Node, place: Span, pointer: &str) -> Option<Span> {
    let mut node = root;
    while node.span != place {
        node = step(node, place)?.1;
    }
    for name in pointer.split('/').skip(1) {
        let inner = match &node.data {
            NodeData::Mapping(mapping) => {
                mapping.entries.iter().find(|it| &*it.key == name).map(|it| &it.value)
            }
            NodeData::Sequence(items) => name.parse::<usize>().ok().and_then(|at| items.get(at)),
            _ => None,
        };
        let Some(inner) = inner else { break };
        node = inner;
    }
    Some(node.span)
}

fn step(node: &Node, span: Span) -> Option<(String, &Node)> {
    match &node.data {
        NodeData::Mapping(mapping) => {
            let covers = |it: &&Entry| it.key_span.contains(span) || it.value.span.contains(span);
            mapping.entries.iter().find(covers).map(|it| (it.key.to_string(), &it.value))
        }
        NodeData::Sequence(items) => {
            let at = syntax::element_at(items, span)?;
            Some((format!("[{at}]"), items.get(at)?))
        }
        _ => None,
    }
}
