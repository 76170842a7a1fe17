use diag::{FileId, Span};

/// Reads what the parser's events leave out: the white space, indicators, properties and comments between values.
///
/// Invariant: `at` only grows (but for [`rewind`](Self::rewind), which takes back what was read), so spans made from it are in order and children lie inside their parents. It is never
/// inside a quoted or block scalar, so every `#` it meets after white space starts a comment.
#[derive(Debug)]
pub(crate) struct Trivia<'a> {
    text: &'a str,
    file: FileId,
    at: usize,
    pub(crate) comments: Vec<Span>,
}

/// The anchor and tag written before a value.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Properties<'a> {
    /// The anchor's name.
    pub(crate) anchor: Option<&'a str>,
    /// The place of the tag.
    pub(crate) tag: Option<(usize, usize)>,
}

impl<'a> Trivia<'a> {
    pub(crate) const fn new(file: FileId, text: &'a str) -> Self {
        Self { text, file, at: 0, comments: Vec::new() }
    }

    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Goes on after a value that ends at `to`.
    pub(crate) fn jump(&mut self, to: usize) {
        self.at = self.at.max(to);
    }

    /// Goes back to `to`, inside an unquoted scalar that was read last.
    pub(crate) fn rewind(&mut self, to: usize) {
        self.at = self.at.min(to);
    }

    /// Steps over white space and comments.
    pub(crate) fn skip_blank(&mut self) {
        let bytes = self.text.as_bytes();
        loop {
            while let Some(b' ' | b'\t' | b'\n' | b'\r') = bytes.get(self.at) {
                self.at += 1;
            }
            match self.byte() {
                b'#' if self.at_line_start() || self.after_blank() => self.comment(),
                0xef if bytes[self.at..].starts_with("\u{feff}".as_bytes()) => self.at += 3,
                _ => return,
            }
        }
    }

    /// Takes the comment on the rest of a block scalar's first line.
    pub(crate) fn header_comment(&mut self) {
        while matches!(self.byte(), b' ' | b'\t') {
            self.at += 1;
        }
        if self.byte() == b'#' && self.after_blank() {
            self.comment();
        }
    }

    /// Steps over everything before `until`.
    pub(crate) fn advance(&mut self, until: usize) {
        while self.at < until {
            self.skip_blank();
            if self.at < until {
                self.step();
                // What looks like a long tag here may be nothing of the kind to the parser.
                self.at = self.at.min(until);
            }
        }
    }

    /// Steps to the first of the wanted indicators before `until`; `None` leaves it at `until`.
    pub(crate) fn seek(&mut self, until: usize, requested: &[u8]) -> Option<usize> {
        loop {
            self.skip_blank();
            if self.at >= until {
                return None;
            }
            if requested.contains(&self.byte()) {
                return Some(self.at);
            }
            self.step();
            self.at = self.at.min(until);
        }
    }

    /// Reads this many properties.
    pub(crate) fn properties(&mut self, count: usize) -> Properties<'a> {
        let mut properties = Properties::default();
        for _ in 0..count {
            self.skip_blank();
            let start = self.at;
            let byte = self.byte();
            self.step();
            match byte {
                b'&' => properties.anchor = self.text.get(start + 1..self.at),
                b'!' => properties.tag = Some((start, self.at)),
                _ => self.at = start,
            }
        }
        properties
    }

    /// Steps over an indicator, or a whole anchor, alias or tag: their names may hold indicators.
    fn step(&mut self) {
        match self.byte() {
            b'&' | b'*' => self.name(),
            b'!' if self.text[self.at..].starts_with("!<") => {
                let rest = &self.text.as_bytes()[self.at..];
                self.at += rest.iter().position(|byte| *byte == b'>').map_or(rest.len(), |len| len + 1);
            }
            b'!' => self.name(),
            b'%' if self.at_line_start() => self.directive(),
            _ => self.at += self.text[self.at..].chars().next().map_or(0, char::len_utf8),
        }
    }

    fn name(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let ends =
            |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b'[' | b']' | b'{' | b'}');
        self.at += rest.iter().position(ends).unwrap_or(rest.len());
    }

    /// Steps over a directive up to a comment or the line's end.
    fn directive(&mut self) {
        while !matches!(self.text.as_bytes().get(self.at), None | Some(b'\n' | b'\r')) {
            if self.byte() == b'#' && self.after_blank() {
                return;
            }
            self.at += 1;
        }
    }

    /// Takes the comment that starts here.
    fn comment(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let len = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        self.comments.push(Span::new(self.file, self.at as u32, (self.at + len) as u32));
        self.at += len;
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || matches!(self.text.as_bytes()[self.at - 1], b'\n' | b'\r')
    }

    fn after_blank(&self) -> bool {
        matches!(self.text.as_bytes()[self.at - 1], b' ' | b'\t')
    }
}
