use crate::piece::{Kind, Piece};

/// The number of columns of one level.
pub(crate) const STEP: usize = 2;

/// A collection around a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// In the columns where its entries were and are.
    Block { old: usize, new: usize },
    /// In brackets.
    Flow {
        /// The indentation of its closing bracket.
        base: usize,
        /// The number of the line on which it was opened.
        line: usize,
        /// True if spaces stay: `{{ … }}` is likely for a program that reads the text before.
        verbatim: bool,
    },
}

/// The collections around a place, and those that have ended there.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    open: Vec<Frame>,
    /// Block collections that have ended since the last piece, innermost first.
    ended: Vec<Frame>,
    /// A block collection begins with the next piece.
    begins: bool,
}

impl Frames {
    pub(crate) fn begin(&mut self) {
        self.begins = true;
    }

    pub(crate) fn end(&mut self) {
        self.ended.extend(self.open.pop());
    }

    pub(crate) fn top(&self) -> Option<Frame> {
        self.open.last().copied()
    }

    pub(crate) fn is_verbatim(&self) -> bool {
        matches!(self.top(), Some(Frame::Flow { verbatim: true, .. }))
    }

    /// The indentation of a line that starts with this piece.
    pub(crate) fn indentation(&self, piece: &Piece) -> usize {
        if piece.kind.is_of_stream() {
            return 0;
        }
        match self.top() {
            None => 0,
            Some(Frame::Flow { base, .. }) if matches!(piece.kind, Kind::Close(_)) => base,
            Some(Frame::Flow { base, .. }) => base + STEP,
            Some(Frame::Block { new, .. }) if self.is_entry(piece) => new,
            Some(Frame::Block { new, .. }) => new + STEP,
        }
    }

    /// True if a piece begins an entry of the collection that is open.
    pub(crate) fn is_entry(&self, piece: &Piece) -> bool {
        !self.begins && (piece.is_key || piece.kind.is_indicator())
    }

    /// The indentation of further lines of a scalar.
    pub(crate) fn continuation(&self) -> usize {
        match self.top() {
            None => 0,
            Some(Frame::Flow { base, .. }) => base + STEP,
            Some(Frame::Block { new, .. }) => new + STEP,
        }
    }

    /// The indentation of the closing bracket of a collection that is opened on a line of that number and indentation.
    pub(crate) fn base(&self, number: usize, indent: usize) -> usize {
        match self.top() {
            None => 0,
            Some(Frame::Block { new, .. }) => new + STEP,
            Some(Frame::Flow { base, line, .. }) if line == number => base,
            Some(Frame::Flow { .. }) => indent,
        }
    }

    /// Goes on behind a piece that was written, from column `old` to `new`.
    pub(crate) fn placed(&mut self, old: usize, new: usize) {
        if std::mem::take(&mut self.begins) {
            self.open.push(Frame::Block { old, new });
        }
        self.ended.clear();
    }

    pub(crate) fn open(&mut self, frame: Frame) {
        self.open.push(frame);
    }

    pub(crate) fn close(&mut self) {
        self.open.pop();
    }

    /// True if the next piece begins a block collection.
    pub(crate) const fn begins(&self) -> bool {
        self.begins
    }

    /// The block collections around the last piece, innermost first, as their old and new columns.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (usize, usize)> {
        self.ended.iter().chain(self.open.iter().rev()).map_while(|it| match it {
            Frame::Block { old, new } => Some((*old, *new)),
            Frame::Flow { .. } => None,
        })
    }
}
