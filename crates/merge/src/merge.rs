use std::sync::Arc;

use diag::{Diagnostics, Span, order};
use model::Pointer;
use syntax::{Mapping, Node, NodeData};
use types::{SchemaNode, Types};

use crate::{
    History, Layer, Merged,
    fold::Outcome,
    package, report,
    source::{Kind, Piece, Source},
    spelling::Spellings,
};

/// Merges layers, first to last.
///
/// A root that is not a map is reported (`merge/not-a-map`) and left out. Layers of one package are taken in the
/// order of their files, whatever order they are given in.
pub fn merge(layers: &[Layer], types: &Types) -> (Merged, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let sources = sources(layers, types, &mut diagnostics);
    let mut merger = Merger::new(&sources, diagnostics);
    let pieces: Vec<Piece<'_>> =
        sources.iter().enumerate().map(|(source, it)| Piece { source, node: &it.root, key: None }).collect();
    let root = match merger.node(&pieces, MergeContext::new(SchemaNode::Root(types))) {
        Outcome::Kept { node, .. } => Some(node),
        Outcome::Removed(history) => {
            merger.record(history);
            None
        }
        Outcome::Nothing => None,
    };
    let root = root.filter(|node| node.as_mapping().is_some()).unwrap_or_else(empty);
    (Merged { root, history: order::map(merger.history) }, merger.diagnostics)
}

fn empty() -> Node {
    Node::new(NodeData::Mapping(Arc::new(Mapping::default())), Span::default())
}

/// The layers that have content, spelled as the type definitions spell.
fn sources(layers: &[Layer], types: &Types, diagnostics: &mut Diagnostics) -> Vec<Source> {
    let spellings = Spellings::new(types);
    let mut sources = Vec::new();
    for layer in package::in_order(layers) {
        let Some(root) = &layer.root else { continue };
        match (Piece { source: 0, node: root, key: None }).kind() {
            Kind::Map => {
                let (root, handed_on) = spellings.canonical(root, diagnostics);
                let package = layer.package.clone();
                sources.push(Source { root, package, tagged: layer.has_tags, handed_on });
            }
            // A file that says nothing, in words.
            Kind::Null => {}
            Kind::Scalar | Kind::List => diagnostics.push(report::not_a_map(root)),
        }
    }
    sources
}

/// The context of merging while it goes down the trees of all sources at once.
#[derive(Debug)]
pub(crate) struct Merger<'a> {
    pub(crate) sources: &'a [Source],
    pub(crate) diagnostics: Diagnostics,
    history: Vec<(Pointer, History)>,
    /// The place that is being merged, as a pointer's text.
    path: String,
    /// The value that is being combined is overridden later, so the merged tree does not contain its parts.
    pub(crate) forgotten: bool,
}

/// The type definitions' view of the place that is being merged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MergeContext<'t> {
    pub(crate) schema: SchemaNode<'t>,
    /// The place is an item that was found by these keys of it, so all pieces agree about them.
    pub(crate) found_by: &'t [Arc<str>],
    /// All pieces have the same value, because they were found by it; repeated values are not reported.
    pub(crate) agreed: bool,
    /// The number of the pieces, from the first, that the merge behavior discards.
    pub(crate) discarded: usize,
}

impl<'t> MergeContext<'t> {
    pub(crate) const fn new(place: SchemaNode<'t>) -> Self {
        Self { schema: place, found_by: &[], agreed: false, discarded: 0 }
    }

    /// The place under a key.
    pub(crate) fn key(self, key: &str) -> Self {
        Self { agreed: self.found_by.iter().any(|it| **it == *key), ..Self::new(self.schema.key(key)) }
    }
}

impl<'a> Merger<'a> {
    fn new(sources: &'a [Source], diagnostics: Diagnostics) -> Self {
        Self { sources, diagnostics, history: Vec::new(), path: String::new(), forgotten: false }
    }

    /// True if a piece can be taken into the tree as it is, with all that is in it.
    pub(crate) fn is_plain(&self, piece: &Piece<'_>) -> bool {
        !self.sources[piece.source].tagged
    }

    /// Does something one step further down.
    pub(crate) fn under<T>(&mut self, key: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        self.path.push('/');
        if key.contains(['~', '/']) {
            self.path.push_str(&key.replace('~', "~0").replace('/', "~1"));
        } else {
            self.path.push_str(key);
        }
        let result = work(self);
        self.path.truncate(length);
        result
    }

    /// Does something at an item of a list.
    pub(crate) fn under_item<T>(&mut self, idx: usize, work: impl FnOnce(&mut Self) -> T) -> T {
        self.under(&idx.to_string(), work)
    }

    /// The place that is being merged.
    pub(crate) fn pointer(&self) -> Pointer {
        Pointer::parse(&self.path)
    }

    /// Keeps how the node at the current place came about.
    pub(crate) fn record(&mut self, history: History) {
        if !self.forgotten {
            self.history.push((self.pointer(), history));
        }
    }
}
