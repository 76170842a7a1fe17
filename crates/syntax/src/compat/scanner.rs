use super::finding::{Finding, Kind, SpaceEdit};
use super::lines::{Line, LineKind};

/// Goes over a text as libyaml's scanner does, without making tokens of it.
///
/// It knows just enough to find quoted texts, brackets, text blocks and comments, and the indentation of the collection that
/// they are in. Each byte is read a fixed number of times. Where libyaml stops, it stops.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) line: usize,
    /// The number of bytes between the line's start and `counted` that start no character.
    wide: usize,
    counted: usize,
    /// The column of the innermost block collection; -1 without one.
    pub(super) indent: isize,
    /// The columns of those around it.
    indents: Vec<isize>,
    /// The least column that our parser accepts for a line of what starts here.
    pub(super) least: isize,
    /// The start of the quoted text or brackets that are open.
    pub(super) start: usize,
    /// The place at which a key may have started on this line, and its column.
    pub(super) key: Option<(usize, isize)>,
    pub(super) key_allowed: bool,
    /// Behind a `:` or a dash there is nothing yet.
    pub(super) value_missing: bool,
    /// The brackets that are open.
    pub(super) open: Vec<u8>,
    /// The lines of the quoted text or brackets that are open, if there are any.
    pub(super) lines: Option<Vec<Line>>,
    pub(super) findings: Vec<Finding>,
}

/// libyaml refuses the text here.
#[derive(Clone, Copy, Debug)]
pub(super) struct LibyamlError;

pub(super) type Step = Result<(), LibyamlError>;

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self {
            text,
            at: start,
            line: start,
            wide: 0,
            counted: start,
            indent: -1,
            indents: Vec::new(),
            least: -1,
            start,
            key: None,
            key_allowed: true,
            value_missing: false,
            open: Vec::new(),
            lines: None,
            findings: Vec::new(),
        }
    }

    /// All there is up to where libyaml stops, or to the end of the first document.
    pub(super) fn findings(mut self) -> Vec<Finding> {
        while let Ok(true) = self.token() {}
        diag::order::by_key(&mut self.findings, |it| it.place);
        self.findings
    }

    /// The byte so many bytes ahead; 0 at the end.
    pub(super) fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    /// The byte behind the spaces and tabs that are here.
    pub(super) fn next(&self) -> u8 {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        rest.iter().find(|it| !matches!(it, b' ' | b'\t')).copied().unwrap_or(0)
    }

    pub(super) fn is_blank_at(&self, ahead: usize) -> bool {
        matches!(self.byte(ahead), b' ' | b'\t' | b'\n' | b'\r' | 0)
    }

    pub(super) const fn in_flow(&self) -> bool {
        !self.open.is_empty()
    }

    /// The column of the next character.
    pub(super) fn column(&mut self) -> isize {
        let since = self.text.as_bytes().get(self.counted..self.at).unwrap_or_default();
        self.wide += since.iter().filter(|it| (**it & 0xc0) == 0x80).count();
        self.counted = self.at;
        (self.at - self.line - self.wide) as isize
    }

    /// Steps over a line break.
    pub(super) fn line_break(&mut self, kind: LineKind) {
        self.at += if self.byte(0) == b'\r' && self.byte(1) == b'\n' { 2 } else { 1 };
        (self.line, self.wide, self.counted) = (self.at, 0, self.at);
        let is_empty = matches!(self.byte(0), b'\n' | b'\r');
        if let Some(lines) = self.lines.as_mut().filter(|_| !is_empty) {
            lines.push(Line { start: self.at, kind });
        }
    }

    pub(super) fn line_end(&self) -> usize {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at + rest.iter().position(|it| matches!(it, b'\n' | b'\r')).unwrap_or(rest.len())
    }

    pub(super) fn is_document_mark(&mut self) -> bool {
        self.at == self.line
            && matches!(self.text.get(self.at..self.at + 3), Some("---" | "..."))
            && self.is_blank_at(3)
    }

    pub(super) fn find(&mut self, kind: Kind, start: usize, edit: SpaceEdit) {
        self.findings.push(Finding { kind, start, end: edit.at, place: edit.at, edits: vec![edit] });
    }

    /// A key may start here.
    pub(super) fn save_key(&mut self) {
        if !self.in_flow() && self.key_allowed {
            self.key = Some((self.at, self.column()));
        }
    }

    /// Leaves the block collections that are indented deeper than this.
    pub(super) fn unroll(&mut self, column: isize) {
        while !self.in_flow() && self.indent > column {
            self.indent = self.indents.pop().unwrap_or(-1);
            self.least = self.indent;
        }
        if !self.in_flow() && self.least > column {
            self.least = self.indent;
        }
    }

    /// Enters a block collection in this column, if it is deeper.
    pub(super) fn roll(&mut self, column: isize) {
        if self.indent < column {
            self.indents.push(self.indent);
            self.indent = column;
        }
        self.least = self.indent;
    }
}
