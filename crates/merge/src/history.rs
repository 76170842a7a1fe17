use std::collections::BTreeMap;

use diag::Span;
use model::Pointer;
use syntax::{Node, NodeData};

use crate::Rule;

/// All layers as one tree.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The tree; an empty map when no layer has content.
    ///
    /// The span of a map or list that several layers wrote is that of the first one's piece, where it is declared;
    /// the others are in its history.
    pub root: Node,
    /// The histories of the nodes that more than one layer wrote, by their place in `root`, and of the nodes that were removed,
    /// by the place where they would be.
    pub history: BTreeMap<Pointer, History>,
}

/// The history of one node.
#[derive(Clone, Debug)]
pub struct History {
    /// The rule that decided.
    pub rule: Rule,
    /// The node's own span; of a node that was removed, the place of the `!reset`, or of the last value that the merge
    /// behavior discarded.
    pub span: Span,
    /// The places where its pieces are written, first layer first: one for a value that won, several for maps and lists that
    /// were put together.
    pub parts: Vec<Span>,
    /// The overridden values of earlier layers, latest first. A `!reset` among them is a
    /// null whose rule is [`Rule::Reset`]. For a list also the items that were removed from it.
    pub shadowed: Vec<Shadowed>,
}

/// A value that a later layer replaced or removed.
#[derive(Clone, Debug)]
pub struct Shadowed {
    /// The value.
    pub value: Node,
    /// The rule that had put it there.
    pub rule: Rule,
}

/// The origin of a merged node.
#[derive(Clone, Debug)]
pub struct NodeOrigin<'a> {
    /// The bytes of the value that won; of a map or list put together from several layers, of its first piece; of a
    /// node that was removed, of the `!reset` or of the last value that was discarded.
    pub span: Span,
    /// The rule by which it won.
    pub rule: Rule,
    /// The places where the pieces of a map or list are written when there are several, first layer first.
    pub parts: &'a [Span],
    /// The overridden values, latest first.
    pub shadowed: &'a [Shadowed],
}

impl Merged {
    /// The node at a place.
    pub fn at(&self, pointer: &Pointer) -> Option<&Node> {
        pointer.segments().try_fold(&self.root, |node, segment| match &node.data {
            NodeData::Mapping(mapping) => mapping.get(&segment),
            NodeData::Sequence(items) => items.get(segment.parse::<usize>().ok()?),
            _ => None,
        })
    }

    /// The origin of the node at a place; `None` if there is none and none was removed.
    pub fn origin(&self, pointer: &Pointer) -> Option<NodeOrigin<'_>> {
        let history = self.history.get(pointer);
        let span = self.at(pointer).map(|node| node.span).or(history.map(|it| it.span))?;
        Some(NodeOrigin::new(span, history))
    }

    /// Every place in the tree with its node and where that came from, in the order of the document. Places where
    /// something was removed are not in it.
    pub fn origins(&self) -> Vec<(Pointer, &Node, NodeOrigin<'_>)> {
        let mut origins = Vec::new();
        self.collect(Pointer::root(), &self.root, &mut origins);
        origins
    }

    fn collect<'a>(
        &'a self,
        at: Pointer,
        node: &'a Node,
        into: &mut Vec<(Pointer, &'a Node, NodeOrigin<'a>)>,
    ) {
        into.push((at.clone(), node, NodeOrigin::new(node.span, self.history.get(&at))));
        match &node.data {
            NodeData::Mapping(mapping) => {
                for entry in &mapping.entries {
                    self.collect(at.key(&entry.key), &entry.value, into);
                }
            }
            NodeData::Sequence(items) => {
                for (idx, item) in items.iter().enumerate() {
                    self.collect(at.index(idx), item, into);
                }
            }
            _ => {}
        }
    }
}

impl<'a> NodeOrigin<'a> {
    fn new(span: Span, history: Option<&'a History>) -> Self {
        match history {
            Some(it) => Self { span, rule: it.rule, parts: &it.parts, shadowed: &it.shadowed },
            None => Self { span, rule: Rule::Set, parts: &[], shadowed: &[] },
        }
    }
}
