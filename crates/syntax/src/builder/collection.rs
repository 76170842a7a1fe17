use std::sync::Arc;

use diag::Diagnostic;

use super::{Builder, ExpandedSize, Frame, Items, Shape, TooDeep};
use crate::mapping::Draft;
use crate::trivia::Properties;
use crate::{Node, NodeData, codes, tags};

impl<'a> Builder<'a> {
    /// A list opens.
    pub(crate) fn open_sequence(
        &mut self,
        start: usize,
        properties: usize,
        tag: Option<&scanner::Tag>,
    ) -> Result<(), TooDeep> {
        let properties = self.properties(start, properties);
        let in_mapping = matches!(self.frames.last(), Some(Frame { items: Items::Mapping(_), .. }));
        let dash = if in_mapping && !self.resuming { self.trivia.seek(start, b"-") } else { None };
        if dash.is_none() {
            self.trivia.advance(start);
            self.trivia.skip_blank();
        }
        let start = self.trivia.at();
        let shape = match (dash, self.trivia.byte()) {
            (_, b'[') => Shape::Flow,
            (Some(_), _) => Shape::Indentless,
            _ => Shape::Block,
        };
        if shape == Shape::Flow {
            self.trivia.jump(start + 1);
        }
        self.open(Items::Sequence(Vec::new()), shape, start, properties, tag)
    }

    /// A map opens. `len` is the length of the token that opens it.
    pub(crate) fn open_mapping(
        &mut self,
        (start, end): (usize, usize),
        properties: usize,
        tag: Option<&scanner::Tag>,
    ) -> Result<(), TooDeep> {
        let properties = self.properties(start, properties);
        self.trivia.advance(start);
        if properties.anchor.is_some() || properties.tag.is_some() {
            self.trivia.skip_blank();
        }
        let start = self.trivia.at();
        let in_flow =
            self.frames.last().is_some_and(|frame| matches!(frame.shape, Shape::Flow | Shape::Pair));
        let shape = match self.trivia.byte() {
            b'{' if end > start => Shape::Flow,
            _ if in_flow => Shape::Pair,
            _ => Shape::Block,
        };
        if shape == Shape::Flow {
            self.trivia.jump(start + 1);
        }
        self.open(Items::Mapping(Draft::default()), shape, start, properties, tag)
    }

    fn open(
        &mut self,
        items: Items,
        shape: Shape,
        start: usize,
        properties: Properties<'a>,
        tag: Option<&scanner::Tag>,
    ) -> Result<(), TooDeep> {
        if std::mem::take(&mut self.resuming) {
            return Ok(());
        }
        if self.frames.len() >= self.depth {
            self.report.push(
                Diagnostic::error(
                    codes::TOO_DEEP,
                    self.span(start, start + self.text[start..].chars().next().map_or(0, char::len_utf8)),
                    format!("this is more than {} levels deep", self.depth),
                )
                .help("deeper values are not read; flatten it, or move some of it into another file"),
            );
            return Err(TooDeep);
        }
        let tagged = self.tag(tag, &properties);
        if let (Some(core), Some((start, end))) = (tagged.core, properties.tag) {
            let is_mapping = matches!(items, Items::Mapping(_));
            tags::check_collection(core, is_mapping, self.span(start, end), &mut self.report);
        }
        if let Some(name) = properties.anchor {
            self.anchors.open(name);
        }
        let weight = ExpandedSize { nodes: 1, height: 0 };
        let end = start + usize::from(shape == Shape::Flow);
        self.frames.push(Frame {
            items,
            shape,
            start,
            end,
            tag: tagged.tag,
            anchor: properties.anchor,
            weight,
        });
        Ok(())
    }

    /// The last collection closes; `at` is where its closing token is.
    pub(crate) fn close(&mut self, at: usize) {
        let Some(frame) = self.frames.last_mut() else { return };
        if frame.shape == Shape::Flow {
            self.trivia.advance(at);
            self.trivia.skip_blank();
            let end = (self.trivia.at() + 1).min(self.text.len());
            self.trivia.jump(end);
            frame.end = end;
        }
        if self.frames.len() > 1 {
            self.close_frame();
        }
    }

    /// Closes the last frame as it is.
    pub(crate) fn close_frame(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        let span = self.span(frame.start, frame.end);
        let data = match frame.items {
            Items::Sequence(items) => NodeData::Sequence(Arc::new(items)),
            Items::Mapping(draft) => {
                NodeData::Mapping(Arc::new(draft.finish(!self.as_written, &mut self.report)))
            }
        };
        let node = Node { data, span, tag: frame.tag };
        if let Some(name) = frame.anchor {
            self.anchors.define(name, node.clone(), frame.weight);
        }
        self.add(node, frame.weight);
    }
}
