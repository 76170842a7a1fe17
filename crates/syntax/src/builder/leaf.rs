use std::sync::Arc;

use diag::{Diagnostic, Span};
use scanner::ScalarStyle;

use super::{Builder, ExpandedSize, Frame, Items};
use crate::mapping::Key;
use crate::tags::{self, CoreTag, Tagged};
use crate::trivia::Properties;
use crate::{Node, NodeData, Style, Tag, codes, extent, invisible, lines, scalar};

impl<'a> Builder<'a> {
    /// A scalar whose first property or character is at `start`, and whose last one, perhaps followed by white space,
    /// is before `end`.
    pub(crate) fn scalar(
        &mut self,
        value: &str,
        style: ScalarStyle,
        (start, end): (usize, usize),
        properties: usize,
        tag: Option<&scanner::Tag>,
    ) {
        if style == ScalarStyle::Plain && value.is_empty() {
            return self.empty(start, properties, tag);
        }
        let properties = self.properties(start, properties);
        let (start, end) = match style {
            ScalarStyle::Plain => {
                self.trivia.advance(start);
                self.trivia.skip_blank();
                (self.trivia.at().min(end), end)
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
            self.warn_tag_on_key(tagged.tag, &properties);
            return self.text_key(value, style, span, tagged, properties.anchor);
        }
        if style == Style::Plain {
            self.last_plain = Some((start, end));
            self.warn_glued(start, end);
        }
        let data = self.scalar_data(value, style, span, tagged.core);
        self.scalar_node(data, span, tagged.tag, properties.anchor);
    }

    /// Warns of a merge tag before a key: it says nothing there, as YAML counts it to the key.
    fn warn_tag_on_key(&mut self, tag: Tag, properties: &Properties<'_>) {
        let Some((start, end)) = properties.tag.filter(|_| tag != Tag::None) else { return };
        let message = format!("`{}` before a key has no effect", &self.text[start..end]);
        let found = Diagnostic::warning(codes::TAG_ON_KEY, self.span(start, end), message);
        self.report.push(found.help("write it before the value, after the `:`"));
    }

    fn text_key(&mut self, value: &str, style: Style, span: Span, tagged: Tagged, anchor: Option<&'a str>) {
        invisible::check_key(self.text, value, span, &mut self.report);
        let text = self.names.share(value);
        let as_text = NodeData::String(text.clone(), style);
        let plain = style == Style::Plain && tagged.core.is_none();
        // `<<` is meant as it is.
        if plain && value != "<<" {
            scalar::warn_lookalike(value, span, &as_text, true, &mut self.report);
        }
        if let Some(name) = anchor {
            let data = if plain { scalar::plain_value(value, &mut self.names) } else { as_text };
            self.anchors.define(name, Node::new(data, span), ExpandedSize::SCALAR);
        }
        self.key(Key::Text { text, span, plain }, span.end as usize);
    }

    fn scalar_data(&mut self, value: &str, style: Style, span: Span, core: Option<CoreTag>) -> NodeData {
        if let Some(core) = core {
            return tags::scalar(core, value, style, span, &mut self.names, &mut self.report);
        }
        if style != Style::Plain {
            return NodeData::String(self.names.share(value), style);
        }
        scalar::plain(value, span, &mut self.names, &mut self.report)
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
            let found = Diagnostic::warning(
                codes::MISSING_SPACE,
                self.span(colon, colon + 1),
                "there is no space after this `:`, so the line is one text",
            )
            .help("write `key: value`, or quote the text");
            // Another character may begin something that is no text.
            let is_text =
                self.text[colon + 1..].starts_with(|it: char| it.is_alphanumeric() || "/._$".contains(it));
            self.report.push(if is_text { found.replace("Insert a space", after, " ") } else { found });
        }
    }

    /// A value that is not written.
    fn empty(&mut self, start: usize, properties: usize, tag: Option<&scanner::Tag>) {
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
            self.report.push(
                Diagnostic::error(codes::KEY_NOT_TEXT, span, "there is no key here")
                    .help("write the key before the `:`, or quote the text if the `:` belongs to it"),
            );
            return self.key(Key::Dropped, at);
        }
        let data = match tagged.core {
            Some(core) => tags::scalar(core, "", Style::Plain, span, &mut self.names, &mut self.report),
            None => NodeData::Null,
        };
        self.scalar_node(data, span, tagged.tag, found.anchor);
    }

    fn scalar_node(&mut self, data: NodeData, span: Span, tag: Tag, anchor: Option<&'a str>) {
        let node = Node { data, span, tag };
        if let Some(name) = anchor {
            self.anchors.define(name, node.clone(), ExpandedSize::SCALAR);
        }
        self.add(node, ExpandedSize::SCALAR);
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
            return self.add(Node::new(NodeData::String(text, Style::Plain), span), ExpandedSize::SCALAR);
        }
        let name = self.text.get(start + 1..end).unwrap_or_default();
        let depth_left = self.depth.saturating_sub(self.frames.len());
        let Some((node, weight)) = self.anchors.resolve(name, span, depth_left, self.text, &mut self.report)
        else {
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

    /// Skips the text at `span`, which cannot be read and has been reported.
    fn lost(&mut self, span: Span) {
        if self.expects_key() {
            return self.key(Key::Dropped, span.end as usize);
        }
        self.add(Node::new(NodeData::Null, span), ExpandedSize::SCALAR);
    }

    pub(super) fn complain_about_key(&mut self, span: Span) {
        self.report.push(
            Diagnostic::error(codes::KEY_NOT_TEXT, span, "a key must be text, not a list or a map").help(
                if self.text[..span.start as usize].ends_with('{') {
                    "quote the whole value if `{{` belongs to a template; this entry is ignored"
                } else {
                    "quote it if it is text; this entry is ignored"
                },
            ),
        );
    }
}
