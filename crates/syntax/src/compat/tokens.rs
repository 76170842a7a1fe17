//! Tokens, one after the other.

use super::finding::{Kind, SpaceEdit};
use super::lines::LineKind;
use super::scanner::{LibyamlError, Scanner, Step};

impl Scanner<'_> {
    /// Steps over the text between tokens.
    fn skip_blank(&mut self) {
        loop {
            while self.byte(0) == b' ' || (self.byte(0) == b'\t' && (self.in_flow() || !self.key_allowed)) {
                self.at += 1;
            }
            if self.byte(0) == b'#' {
                self.comment();
            }
            if !matches!(self.byte(0), b'\n' | b'\r') {
                return;
            }
            self.key_allowed |= !self.in_flow();
            self.line_break(LineKind::Token);
        }
    }

    /// Steps over a comment, and finds one that is not set off.
    pub(super) fn comment(&mut self) {
        let before = self.text.as_bytes().get(..self.at).and_then(|it| it.last());
        if !matches!(before, None | Some(b' ' | b'\t' | b'\n' | b'\r')) && self.at > self.line {
            let edit = SpaceEdit { at: self.at, replaced: 0, count: 1, escape: None };
            self.find(Kind::Comment, self.at, edit);
        }
        self.at = self.line_end();
    }

    /// Steps over one token; true if there was one.
    pub(super) fn token(&mut self) -> Result<bool, LibyamlError> {
        self.skip_blank();
        let column = self.column();
        self.unroll(column);
        if self.at >= self.text.len() {
            return Ok(false);
        }
        if self.at == self.line && (self.byte(0) == b'%' || self.is_document_mark()) {
            return self.between_documents();
        }
        match self.byte(0) {
            b'[' | b'{' => self.open_bracket(),
            b']' | b'}' => self.close_bracket()?,
            b',' => self.comma()?,
            b'-' if self.is_blank_at(1) => self.dash(column)?,
            b'?' if self.in_flow() || self.is_blank_at(1) => self.question_mark(column)?,
            b':' if self.in_flow() || self.is_blank_at(1) => self.colon(column)?,
            b'&' | b'*' | b'!' => self.property(),
            b'|' | b'>' if !self.in_flow() => self.block(column)?,
            b'"' | b'\'' => self.quoted()?,
            b'\t' => return Err(LibyamlError),
            // libyaml refuses a text that starts with `%`, `@` or a backtick; what it is about is clear all the same.
            _ => self.plain()?,
        }
        Ok(true)
    }

    /// Steps over a directive, or a `---` before which there is nothing.
    fn between_documents(&mut self) -> Result<bool, LibyamlError> {
        let is_first = self.indent < 0 && !self.in_flow() && self.key_allowed && self.byte(0) != b'.';
        if !is_first {
            return Err(LibyamlError);
        }
        if self.byte(0) == b'%' {
            self.at = self.line_end();
        } else {
            self.at += 3;
            self.key_allowed = false;
        }
        Ok(true)
    }

    fn open_bracket(&mut self) {
        self.save_key();
        self.value_missing = false;
        if !self.in_flow() {
            self.begin(if self.indent < 0 { -1 } else { self.indent + 1 });
        }
        self.open.push(self.byte(0));
        self.key_allowed = true;
        self.at += 1;
    }

    fn close_bracket(&mut self) -> Step {
        let opening = if self.byte(0) == b']' { b'[' } else { b'{' };
        if self.open.pop() != Some(opening) {
            return Err(LibyamlError);
        }
        self.key_allowed = false;
        self.at += 1;
        if self.in_flow() { Ok(()) } else { self.end(Kind::Brackets) }
    }

    fn comma(&mut self) -> Step {
        self.key_allowed = true;
        self.at += 1;
        if self.in_flow() { Ok(()) } else { Err(LibyamlError) }
    }

    fn dash(&mut self, column: isize) -> Step {
        if self.in_flow() || !self.key_allowed {
            return Err(LibyamlError);
        }
        self.roll(column);
        self.at += 1;
        if matches!(self.next(), b'\n' | b'\r' | b'#' | b'[' | b'{') {
            self.least = self.indent + 1;
        }
        self.key = None;
        Ok(())
    }

    fn question_mark(&mut self, column: isize) -> Step {
        if self.in_flow() {
            self.tabs();
            self.at += 1;
            return Ok(());
        }
        self.at += 1;
        self.roll(column);
        self.key = None;
        if self.key_allowed { Ok(()) } else { Err(LibyamlError) }
    }

    fn colon(&mut self, column: isize) -> Step {
        self.tabs();
        self.at += 1;
        if self.in_flow() {
            return Ok(());
        }
        match self.key.take().filter(|(start, _)| *start >= self.line) {
            Some((_, column)) => {
                self.roll(column);
                self.key_allowed = false;
            }
            None if self.key_allowed => self.roll(column),
            None => return Err(LibyamlError),
        }
        self.least = self.indent + 1;
        self.value_missing = true;
        Ok(())
    }

    /// Finds tabs behind an indicator that our parser refuses there.
    fn tabs(&mut self) {
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        let value = rest.trim_start_matches([' ', '\t']);
        let blank = rest.get(..rest.len() - value.len()).unwrap_or_default();
        let is_word = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_');
        let is_refused = match self.byte(0) {
            b':' => !blank.contains(' ') && value.bytes().next().is_some_and(is_word),
            _ => true,
        };
        if blank.contains('\t') && is_refused {
            let edit = SpaceEdit { at: self.at + 1, replaced: blank.len(), count: 1, escape: None };
            self.find(Kind::Tab, self.at, edit);
        }
    }

    /// Steps over an anchor, an alias or a tag.
    fn property(&mut self) {
        self.save_key();
        self.key_allowed = false;
        let is_verbatim = self.text.get(self.at..).is_some_and(|it| it.starts_with("!<"));
        self.at += 1;
        let in_flow = self.in_flow();
        let ends = |it: u8| match it {
            b' ' | b'\t' | b'\n' | b'\r' | 0 => true,
            b',' | b'[' | b']' | b'{' | b'}' => in_flow && !is_verbatim,
            _ => false,
        };
        while !ends(self.byte(0)) {
            self.at += 1;
        }
    }
}
