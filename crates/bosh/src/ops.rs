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

use std::sync::Arc;

use diag::Diagnostic;
use merge::Merged;
use syntax::{Node, NodeData, Tag};

use crate::{
    codes,
    interpolation::{Interpolation, VariableValues},
    reporter::Reporter,
    shape::kind,
    value::scalar,
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
        let Some(items) = operations.as_sequence() else {
            let message = format!("a file of operations is a list, not {}", kind(operations));
            let help =
                "write `- type: replace` with a `path` and a `value`; a file of variables is given with `-l`";
            return reporter.push(Diagnostic::error(codes::OPS, operations.span, message).help(help));
        };
        for node in items {
            if let Some(operation) = Operation::read(node, reporter) {
                operation.apply(&mut self.root, &mut self.trace, reporter);
            }
        }
    }

    /// Replaces the placeholders, after all operations, whose values may contain some.
    pub(crate) fn interpolate(&mut self, values: &mut VariableValues<'_>, reporter: &mut Reporter) {
        Interpolation::new(&self.root, values, reporter).node(&mut self.root, &mut self.trace);
        self.remove_given(values);
    }

    /// Removes the declarations of variables whose values are given, as `bosh interpolate` does: nothing is left to generate.
    fn remove_given(&mut self, values: &mut VariableValues<'_>) {
        let NodeData::Mapping(mapping) = &mut self.root.data else { return };
        let mut entries = Arc::make_mut(mapping).entries.iter_mut();
        let Some(declared) = entries.find(|it| &*it.key == "variables") else { return };
        let span = declared.value.span;
        let NodeData::Sequence(items) = &mut declared.value.data else { return };
        for index in (0..items.len()).rev() {
            let name = items.get(index).and_then(|it| scalar(it.get("name")?));
            let given = name.and_then(|it| Some(values.take(&it)?.last()?.key_span));
            if let Some(given) = given {
                let old = Arc::make_mut(items).remove(index);
                self.trace.key(&declared.key).removed_item(span, index, old, given);
            }
        }
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
        NodeData::Sequence(items) => Arc::make_mut(items).iter_mut().for_each(without_tags),
        NodeData::Mapping(mapping) => {
            let entries = &mut Arc::make_mut(mapping).entries;
            entries.iter_mut().for_each(|it| without_tags(&mut it.value));
        }
        _ => {}
    }
}
