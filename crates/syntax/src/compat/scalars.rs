//! Texts in each of their forms.

use super::finding::{Finding, Kind, SpaceEdit};
use super::lines::LineKind;
use super::scanner::{LibyamlError, Scanner, Step};
use crate::surrogates::{self, PAIR};

impl Scanner<'_> {
    /// Steps over a text in quotes.
    pub(super) fn quoted(&mut self) -> Step {
        self.save_key();
        self.key_allowed = false;
        self.value_missing = false;
        if !self.in_flow() {
            self.begin(self.least);
        }
        let quote = self.byte(0);
        self.at += 1;
        loop {
            match self.byte(0) {
                0 => return Err(LibyamlError),
                b'\n' | b'\r' => {
                    self.line_break(LineKind::Quoted);
                    if self.is_document_mark() {
                        return Err(LibyamlError);
                    }
                }
                b'\\' if quote == b'"' && !matches!(self.byte(1), b'\n' | b'\r') => self.escape(),
                b'\'' if quote == b'\'' && self.byte(1) == b'\'' => self.at += 2,
                it => {
                    self.at += 1;
                    if it == quote {
                        break;
                    }
                }
            }
        }
        if self.in_flow() { Ok(()) } else { self.end(Kind::Quotes) }
    }

    /// Steps over an escape; two halves of a character are one.
    fn escape(&mut self) {
        let Some(character) = self.text.get(self.at..self.at + PAIR).and_then(surrogates::joined) else {
            self.at += 2;
            return;
        };
        let (start, end) = (self.at, self.at + PAIR);
        let edits = vec![SpaceEdit::joined(start, character)];
        self.findings.push(Finding { kind: Kind::Surrogates, start, end, place: start, edits });
        self.at = end;
    }

    /// Steps over a text without quotes, and what is blank behind it.
    pub(super) fn plain(&mut self) -> Step {
        self.save_key();
        self.key_allowed = false;
        self.value_missing = false;
        loop {
            self.plain_words();
            if !self.is_blank_at(0) || self.at >= self.text.len() {
                return Ok(());
            }
            self.plain_blank()?;
            if self.byte(0) == b'#' || self.is_document_mark() {
                return Ok(());
            }
            if !self.in_flow() && self.column() <= self.indent {
                return Ok(());
            }
        }
    }

    /// Steps up to the next white space or the end of the text.
    fn plain_words(&mut self) {
        while !self.is_blank_at(0) && !self.ends_plain() {
            self.at += 1;
        }
    }

    fn ends_plain(&self) -> bool {
        let is_flow = |it: u8| matches!(it, b',' | b'[' | b']' | b'{' | b'}');
        match self.byte(0) {
            b':' => self.is_blank_at(1) || (self.in_flow() && is_flow(self.byte(1))),
            it => self.in_flow() && is_flow(it),
        }
    }

    /// Steps over white space behind words.
    fn plain_blank(&mut self) -> Step {
        let mut is_new_line = false;
        loop {
            match self.byte(0) {
                b' ' => self.at += 1,
                b'\t' if is_new_line && self.column() <= self.indent => return Err(LibyamlError),
                b'\t' => self.at += 1,
                b'\n' | b'\r' => {
                    self.line_break(LineKind::Token);
                    is_new_line = true;
                    self.key_allowed |= !self.in_flow();
                }
                _ => return Ok(()),
            }
        }
    }

    /// Steps over a text block whose mark is in this column.
    pub(super) fn block(&mut self, column: isize) -> Step {
        let start = self.at;
        let is_outside = column == self.indent && std::mem::take(&mut self.value_missing);
        self.key_allowed = true;
        self.at += 1;
        let increment = self.block_marks();
        while matches!(self.byte(0), b' ' | b'\t') {
            self.at += 1;
        }
        if self.byte(0) == b'#' {
            self.comment();
        }
        match self.byte(0) {
            b'\n' | b'\r' => self.block_lines(increment)?,
            0 => {}
            _ => return Err(LibyamlError),
        }
        if is_outside {
            self.find(Kind::Block, start, SpaceEdit { at: start, replaced: 0, count: 2, escape: None });
        }
        Ok(())
    }

    /// The indentation that the marks ask for.
    fn block_marks(&mut self) -> Option<isize> {
        let mut increment = None;
        loop {
            match self.byte(0) {
                b'+' | b'-' => {}
                digit @ b'1'..=b'9' => increment = Some(isize::from(digit - b'0')),
                _ => return increment,
            }
            self.at += 1;
        }
    }

    fn block_lines(&mut self, increment: Option<isize>) -> Step {
        let mut column = increment.map(|it| self.indent.max(0) + it);
        let mut deepest = 0;
        while matches!(self.byte(0), b'\n' | b'\r') {
            self.line_break(LineKind::Token);
            while self.byte(0) == b' ' && column.is_none_or(|it| self.column() < it) {
                self.at += 1;
            }
            deepest = deepest.max(self.column());
            if matches!(self.byte(0), b'\n' | b'\r') {
                continue;
            }
            let column = *column.get_or_insert(deepest.max(self.indent + 1).max(1));
            if self.column() < column {
                break;
            }
            self.at = self.line_end();
        }
        Ok(())
    }
}
