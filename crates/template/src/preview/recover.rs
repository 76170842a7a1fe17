use crate::lexer::Token;

use super::reader::{Closer, Reader};

/// The text that was skipped.
#[derive(Debug, Default)]
struct SkippedText {
    /// Blocks that were opened and are not ended yet.
    open: usize,
    /// Brackets that were opened and are not closed yet.
    brackets: usize,
    /// The statement is a loop, whose own `do` opens nothing more.
    in_loop: bool,
    /// A statement can start here.
    starts: bool,
    /// In the parameters of a block.
    in_params: bool,
}

impl Reader<'_> {
    /// Passes over the rest of a statement that cannot be read, and over the blocks that it opens; what is in those is
    /// read, so that what is not run there is told too.
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

    /// Passes over one word; false where there is no more, or where a block ends that was open before.
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
                // A text that cannot be read is passed over as far as it goes.
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

    /// Counts what a word opens or ends; false if it ends what was open before.
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

    /// Passes over the rest of a line.
    pub(super) fn skip_line(&mut self) {
        while !matches!(self.parser.here(), Token::End | Token::Sign(";")) {
            if let Token::Quote(_) = self.parser.here() {
                drop(self.parser.pass_text());
            } else {
                self.parser.take();
            }
        }
    }

    /// Reads the rest of a block that is not run, with its `end`.
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
