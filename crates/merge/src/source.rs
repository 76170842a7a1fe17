use std::{collections::HashSet, sync::Arc};

use diag::Span;
use syntax::{Node, NodeData, Tag};

/// A layer that is ready to be merged: it has content, in the spellings of the type definitions.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) root: Node,
    pub(crate) package: Option<Arc<str>>,
    /// True if some node has a tag. Nodes of a source without tags can be taken as they are.
    pub(crate) tagged: bool,
    /// The maps with `!override` of which entries were moved up, which then replace in their place.
    pub(crate) handed_on: HashSet<Span>,
}

/// The node that one source writes at the place that is being merged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    /// Index of the source.
    pub(crate) source: usize,
    pub(crate) node: &'a Node,
    /// The place where its key is written; `None` for the root and for items of lists.
    pub(crate) key: Option<Span>,
}

/// The kind of a piece, which decides how two pieces go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Scalar,
    List,
    Map,
}

impl Piece<'_> {
    pub(crate) const fn kind(&self) -> Kind {
        match self.node.data {
            NodeData::Null => Kind::Null,
            NodeData::Bool(_) | NodeData::Int(_) | NodeData::Float(_) | NodeData::String(..) => Kind::Scalar,
            NodeData::Sequence(_) => Kind::List,
            NodeData::Mapping(_) => Kind::Map,
        }
    }

    /// The span to underline: a scalar itself; of longer values and values without text, the key.
    pub(crate) fn place(&self) -> Span {
        let own = self.node.span;
        let short = self.kind() == Kind::Scalar || (self.kind() == Kind::Null && own.start < own.end);
        if short { own } else { self.key.unwrap_or(own) }
    }

    /// The node for the merged tree.
    pub(crate) fn untagged(&self) -> Node {
        Node { tag: Tag::None, ..self.node.clone() }
    }
}
