use crate::piece::{Bracket, Kind, Piece};

/// Reads what the scanner's events leave out: indicators, properties, comments and markers of documents.
///
/// Invariant: `at` only grows, and is never inside a scalar, so every `#` after white space starts a comment.
#[derive(Debug)]
pub(crate) struct Cursor<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    pub(crate) pieces: Vec<Piece>,
    /// True if the next piece of a node begins a key.
    pub(crate) before_key: bool,
}

/// There is something that no piece is known for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unclear;

impl<'a> Cursor<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, at: 0, pieces: Vec::new(), before_key: false }
    }

    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(crate) fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// The last piece that is neither a comment nor the place of a collection.
    pub(crate) fn last(&self) -> Option<Kind> {
        let is_written = |it: &&Piece| !matches!(it.kind, Kind::Comment | Kind::BlockStart | Kind::BlockEnd);
        self.pieces.iter().rev().find(is_written).map(|it| it.kind)
    }

    /// Adds the piece that is up to `end`, and goes on behind it.
    pub(crate) fn push(&mut self, kind: Kind, end: usize) {
        let is_node = !(kind.is_indicator() || matches!(kind, Kind::Comment | Kind::Comma | Kind::Close(_)));
        let is_key = is_node && std::mem::take(&mut self.before_key);
        self.pieces.push(Piece { kind, start: self.at, end, is_key });
        self.at = end;
    }

    /// Adds a place that has no bytes.
    pub(crate) fn mark(&mut self, kind: Kind) {
        self.pieces.push(Piece { kind, start: self.at, end: self.at, is_key: false });
    }

    /// Steps over white space and comments.
    pub(crate) fn skip_blank(&mut self) {
        loop {
            self.at += blank_len(self.rest());
            if self.byte() != b'#' || !self.after_blank() {
                return;
            }
            let line = line(self.rest());
            let end = self.at + line.trim_end_matches([' ', '\t']).len();
            self.push(Kind::Comment, end);
        }
    }

    /// Steps over everything before `until`.
    pub(crate) fn advance(&mut self, until: usize) -> Result<(), Unclear> {
        while self.at < until {
            self.skip_blank();
            if self.at < until {
                self.step()?;
            }
        }
        Ok(())
    }

    /// Steps over everything before the first of `bytes`, which is before `until`.
    pub(crate) fn seek(&mut self, bytes: &[u8], until: usize) -> Result<(), Unclear> {
        loop {
            self.skip_blank();
            if self.at >= until || bytes.contains(&self.byte()) {
                return Ok(());
            }
            self.step()?;
        }
    }

    /// Reads this many anchors and tags.
    pub(crate) fn properties(&mut self, count: usize) -> Result<(), Unclear> {
        for _ in 0..count {
            self.skip_blank();
            if !matches!(self.byte(), b'&' | b'!') {
                return Err(Unclear);
            }
            self.step()?;
        }
        Ok(())
    }

    /// Adds the piece that is here, which is no scalar and no alias.
    pub(crate) fn step(&mut self) -> Result<(), Unclear> {
        let (kind, len) = match self.byte() {
            b'-' if self.is_marker("---") => (Kind::DocumentStart, 3),
            b'.' if self.is_marker("...") => (Kind::DocumentEnd, 3),
            b'%' if self.at_line_start() => (Kind::Directive, directive_len(self.rest())),
            b'-' => (Kind::Dash, 1),
            b'?' => (Kind::Question, 1),
            b':' => (Kind::Colon, 1),
            b',' => (Kind::Comma, 1),
            b'[' => (Kind::Open(Bracket::Square), 1),
            b'{' => (Kind::Open(Bracket::Curly), 1),
            b']' => (Kind::Close(Bracket::Square), 1),
            b'}' => (Kind::Close(Bracket::Curly), 1),
            b'&' | b'!' => (Kind::Property, property_len(self.rest())),
            _ => return Err(Unclear),
        };
        self.push(kind, self.at + len);
        Ok(())
    }

    fn is_marker(&self, marker: &str) -> bool {
        let behind = self.rest().strip_prefix(marker);
        self.at_line_start()
            && behind.is_some_and(|it| it.is_empty() || it.starts_with([' ', '\t', '\n', '\r']))
    }

    fn before(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at.checked_sub(1)?).copied()
    }

    fn at_line_start(&self) -> bool {
        matches!(self.before(), None | Some(b'\n'))
    }

    fn after_blank(&self) -> bool {
        matches!(self.before(), None | Some(b' ' | b'\t' | b'\n'))
    }
}

/// The text up to the first line break.
pub(crate) fn line(text: &str) -> &str {
    text.split(['\n', '\r']).next().unwrap_or_default()
}

fn blank_len(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\n', '\r']).len()
}

fn directive_len(text: &str) -> usize {
    let line = line(text);
    let comment = line.find(" #").or_else(|| line.find("\t#")).unwrap_or(line.len());
    line.get(..comment).unwrap_or(line).trim_end_matches([' ', '\t']).len()
}

fn property_len(text: &str) -> usize {
    if text.starts_with("!<") {
        return text.find('>').map_or(text.len(), |at| at + 1);
    }
    text.find([' ', '\t', '\n', '\r', ',', '[', ']', '{', '}']).unwrap_or(text.len())
}
