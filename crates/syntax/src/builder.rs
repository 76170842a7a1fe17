use diag::{FileId, Span};

use crate::anchors::Anchors;
use crate::mapping::{Draft, Key};
use crate::names::Names;
use crate::report::Report;
use crate::tags::{self, Tagged};
use crate::trivia::{Properties, Trivia};
use crate::{Limits, Node, Tag, lines, scalar};

mod collection;
mod leaf;

/// Makes the tree from the parser's events.
///
/// The open collections are the frames; the first is kept when it closes, so that [`recover`](crate::recover) can
/// go on with it.
#[derive(Debug)]
pub(crate) struct Builder<'a> {
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    pub(crate) trivia: Trivia<'a>,
    pub(crate) frames: Vec<Frame<'a>>,
    pub(crate) report: Report,
    /// The next collection goes on filling the last frame instead of opening one.
    pub(crate) resuming: bool,
    /// Aliases stay text like `*a`, and `<<` a key, so that the tree is what is written.
    pub(crate) as_written: bool,
    /// The place of the last unquoted value, if nothing came after it.
    last_plain: Option<(usize, usize)>,
    root: Option<Node>,
    names: Names,
    anchors: Anchors<'a>,
    depth: usize,
}

/// A collection that is still open.
#[derive(Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) items: Items,
    pub(crate) shape: Shape,
    pub(crate) start: usize,
    /// The end of the last node in it.
    pub(crate) end: usize,
    tag: Tag,
    anchor: Option<&'a str>,
    weight: ExpandedSize,
}

/// The items of a frame so far.
#[derive(Debug)]
pub(crate) enum Items {
    Sequence(Vec<Node>),
    Mapping(Draft),
}

/// The form in which a collection is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// By indentation.
    Block,
    /// A list whose dashes stand under its key's first letter.
    Indentless,
    /// In brackets.
    Flow,
    /// A map of one entry without brackets in a list in brackets.
    Pair,
}

/// The size of a node when all its aliases are written out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExpandedSize {
    pub(crate) nodes: usize,
    pub(crate) height: usize,
}

impl ExpandedSize {
    pub(crate) const SCALAR: Self = Self { nodes: 1, height: 0 };

    fn add(&mut self, child: Self) {
        self.nodes = self.nodes.saturating_add(child.nodes);
        self.height = self.height.max(child.height + 1);
    }
}

/// Collections inside each other are never read deeper than this, whatever the limits say: trees are walked and
/// dropped recursively.
const DEEPEST: usize = 512;

/// The tree is deeper than allowed; nothing more can be read here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooDeep;

impl<'a> Builder<'a> {
    pub(crate) fn new(file: FileId, text: &'a str, limits: &Limits) -> Self {
        Self {
            file,
            text,
            trivia: Trivia::new(file, text),
            frames: Vec::new(),
            report: Report::default(),
            resuming: false,
            as_written: false,
            last_plain: None,
            root: None,
            names: Names::new(),
            anchors: Anchors::new(limits.alias_nodes),
            depth: limits.depth.min(DEEPEST),
        }
    }

    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }

    /// True if the next node is a key.
    fn expects_key(&self) -> bool {
        matches!(self.frames.last(), Some(Frame { items: Items::Mapping(draft), .. }) if draft.expects_key())
    }

    fn key(&mut self, key: Key, end: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.end = frame.end.max(end);
            if let Items::Mapping(draft) = &mut frame.items {
                draft.set_key(key);
            }
        }
    }

    fn add(&mut self, node: Node, weight: ExpandedSize) {
        let end = node.span.end as usize;
        self.add_at(node, weight, end);
    }

    /// Adds a node, written up to `end`, to the last frame.
    fn add_at(&mut self, node: Node, weight: ExpandedSize, end: usize) {
        if self.expects_key() {
            self.complain_about_key(node.span);
            return self.key(Key::Dropped, end);
        }
        let Some(frame) = self.frames.last_mut() else {
            self.root.get_or_insert(node);
            return;
        };
        frame.end = frame.end.max(end);
        frame.weight.add(weight);
        match &mut frame.items {
            Items::Sequence(items) => items.push(node),
            Items::Mapping(draft) => draft.set_value(node),
        }
    }

    /// Reads the properties of the node whose first one is at `start`.
    fn properties(&mut self, start: usize, count: usize) -> Properties<'a> {
        if count == 0 {
            return Properties::default();
        }
        self.trivia.advance(start);
        self.trivia.properties(count)
    }

    fn tag(&mut self, tag: Option<&scanner::Tag>, properties: &Properties<'_>) -> Tagged {
        let Some(tag) = tag else { return Tagged::default() };
        let (start, end) = properties.tag.unwrap_or((self.trivia.at(), self.trivia.at()));
        tags::read(tag, self.span(start, end), &mut self.report)
    }

    /// Gives the key that waits for its value null.
    pub(crate) fn complete_key(&mut self) {
        if let Some(Frame { items: Items::Mapping(draft), .. }) = self.frames.last_mut() {
            draft.complete();
        }
    }

    /// Takes back what an unquoted value has swallowed when the parser stops at a `:` behind it: its last line is a key,
    /// and only its first line is kept. Gives the place up to which what was read is right.
    pub(crate) fn take_back(&mut self, colon: usize) -> usize {
        let at = self.trivia.at();
        let Some((start, end)) = self.last_plain.filter(|(_, end)| *end == at) else { return at };
        let first_line = start..lines::value_end(self.text, start);
        let is_key = end <= colon
            && self.text[end..colon].bytes().all(|it| it == b' ')
            && self.text[colon..].starts_with(':');
        if first_line.end >= end || !is_key {
            return at;
        }
        let data = scalar::plain_value(&self.text[first_line.clone()], &mut self.names);
        let node = Node::new(data, self.span(start, first_line.end));
        self.trivia.rewind(first_line.end);
        self.root = None;
        if let Some(frame) = self.frames.last_mut() {
            frame.end = first_line.end;
            match &mut frame.items {
                Items::Sequence(items) => items.last_mut().into_iter().for_each(|last| *last = node.clone()),
                Items::Mapping(draft) => draft.replace_last(node),
            }
        }
        start
    }

    /// True if nothing was read.
    pub(crate) fn is_empty(&self) -> bool {
        self.frames.is_empty() && self.root.is_none()
    }

    /// Closes what is open and gives the tree.
    pub(crate) fn finish(mut self) -> (Option<Node>, Vec<Span>, Report) {
        while !self.frames.is_empty() {
            self.close_frame();
        }
        (self.root, self.trivia.comments, self.report)
    }
}
