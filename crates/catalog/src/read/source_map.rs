use std::sync::Arc;

use diag::{Diagnostic, FileId, Span};
use syntax::{Node, NodeData};

/// The original places of the parts of a text that was put together.
#[derive(Clone, Debug)]
pub(super) struct SourceMap {
    file: FileId,
    /// The offsets at which each part starts in the new and the original text, in order; never empty.
    parts: Vec<(usize, usize)>,
}

impl SourceMap {
    /// The map of a text that is one part of the file.
    pub(super) fn at(file: FileId, start: usize) -> Self {
        Self { file, parts: vec![(0, start)] }
    }

    /// Adds a part that starts at `here`.
    pub(super) fn jump(&mut self, here: usize, there: usize) {
        self.parts.push((here, there));
    }

    fn byte(&self, here: usize) -> usize {
        let idx = self.parts.partition_point(|(start, _)| *start <= here);
        let (start, there) = self.parts.get(idx.saturating_sub(1)).copied().unwrap_or_default();
        there + here.saturating_sub(start)
    }

    fn span(&self, span: Span) -> Span {
        let start = self.byte(span.start as usize);
        // What is cut out after a node does not belong to it.
        let end = if span.end > span.start { self.byte(span.end as usize - 1) + 1 } else { start };
        Span::new(self.file, start as u32, end as u32)
    }

    /// Gives a tree its original places.
    pub(super) fn tree(&self, node: &mut Node) {
        node.span = self.span(node.span);
        match &mut node.data {
            NodeData::Sequence(items) => Arc::make_mut(items).iter_mut().for_each(|item| self.tree(item)),
            NodeData::Mapping(mapping) => {
                for entry in &mut Arc::make_mut(mapping).entries {
                    entry.key_span = self.span(entry.key_span);
                    self.tree(&mut entry.value);
                }
            }
            NodeData::Null
            | NodeData::Bool(_)
            | NodeData::Int(_)
            | NodeData::Float(_)
            | NodeData::String(..) => {}
        }
    }

    /// Gives a diagnostic its original places.
    pub(super) fn diagnostic(&self, found: &mut Diagnostic) {
        found.span = found.span.map(|span| self.span(span));
        found.related.iter_mut().for_each(|label| label.span = self.span(label.span));
        let edits = found.fixes.iter_mut().flat_map(|fix| &mut fix.edits);
        edits.for_each(|edit| edit.span = self.span(edit.span));
    }
}
