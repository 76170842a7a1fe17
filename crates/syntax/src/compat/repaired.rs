use std::sync::Arc;

use diag::Span;

use super::finding::{Finding, SpaceEdit};
use crate::{Node, NodeData, Parse};

/// A copy of a text in which what only libyaml reads is as YAML 1.2 wants it.
#[derive(Debug)]
pub(crate) struct Repaired {
    pub(crate) text: String,
    /// Each edit, in order, with the place in the copy where its spaces start.
    edits: Vec<(usize, SpaceEdit)>,
}

/// The highest ratio of the length of a copy to that of the text: deep indentation times many lines would exceed it.
const MOST_GROWTH: usize = 4;

impl Repaired {
    /// `None` if the copy would be too long.
    pub(crate) fn new(text: &str, findings: &[Finding]) -> Option<Self> {
        let mut edits: Vec<SpaceEdit> = findings.iter().flat_map(|it| it.edits.iter().copied()).collect();
        diag::order::by_key(&mut edits, |it| it.at);
        let added: usize = edits.iter().map(|it| it.count).sum();
        let most = (text.len() * MOST_GROWTH + 64 * 1024).min(u32::MAX as usize - text.len());
        if added > most {
            return None;
        }
        let (mut copy, mut read) = (String::with_capacity(text.len() + added), 0);
        let mut placed = Vec::with_capacity(edits.len());
        for edit in edits {
            copy.push_str(text.get(read..edit.at)?);
            placed.push((copy.len(), edit));
            match edit.escape {
                Some(_) => copy.push_str(&edit.written()),
                None => copy.extend(std::iter::repeat_n(' ', edit.count)),
            }
            read = edit.at + edit.replaced;
        }
        copy.push_str(text.get(read..)?);
        Some(Self { text: copy, edits: placed })
    }

    /// The place in the text of a byte of the copy; for an inserted space, the place where it is inserted.
    pub(crate) fn original(&self, at: usize) -> usize {
        let idx = self.edits.partition_point(|(place, _)| *place <= at);
        let Some((place, edit)) = idx.checked_sub(1).and_then(|idx| self.edits.get(idx)) else { return at };
        match (at - place).checked_sub(edit.count) {
            Some(behind) => edit.at + edit.replaced + behind,
            None => edit.at + (at - place).min(edit.replaced),
        }
    }

    /// Moves all that was read from the copy to where it is in the text.
    pub(crate) fn relocate(&self, parse: &mut Parse) {
        if let Some(root) = &mut parse.document.root {
            self.node(root);
        }
        parse.document.comments.iter_mut().for_each(|it| self.span(it));
        for found in &mut parse.diagnostics {
            found.span.iter_mut().for_each(|it| self.span(it));
            found.related.iter_mut().for_each(|it| self.span(&mut it.span));
            found.fixes.iter_mut().flat_map(|it| &mut it.edits).for_each(|it| self.span(&mut it.span));
        }
    }

    fn node(&self, node: &mut Node) {
        self.span(&mut node.span);
        match &mut node.data {
            NodeData::Sequence(items) => Arc::make_mut(items).iter_mut().for_each(|it| self.node(it)),
            NodeData::Mapping(mapping) => {
                for entry in &mut Arc::make_mut(mapping).entries {
                    self.span(&mut entry.key_span);
                    self.node(&mut entry.value);
                }
            }
            NodeData::Null
            | NodeData::Bool(_)
            | NodeData::Int(_)
            | NodeData::Float(_)
            | NodeData::String(..) => {}
        }
    }

    fn span(&self, span: &mut Span) {
        span.start = self.original(span.start as usize) as u32;
        span.end = self.original(span.end as usize) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Kind;
    use super::*;

    #[test]
    fn each_byte_is_found_again() {
        let edits = vec![
            SpaceEdit { at: 2, replaced: 0, count: 3, escape: None },
            SpaceEdit { at: 4, replaced: 2, count: 1, escape: None },
            SpaceEdit { at: 6, replaced: 0, count: 1, escape: None },
        ];
        let finding = Finding { kind: Kind::Brackets, start: 0, end: 7, place: 2, edits };
        let repaired = Repaired::new("ab\nc\t\td", &[finding]).expect("a copy");
        assert_eq!(repaired.text, "ab   \nc  d");
        let originals: Vec<usize> = (0..=repaired.text.len()).map(|at| repaired.original(at)).collect();
        assert_eq!(originals, [0, 1, 2, 2, 2, 2, 3, 4, 6, 6, 7]);
    }

    #[test]
    fn a_copy_that_would_be_far_longer_is_not_made() {
        let edit = |at| SpaceEdit { at, replaced: 0, count: 100_000, escape: None };
        let finding =
            Finding { kind: Kind::Quotes, start: 0, end: 3, place: 1, edits: vec![edit(1), edit(2)] };
        assert!(Repaired::new("abc", &[finding]).is_none());
    }
}
