use std::sync::Arc;

use diag::{Diagnostic, Diagnostics, FileId, Span};
use saphyr_parser::ScalarStyle;

use crate::anchors::Anchors;
use crate::mapping::{Draft, Key};
use crate::names::Names;
use crate::tags::{self, CoreTag, Tagged};
use crate::trivia::{Properties, Trivia};
use crate::{Limits, Node, NodeData, Style, Tag, codes, extent, lines, scalar};

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
    pub(crate) diagnostics: Diagnostics,
    /// The next collection goes on filling the last frame instead of opening one.
    pub(crate) resuming: bool,
    /// Aliases stay text like `*a`, and `<<` a key, so that the tree is what is written.
    pub(crate) as_written: bool,
    /// Where the last unquoted value is, if nothing came after it.
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
    /// The end of the last thing in it.
    pub(crate) end: usize,
    tag: Tag,
    anchor: Option<&'a str>,
    weight: Weight,
}

/// What a frame holds so far.
#[derive(Debug)]
pub(crate) enum Items {
    Sequence(Vec<Node>),
    Mapping(Draft),
}

/// How a collection is written.
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

/// How much a node is when all its aliases are written out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weight {
    pub(crate) nodes: usize,
    pub(crate) height: usize,
}

impl Weight {
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
            diagnostics: Diagnostics::new(),
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

    /// A scalar whose first property or character is at `start`, and whose last one, perhaps followed by white space,
    /// is before `end`.
    pub(crate) fn scalar(
        &mut self,
        value: &str,
        style: ScalarStyle,
        (start, end): (usize, usize),
        properties: usize,
        tag: Option<&saphyr_parser::Tag>,
    ) {
        if style == ScalarStyle::Plain && value.is_empty() {
            return self.empty(start, properties, tag);
        }
        let properties = self.properties(start, properties);
        let (start, end) = match style {
            ScalarStyle::Plain => {
                self.trivia.advance(start);
                self.trivia.skip_blank();
                (self.trivia.at(), end)
            }
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                self.trivia.advance(start);
                self.trivia.skip_blank();
                let start = self.trivia.at();
                (start, extent::quoted_end(self.text, start).min(end.max(start)))
            }
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let start = self.trivia.seek(start, b"|>").unwrap_or(self.trivia.at());
                let (header, end) = extent::block_end(self.text, start, end);
                self.trivia.jump(header);
                self.trivia.header_comment();
                (start, end)
            }
        };
        self.trivia.jump(end);
        let span = self.span(start, end);
        let style = match style {
            ScalarStyle::Plain => Style::Plain,
            ScalarStyle::SingleQuoted => Style::SingleQuoted,
            ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
            ScalarStyle::Literal => Style::Literal,
            ScalarStyle::Folded => Style::Folded,
        };
        let tagged = self.tag(tag, &properties);
        if self.expects_key() {
            return self.text_key(value, style, span, tagged, properties.anchor);
        }
        if style == Style::Plain {
            self.last_plain = Some((start, end));
            self.warn_glued(start, end);
        }
        let data = self.scalar_data(value, style, span, tagged.core);
        self.scalar_node(data, span, tagged.tag, properties.anchor);
    }

    fn text_key(&mut self, value: &str, style: Style, span: Span, tagged: Tagged, anchor: Option<&'a str>) {
        let text = self.names.share(value);
        let as_text = NodeData::String(text.clone(), style);
        let plain = style == Style::Plain && tagged.core.is_none();
        // `<<` is meant as it is.
        if plain && value != "<<" {
            scalar::warn_lookalike_key(value, span, &as_text, &mut self.diagnostics);
        }
        if let Some(name) = anchor {
            let data = if plain { scalar::plain_value(value, &mut self.names) } else { as_text };
            self.anchors.define(name, Node::new(data, span), Weight::SCALAR);
        }
        self.key(Key::Text { text, span, plain }, span.end as usize);
    }

    fn scalar_data(&mut self, value: &str, style: Style, span: Span, core: Option<CoreTag>) -> NodeData {
        if let Some(core) = core {
            return tags::scalar(core, value, style, span, &mut self.names, &mut self.diagnostics);
        }
        if style != Style::Plain {
            return NodeData::String(self.names.share(value), style);
        }
        scalar::plain(value, span, &mut self.names, &mut self.diagnostics)
    }

    /// Warns of a `key:value` that stands on a line of its own where a map is likely meant.
    fn warn_glued(&mut self, start: usize, end: usize) {
        let is_whole_line =
            || lines::content(self.text, start).start == start && lines::value_end(self.text, start) == end;
        let is_item = matches!(self.frames.last(), Some(Frame { items: Items::Sequence(_), .. }));
        if is_item || !self.text[start..end].contains(':') || !is_whole_line() {
            return;
        }
        if let Some(colon) = lines::glued_colon(self.text, start..end) {
            let after = self.span(colon + 1, colon + 1);
            self.diagnostics.push(
                Diagnostic::warning(
                    codes::MISSING_SPACE,
                    self.span(colon, colon + 1),
                    "there is no space after this `:`, so the line is one text",
                )
                .help("write `key: value`, or quote the text")
                .replace("Insert a space", after, " "),
            );
        }
    }

    /// A value that is not written.
    fn empty(&mut self, start: usize, properties: usize, tag: Option<&saphyr_parser::Tag>) {
        let mut at = self.trivia.at();
        let mut found = Properties::default();
        if properties > 0 {
            self.trivia.advance(start);
            found = self.trivia.properties(properties);
            at = self.trivia.at();
        } else if self.frames.is_empty() {
            // `---` and nothing else: no value, rather than null.
            return;
        } else if !self.expects_key() {
            self.trivia.skip_blank();
            let in_mapping = matches!(self.frames.last(), Some(Frame { items: Items::Mapping(_), .. }));
            if self.trivia.byte() == if in_mapping { b':' } else { b'-' } {
                at = self.trivia.at() + 1;
                self.trivia.jump(at);
            }
        } else {
            self.trivia.skip_blank();
            if self.trivia.byte() == b'?' {
                self.trivia.jump(self.trivia.at() + 1);
            }
            at = self.trivia.at();
        }
        let span = self.span(at, at);
        let tagged = self.tag(tag, &found);
        if self.expects_key() {
            self.diagnostics.push(
                Diagnostic::error(codes::KEY_NOT_TEXT, span, "there is no key here")
                    .help("write the key before the `:`, or quote the text if the `:` belongs to it"),
            );
            return self.key(Key::Dropped, at);
        }
        let data = match tagged.core {
            Some(core) => tags::scalar(core, "", Style::Plain, span, &mut self.names, &mut self.diagnostics),
            None => NodeData::Null,
        };
        self.scalar_node(data, span, tagged.tag, found.anchor);
    }

    fn scalar_node(&mut self, data: NodeData, span: Span, tag: Tag, anchor: Option<&'a str>) {
        let node = Node { data, span, tag };
        if let Some(name) = anchor {
            self.anchors.define(name, node.clone(), Weight::SCALAR);
        }
        self.add(node, Weight::SCALAR);
    }

    /// A list opens.
    pub(crate) fn open_sequence(
        &mut self,
        start: usize,
        properties: usize,
        tag: Option<&saphyr_parser::Tag>,
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
        tag: Option<&saphyr_parser::Tag>,
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
        tag: Option<&saphyr_parser::Tag>,
    ) -> Result<(), TooDeep> {
        if std::mem::take(&mut self.resuming) {
            return Ok(());
        }
        if self.frames.len() >= self.depth {
            self.diagnostics.push(
                Diagnostic::error(
                    codes::TOO_DEEP,
                    self.span(start, start + self.text[start..].chars().next().map_or(0, char::len_utf8)),
                    format!("this is more than {} levels deep", self.depth),
                )
                .help("nothing deeper is read; move some of it into a file of its own or flatten it"),
            );
            return Err(TooDeep);
        }
        let tagged = self.tag(tag, &properties);
        if let (Some(core), Some((start, end))) = (tagged.core, properties.tag) {
            let is_mapping = matches!(items, Items::Mapping(_));
            tags::check_collection(core, is_mapping, self.span(start, end), &mut self.diagnostics);
        }
        if let Some(name) = properties.anchor {
            self.anchors.open(name);
        }
        let weight = Weight { nodes: 1, height: 0 };
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
                NodeData::Mapping(Arc::new(draft.finish(!self.as_written, &mut self.diagnostics)))
            }
        };
        let node = Node { data, span, tag: frame.tag };
        if let Some(name) = frame.anchor {
            self.anchors.define(name, node.clone(), frame.weight);
        }
        self.add(node, frame.weight);
    }

    /// An alias.
    pub(crate) fn alias(&mut self, start: usize, end: usize) {
        self.trivia.advance(start);
        self.trivia.jump(end);
        let span = self.span(start, end);
        if self.as_written {
            let text: Arc<str> = self.text.get(start..end).unwrap_or_default().into();
            if self.expects_key() {
                return self.key(Key::Text { text, span, plain: false }, end);
            }
            return self.add(Node::new(NodeData::String(text, Style::Plain), span), Weight::SCALAR);
        }
        let name = self.text.get(start + 1..end).unwrap_or_default();
        let depth_left = self.depth.saturating_sub(self.frames.len());
        let Some((node, weight)) = self.anchors.resolve(name, span, depth_left, &mut self.diagnostics) else {
            return self.lost(span);
        };
        if !self.expects_key() {
            return self.add_at(node, weight, end);
        }
        let key = match &node.data {
            NodeData::String(text, _) => Some(text.clone()),
            NodeData::Sequence(_) | NodeData::Mapping(_) => None,
            NodeData::Null | NodeData::Bool(_) | NodeData::Int(_) | NodeData::Float(_) => {
                let written = self.text.get(node.span.start as usize..node.span.end as usize);
                Some(self.names.share(written.unwrap_or_default()))
            }
        };
        match key {
            Some(text) => self.key(Key::Text { text, span, plain: false }, end),
            None => {
                self.complain_about_key(span);
                self.key(Key::Dropped, end);
            }
        }
    }

    /// What is written at `span` cannot be read, and the user knows.
    fn lost(&mut self, span: Span) {
        if self.expects_key() {
            return self.key(Key::Dropped, span.end as usize);
        }
        self.add(Node::new(NodeData::Null, span), Weight::SCALAR);
    }

    fn complain_about_key(&mut self, span: Span) {
        self.diagnostics.push(
            Diagnostic::error(codes::KEY_NOT_TEXT, span, "a key must be text, not a list or a map").help(
                if self.text[..span.start as usize].ends_with('{') {
                    "quote the whole value if `{{` belongs to a template; this entry is left out"
                } else {
                    "quote it if it is meant as text; this entry is left out"
                },
            ),
        );
    }

    /// Whether the next node is a key.
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

    fn add(&mut self, node: Node, weight: Weight) {
        let end = node.span.end as usize;
        self.add_at(node, weight, end);
    }

    /// Adds a node, written up to `end`, to the last frame.
    fn add_at(&mut self, node: Node, weight: Weight, end: usize) {
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

    fn tag(&mut self, tag: Option<&saphyr_parser::Tag>, properties: &Properties<'_>) -> Tagged {
        let Some(tag) = tag else { return Tagged::default() };
        let (start, end) = properties.tag.unwrap_or((self.trivia.at(), self.trivia.at()));
        tags::read(tag, self.span(start, end), &mut self.diagnostics)
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

    /// Whether nothing was read.
    pub(crate) fn is_empty(&self) -> bool {
        self.frames.is_empty() && self.root.is_none()
    }

    /// Closes what is open and gives the tree.
    pub(crate) fn finish(mut self) -> (Option<Node>, Vec<Span>, Diagnostics) {
        while !self.frames.is_empty() {
            self.close_frame();
        }
        (self.root, self.trivia.comments, self.diagnostics)
    }
}
