use crate::block::{self, Header};
use crate::comments::{self, Next};
use crate::cursor::Unclear;
use crate::frames::{Frame, Frames, STEP};
use crate::page::{Page, column};
use crate::piece::{Bracket, Kind, Piece};
use crate::scalar;
use crate::spacing::is_spaced;

/// Empty lines that may be between two pieces, on the first column and elsewhere.
const MOST_EMPTY: (usize, usize) = (2, 1);

/// The text that `pieces` were read from, with another layout.
///
/// # Errors
/// A line of a block scalar is not indented as its first one.
pub(crate) fn layout(text: &str, pieces: &[Piece]) -> Result<String, Unclear> {
    let line_break =
        if text.split_inclusive('\n').next().is_some_and(|it| it.ends_with("\r\n")) { "\r\n" } else { "\n" };
    let mut layout = Layout::new(text);
    for piece in pieces {
        layout.piece(piece)?;
    }
    layout.finish();
    let mut out = layout.page.write(line_break);
    // Whether there is a line break belongs to the value of a block scalar that is last.
    let is_open =
        layout.last == Some(Kind::Body) && !text.get(layout.at..).is_some_and(|rest| rest.contains('\n'));
    if !out.is_empty() && !is_open {
        out.push_str(line_break);
    }
    Ok(out)
}

#[derive(Debug)]
struct Layout<'a> {
    text: &'a str,
    page: Page<'a>,
    frames: Frames,
    /// The end of the last piece.
    at: usize,
    last: Option<Kind>,
    /// Comments on lines of their own, with the empty lines before each, until it is known what comes next.
    held: Vec<(Piece, usize)>,
    header: Header,
}

impl<'a> Layout<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            page: Page::default(),
            frames: Frames::default(),
            at: 0,
            last: None,
            held: Vec::new(),
            header: Header::default(),
        }
    }

    fn piece(&mut self, piece: &Piece) -> Result<(), Unclear> {
        match piece.kind {
            Kind::BlockStart => self.frames.begin(),
            Kind::BlockEnd => self.frames.end(),
            Kind::Comment => self.comment(piece),
            Kind::Body => self.body(piece)?,
            _ => self.written(piece),
        }
        Ok(())
    }

    /// The white space before a piece.
    fn gap(&self, piece: &Piece) -> &'a str {
        self.text.get(self.at..piece.start).unwrap_or_default()
    }

    fn comment(&mut self, piece: &Piece) {
        let breaks = breaks(self.gap(piece));
        if breaks == 0 && self.at > 0 {
            self.page.trail(piece.text(self.text), column(self.text, piece.start));
        } else {
            self.held.push((*piece, breaks.saturating_sub(1)));
        }
        self.at = piece.end;
    }

    /// Writes the comments before a piece.
    fn release(&mut self, next: Next) {
        for (comment, empty) in std::mem::take(&mut self.held) {
            let indent = comments::indentation(&self.frames, column(self.text, comment.start), next);
            self.start(empty, indent);
            self.page.push(comment.text(self.text));
        }
    }

    fn start(&mut self, empty: usize, indent: usize) {
        let most = if indent == 0 { MOST_EMPTY.0 } else { MOST_EMPTY.1 };
        self.page.start(empty.min(most), indent);
    }

    fn written(&mut self, piece: &Piece) {
        let breaks = breaks(self.gap(piece));
        if breaks > 0 || self.at == 0 {
            self.line_start(piece, breaks.saturating_sub(1));
        } else if let Some(last) = self.last {
            self.space(last, piece);
        }
        let columns =
            if self.frames.begins() { (column(self.text, piece.start), self.page.column()) } else { (0, 0) };
        self.frames.placed(columns.0, columns.1);
        self.write(piece);
        self.bracket(piece);
        self.last = Some(piece.kind);
        self.at = piece.end;
    }

    fn line_start(&mut self, piece: &Piece, empty: usize) {
        let indent = self.frames.indentation(piece);
        let next = Next {
            old: column(self.text, piece.start),
            new: indent,
            is_entry: self.frames.is_entry(piece) || piece.kind.is_of_stream(),
            after_nothing: self.is_after_nothing(),
        };
        self.release(next);
        self.start(empty, indent);
    }

    fn is_after_nothing(&self) -> bool {
        self.last.is_some_and(Kind::is_indicator)
    }

    fn space(&mut self, last: Kind, piece: &Piece) {
        let gap = self.gap(piece);
        if self.frames.is_verbatim() {
            self.page.push(gap);
        } else if is_spaced(last, piece.kind, !gap.is_empty()) {
            self.page.push(" ");
        }
    }

    fn write(&mut self, piece: &Piece) {
        let text = piece.text(self.text);
        let indent = self.frames.continuation();
        let is_double = piece.kind == Kind::Double;
        let requoted = if self.frames.is_verbatim() { None } else { scalar::requoted(text) };
        match piece.kind {
            Kind::Single if requoted.is_some() => {
                scalar::write(&mut self.page, &requoted.unwrap_or_default(), indent, false);
            }
            Kind::Plain | Kind::Single | Kind::Double => {
                scalar::write(&mut self.page, text, indent, is_double)
            }
            _ => self.page.push(text),
        }
        if piece.kind == Kind::Header {
            self.header = Header::read(text);
        }
    }

    fn bracket(&mut self, piece: &Piece) {
        if let Kind::Open(bracket) = piece.kind {
            let line = self.page.line();
            let base = self.frames.base(line, self.page.indent());
            let is_template =
                bracket == Bracket::Curly && self.text.get(piece.end..).is_some_and(|it| it.starts_with('{'));
            let verbatim = is_template || self.frames.is_verbatim();
            self.frames.open(Frame::Flow { base, line, verbatim });
        } else if matches!(piece.kind, Kind::Close(_)) {
            self.frames.close();
        }
    }

    /// The lines of a block scalar. At the root they stay where they are.
    fn body(&mut self, piece: &Piece) -> Result<(), Unclear> {
        let body = piece.text(self.text);
        let top = match self.frames.top() {
            Some(Frame::Block { old, new }) => Some((old, new)),
            Some(Frame::Flow { .. }) | None => None,
        };
        let outside = top.map_or(0, |it| it.0);
        let old =
            self.header.indent.map(|it| it + outside).or_else(|| block::detected(body)).unwrap_or(usize::MAX);
        let new = top.map_or(old, |it| it.1 + self.header.indent.unwrap_or(STEP));
        scalar::write_body(&mut self.page, body, old, new).ok_or(Unclear)?;
        self.last = Some(Kind::Body);
        self.at = piece.end;
        Ok(())
    }

    /// Writes the comments at the end.
    fn finish(&mut self) {
        let next = Next { old: 0, new: 0, is_entry: true, after_nothing: self.is_after_nothing() };
        if !self.held.is_empty() {
            self.last = Some(Kind::Comment);
        }
        self.release(next);
    }
}

/// The number of line breaks.
fn breaks(gap: &str) -> usize {
    gap.bytes().filter(|it| *it == b'\n').count()
}
