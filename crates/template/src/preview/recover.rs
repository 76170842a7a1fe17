use crate::lexer::Token;

use super::reader::{Closer, Reader};

/// The state while text is skipped.
#[derive(Debug, Default)]
struct SkippedText {
    /// The number of blocks that were opened and not ended yet.
    open: usize,
    /// The number of brackets that were opened and not closed yet.
    brackets: usize,
    /// True if the statement is a loop, whose own `do` opens no other block.
    in_loop: bool,
    /// True if a statement can start here.
    starts: bool,
    /// True if it is in the parameters of a block.
    in_params: bool,
}

impl Reader<'_> {
    /// Skips the rest of a statement that cannot be read, and the blocks that it opens; the content of these
    /// is read, so that unsupported code in it is reported too.
    pub(super) fn recover(&mut self) {
        let starts = self.parser.peek().at.start == self.start || self.parser.last() == Token::Sign("=");
        let (brackets, open) = self.parser.left_open();
        let mut passed = SkippedText { starts, brackets, open, ..SkippedText::default() };
        while self.pass(&mut passed) {}
        for _ in 0..passed.open {
            if !self.deeper(Self::foreign_body) {
                return;
            }
        }
    }

    /// Skips one token; returns false at the end, or at the end of a block that was open before.
    fn pass(&mut self, passed: &mut SkippedText) -> bool {
        let next = self.parser.peek();
        passed.starts |= next.newline;
        let whole = passed.open == 0 && passed.brackets == 0;
        if whole && next.newline {
            return false;
        }
        match next.token {
            Token::End => return false,
            Token::Sign(";") if whole => return false,
            Token::Sign("(" | "[" | "{") => passed.brackets += 1,
            Token::Sign(")" | "]" | "}") => passed.brackets = passed.brackets.saturating_sub(1),
            Token::Quote(_) => {
                // A text that cannot be read is skipped as far as possible.
                drop(self.parser.pass_text());
                passed.starts = false;
                return true;
            }
            Token::Name if !self.pass_word(passed) => return false,
            _ => {}
        }
        self.parser.take();
        passed.starts = matches!(next.token, Token::Sign(";" | "="));
        true
    }

    /// Counts what a keyword opens or ends; returns false if it ends a block that was open before.
    fn pass_word(&mut self, passed: &mut SkippedText) -> bool {
        let next = self.parser.peek();
        match self.parser.word(next.at) {
            "end" if passed.open == 0 => return false,
            "end" => passed.open -= 1,
            "do" if passed.in_loop => passed.in_loop = false,
            "do" => {
                passed.open += 1;
                passed.in_params = self.parser.second().token == Token::Sign("|");
            }
            "while" | "until" | "for" if passed.starts => {
                passed.open += 1;
                passed.in_loop = true;
            }
            "if" | "unless" | "case" | "begin" | "def" | "class" | "module" if passed.starts => {
                passed.open += 1
            }
            word if passed.in_params => {
                self.parser.names.assign(&word.into());
                passed.in_params = self.parser.second().token != Token::Sign("|");
            }
            _ => {}
        }
        true
    }

    /// Skips the rest of a line.
    pub(super) fn skip_line(&mut self) {
        while !matches!(self.parser.here(), Token::End | Token::Sign(";")) {
            if let Token::Quote(_) = self.parser.here() {
                drop(self.parser.pass_text());
            } else {
                self.parser.take();
            }
        }
    }

    /// Reads the rest of a block that is not supported, with its `end`.
    fn foreign_body(&mut self) {
        loop {
            self.body(true);
            let closer = self.closer(true);
            if closer.is_none() {
                return;
            }
            self.parser.take();
            self.skip_line();
            if closer == Some(Closer::End) {
                return;
            }
        }
    }
}
