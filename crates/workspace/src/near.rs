//! Places of the merged document that are named from elsewhere: through an embedded resource, or not quite correctly.

use diag::nearest;
use model::Pointer;
use syntax::{Node, NodeData};
use types::{Edge, Shape, Trail, Types};

use crate::pipeline::Model;

/// The pointer to the attributes that a plan has in place of the name at a pointer: `/payloads/web` for
/// `/services/web/payload`. `None` if the name embeds no attributes.
pub(crate) fn embedded(model: &Model, types: &Types, at: &Pointer) -> Option<Pointer> {
    let trail = at.segments().fold(Trail::root(types), |trail, segment| trail.step(&segment));
    let Shape::Reference { to, edge: Edge::Embed } = trail.place().shape()? else { return None };
    let (collection, name) = (&types.kind(to)?.collection, model.merged.at(at)?.as_str()?);
    Some(Pointer::root().keys(&[collection, name]))
}

/// The place that was probably meant by a pointer to nothing.
pub(crate) fn place(model: &Model, wanted: &Pointer) -> Option<Pointer> {
    let (mut node, mut at) = (&model.merged.root, Pointer::root());
    for segment in wanted.segments() {
        let (key, inner) = match &node.data {
            NodeData::Mapping(mapping) => {
                let keys = mapping.entries.iter().map(|it| &*it.key);
                let key = mapping.entry(&segment).map(|it| &*it.key).or_else(|| nearest(&segment, keys));
                let Some(key) = key else { return elsewhere(model, &at, &segment) };
                (key.to_owned(), mapping.get(key)?)
            }
            NodeData::Sequence(items) => (segment.clone(), items.get(segment.parse::<usize>().ok()?)?),
            _ => return None,
        };
        at = at.key(&key);
        node = inner;
    }
    Some(at)
}

/// An entry of that name in any collection, for a name without a collection.
fn elsewhere(model: &Model, at: &Pointer, name: &str) -> Option<Pointer> {
    let collections = &model.merged.root.as_mapping().filter(|_| *at == Pointer::root())?.entries;
    let holds = |node: &Node| node.get(name).is_some();
    let collection = collections.iter().rev().find(|it| holds(&it.value))?;
    Some(at.keys(&[&collection.key, name]))
}
