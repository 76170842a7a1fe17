//! Quotes and brackets over several lines.

use super::finding::{Finding, Kind, SpaceEdit};
use super::scanner::{LibyamlError, Scanner, Step};

/// A line inside quotes or brackets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) start: usize,
    pub(super) kind: LineKind,
}

/// The token at the start of such a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// The rest of a quoted text.
    Quoted,
    /// Anything else.
    Token,
}

impl Scanner<'_> {
    /// Quotes or brackets open in a block.
    pub(super) fn begin(&mut self, least: isize) {
        self.lines = Some(Vec::new());
        self.start = self.at;
        self.least = least;
    }

    /// Quotes or brackets that opened in a block are closed.
    pub(super) fn end(&mut self, kind: Kind) -> Step {
        let lines = self.lines.take().unwrap_or_default();
        // Nothing that has several lines is a key, so nothing else may follow on the last one.
        if !lines.is_empty() && !matches!(self.next(), b'\n' | b'\r' | b'#' | 0) {
            return Err(LibyamlError);
        }
        let indented: Vec<(usize, isize)> =
            lines.iter().filter_map(|line| Some((line.start, self.indented(*line)? as isize))).collect();
        if let Some((place, _)) = indented.iter().find(|(_, column)| *column < self.least) {
            let (start, edits) = (self.start, self.moved(&indented));
            self.findings.push(Finding { kind, start, end: self.at, place: *place, edits });
        }
        Ok(())
    }

    /// The spaces that move these lines to the right so far that all are accepted; they keep their layout.
    fn moved(&self, indented: &[(usize, isize)]) -> Vec<SpaceEdit> {
        let least = indented.iter().map(|(_, column)| *column).min().unwrap_or(0);
        let count = (self.indent + 2 - least).max(1) as usize;
        indented.iter().map(|(at, _)| SpaceEdit { at: *at, replaced: 0, count, escape: None }).collect()
    }

    /// The number of spaces that a line starts with; `None` if there is nothing, or only a comment, behind them.
    fn indented(&self, line: Line) -> Option<usize> {
        let rest = self.text.as_bytes().get(line.start..)?;
        let spaces = rest.iter().position(|it| *it != b' ')?;
        match rest.get(spaces)? {
            b'\n' | b'\r' => None,
            b'#' if line.kind == LineKind::Token => None,
            _ => Some(spaces),
        }
    }
}
