//! Operations (go-patch): changes of a document, applied one after the other, and the history of changed
//! values.

mod apply;
mod create_missing;
mod drops;
mod list;
mod operation;
mod path;
mod path_error;
mod trace;

use merge::Merged;
use syntax::{Node, NodeData, Tag};

use crate::{
    interpolation::{Interpolation, VariableValues},
    reporter::Reporter,
};
use operation::Operation;
pub(crate) use trace::Trace;

/// A tree that operations change.
///
/// Nodes that are shared by anchors are copied when one of them is changed, so that the others stay as they
/// are.
#[derive(Debug)]
pub(crate) struct Patched {
    root: Node,
    trace: Trace,
}

impl Patched {
    pub(crate) fn new(root: &Node) -> Self {
        Self { root: root.clone(), trace: Trace::default() }
    }

    /// Applies a file of operations. One that cannot be applied is reported, and the others are applied.
    pub(crate) fn apply(&mut self, operations: &Node, reporter: &mut Reporter) {
        for node in operations.as_sequence().unwrap_or_default() {
            if let Some(operation) = Operation::read(node, reporter) {
                operation.apply(&mut self.root, &mut self.trace, reporter);
            }
        }
    }

    /// Replaces the placeholders, after all operations, whose values may contain some.
    pub(crate) fn interpolate(&mut self, values: &mut VariableValues<'_>, reporter: &mut Reporter) {
        Interpolation::new(&self.root, values, reporter).node(&mut self.root, &mut self.trace);
    }

    pub(crate) fn finish(mut self) -> Merged {
        without_tags(&mut self.root);
        Merged { root: self.root, history: self.trace.finish() }
    }
}

/// Tags are instructions for a merge, and nothing is merged here.
fn without_tags(node: &mut Node) {
    if !node.has_tags() {
        return;
    }
    node.tag = Tag::None;
    match &mut node.data {
        NodeData::Sequence(items) => std::sync::Arc::make_mut(items).iter_mut().for_each(without_tags),
        NodeData::Mapping(mapping) => {
            let entries = &mut std::sync::Arc::make_mut(mapping).entries;
            entries.iter_mut().for_each(|it| without_tags(&mut it.value));
        }
        _ => {}
    }
}
