use scanner::{Event, ScalarStyle, ScanError, Scanner};

use crate::block::{self, Header};
use crate::cursor::{Cursor, Unclear, line};
use crate::open::{Open, Shape};
use crate::page::column;
use crate::piece::{Kind, Piece};
use crate::scalar::quoted_len;

/// The reason why a text cannot be cut into pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It is not YAML.
    Scan(ScanError),
    /// It is, in a way that is not known here.
    Unclear,
}

impl From<Unclear> for Failure {
    fn from(_: Unclear) -> Self {
        Self::Unclear
    }
}

/// The bytes of an event, and how many properties its node has.
#[derive(Clone, Copy, Debug)]
struct Extent {
    start: usize,
    end: usize,
    properties: usize,
}

/// All pieces of a text, in order.
pub(crate) fn pieces(text: &str) -> Result<Vec<Piece>, Failure> {
    let mut pieces = Pieces { cursor: Cursor::new(text), open: Vec::new(), question_is_done: false };
    let mut events = Scanner::new(text).events_from(0);
    while let Some(event) = events.next_event() {
        let (event, start, end) = event.map_err(Failure::Scan)?;
        pieces.event(&event, start, end)?;
    }
    let mut cursor = pieces.cursor;
    cursor.advance(text.len())?;
    Ok(cursor.pieces)
}

#[derive(Debug)]
struct Pieces<'a> {
    cursor: Cursor<'a>,
    open: Vec<Open>,
    /// True if the last `?` has its key, which is not written.
    question_is_done: bool,
}

impl Pieces<'_> {
    fn event(&mut self, event: &Event<'_>, start: usize, end: usize) -> Result<(), Unclear> {
        let extent = |anchor: usize, has_tag: bool| Extent {
            start,
            end,
            properties: usize::from(anchor > 0) + usize::from(has_tag),
        };
        match event {
            Event::Scalar(value, ScalarStyle::Plain, anchor, tag) if value.is_empty() => {
                self.empty(extent(*anchor, tag.is_some()))
            }
            Event::Scalar(_, style, anchor, tag) => self.scalar(*style, extent(*anchor, tag.is_some())),
            Event::SequenceStart(anchor, tag) => self.sequence(extent(*anchor, tag.is_some())),
            Event::MappingStart(anchor, tag) => self.mapping(extent(*anchor, tag.is_some())),
            Event::SequenceEnd | Event::MappingEnd => self.close(start),
            Event::Alias(_) => self.alias(start, end),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => Ok(()),
        }
    }

    fn expects_key(&self) -> bool {
        self.open.last().is_some_and(|it| it.is_map && it.expects_key)
    }

    /// A key or value is complete.
    fn complete(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.expects_key = !open.expects_key;
        }
    }

    /// Goes to the node that starts at `start`, and over its properties.
    fn begin(&mut self, start: usize, properties: usize) -> Result<(), Unclear> {
        self.cursor.advance(start)?;
        let is_behind_question = self.cursor.last() == Some(Kind::Question) && !self.question_is_done;
        self.cursor.before_key = self.expects_key() && !is_behind_question;
        self.question_is_done = false;
        self.cursor.properties(properties)?;
        self.cursor.skip_blank();
        Ok(())
    }

    fn scalar(&mut self, style: ScalarStyle, extent: Extent) -> Result<(), Unclear> {
        if matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            self.block_scalar(extent)?;
        } else {
            self.begin(extent.start, extent.properties)?;
            let written = self.cursor.text.get(self.cursor.at..extent.end).ok_or(Unclear)?;
            let (kind, len) = match style {
                ScalarStyle::SingleQuoted => (Kind::Single, quoted_len(self.cursor.rest(), '\'')),
                ScalarStyle::DoubleQuoted => (Kind::Double, quoted_len(self.cursor.rest(), '"')),
                _ => (Kind::Plain, written.trim_end_matches([' ', '\t', '\n', '\r']).len()),
            };
            self.cursor.push(kind, self.cursor.at + len);
        }
        self.complete();
        Ok(())
    }

    /// The marks of an event of a block scalar without properties are those of its lines.
    fn block_scalar(&mut self, extent: Extent) -> Result<(), Unclear> {
        if extent.properties > 0 {
            self.begin(extent.start, extent.properties)?;
        }
        self.cursor.seek(b"|>", extent.end)?;
        self.cursor.before_key = false;
        let rest = self.cursor.rest();
        let len = block::header_len(rest);
        let header = Header::read(rest.get(..len).unwrap_or_default());
        let body = rest.find('\n').map_or(rest.len(), |at| at + 1);
        self.cursor.push(Kind::Header, self.cursor.at + len);
        let body = self.cursor.at - len + body;
        self.header_comment();
        let outside = self.open.last().map_or(0, |it| it.column);
        let rest = self.cursor.text.get(body..).unwrap_or_default();
        let limit = extent.end.saturating_sub(body);
        if let Some(len) = block::body_len(rest, header, outside, limit) {
            self.cursor.at = body;
            self.cursor.push(Kind::Body, body + len);
        }
        Ok(())
    }

    /// The comment on the line of a block scalar's indicators.
    fn header_comment(&mut self) {
        let rest = self.cursor.rest();
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if blank > 0 && rest.get(blank..).is_some_and(|it| it.starts_with('#')) {
            self.cursor.at += blank;
            let written = line(self.cursor.rest()).trim_end_matches([' ', '\t']);
            self.cursor.push(Kind::Comment, self.cursor.at + written.len());
        }
    }

    /// A key or value that is not written, but perhaps has an indicator, which is read only now.
    fn empty(&mut self, extent: Extent) -> Result<(), Unclear> {
        if extent.properties > 0 {
            self.begin(extent.start, extent.properties)?;
        } else if let Some(open) = self.open.last().copied() {
            self.cursor.skip_blank();
            let indicator = match open {
                Open { is_map: false, .. } => b'-',
                Open { expects_key: true, .. } => b'?',
                Open { .. } => b':',
            };
            if self.cursor.byte() == indicator {
                self.cursor.step()?;
                self.question_is_done = indicator == b'?';
            }
        }
        self.complete();
        Ok(())
    }

    fn alias(&mut self, start: usize, end: usize) -> Result<(), Unclear> {
        self.begin(start, 0)?;
        let written = self.cursor.text.get(self.cursor.at..end).ok_or(Unclear)?;
        let len = written.trim_end_matches([' ', '\t', '\n', '\r']).len();
        self.cursor.push(Kind::Alias, self.cursor.at + len);
        self.complete();
        Ok(())
    }

    fn sequence(&mut self, extent: Extent) -> Result<(), Unclear> {
        if extent.properties > 0 {
            self.begin(extent.start, extent.properties)?;
        }
        // The mark of a list whose dashes are in the column of its key is behind the first dash.
        if self.open.last().is_some_and(|it| it.is_map && it.shape == Shape::Block) {
            self.cursor.seek(b"-", extent.start)?;
            if self.cursor.byte() == b'-' {
                return self.enter(Shape::Block, false);
            }
        }
        self.begin(extent.start, 0)?;
        let shape = if self.cursor.byte() == b'[' { Shape::Flow } else { Shape::Block };
        self.enter(shape, false)
    }

    fn mapping(&mut self, extent: Extent) -> Result<(), Unclear> {
        self.begin(extent.start, extent.properties)?;
        let in_flow = self.open.last().is_some_and(|it| it.shape != Shape::Block);
        let shape = match self.cursor.byte() {
            b'{' if extent.end > extent.start => Shape::Flow,
            _ if in_flow => Shape::Pair,
            _ => Shape::Block,
        };
        self.enter(shape, true)
    }

    fn enter(&mut self, shape: Shape, is_map: bool) -> Result<(), Unclear> {
        match shape {
            Shape::Flow => self.cursor.step()?,
            Shape::Block => self.cursor.mark(Kind::BlockStart),
            Shape::Pair => {}
        }
        if shape != Shape::Flow {
            self.cursor.before_key = false;
        }
        // A line may be long, and what is in brackets has no column.
        let is_block = shape == Shape::Block;
        let column = if is_block { column(self.cursor.text, self.cursor.at) } else { 0 };
        self.open.push(Open { shape, is_map, expects_key: is_map, column });
        Ok(())
    }

    fn close(&mut self, at: usize) -> Result<(), Unclear> {
        match self.open.pop().ok_or(Unclear)?.shape {
            Shape::Flow => {
                self.cursor.advance(at)?;
                self.cursor.skip_blank();
                self.cursor.step()?;
            }
            Shape::Block => self.cursor.mark(Kind::BlockEnd),
            Shape::Pair => {}
        }
        self.complete();
        Ok(())
    }
}
