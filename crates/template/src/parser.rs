//! Parses expressions. Each byte is read a bounded number of times; the depth of brackets is bounded.

mod args;
mod chain;
mod operand;
mod quoted;

use super::{
    ByteRange, Problem,
    lexer::{Lexeme, Lexer, Token},
    names::Names,
    tree::{Node, NodeKind, Operator},
};

type Result<T> = std::result::Result<T, Problem>;

/// The highest nesting depth of brackets, blocks and conditionals.
pub(super) const MAX_DEPTH: usize = 40;

#[derive(Debug)]
pub(super) struct Parser<'t> {
    lexer: Lexer<'t>,
    next: Lexeme,
    /// The end of the last token that was read.
    read_to: usize,
    /// The visible variables.
    pub(super) names: Names,
    depth: usize,
    /// The number of open brackets, inside of which line ends have no meaning. It is not reset after a
    /// problem.
    loose: usize,
    /// The number of these that are `do … end`.
    dos: usize,
    /// The last token that was read.
    last: Token,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, part: ByteRange) -> Self {
        let mut lexer = Lexer::new(text, part);
        let next = lexer.next();
        Self {
            lexer,
            next,
            read_to: part.start,
            names: Names::default(),
            depth: 0,
            loose: 0,
            dos: 0,
            last: Token::End,
        }
    }

    /// Continues in another part of the text.
    pub(super) fn turn_to(&mut self, text: &'t str, part: ByteRange) {
        self.lexer = Lexer::new(text, part);
        self.next = self.lexer.next();
        (self.read_to, self.last) = (part.start, Token::End);
        (self.depth, self.loose, self.dos) = (0, 0, 0);
    }

    /// The next token, which is not consumed.
    pub(super) const fn peek(&self) -> Lexeme {
        self.next
    }

    /// The next token of the current expression; outside of brackets the end of a line ends that.
    pub(super) fn here(&self) -> Token {
        if self.next.newline && self.loose == 0 { Token::Sign(";") } else { self.next.token }
    }

    pub(super) fn take(&mut self) -> Lexeme {
        (self.read_to, self.last) = (self.next.at.end, self.next.token);
        std::mem::replace(&mut self.next, self.lexer.next())
    }

    /// The token after the next one.
    pub(super) fn second(&self) -> Lexeme {
        self.lexer.clone().next()
    }

    /// Skips ends of lines and `;`, to the start of a statement.
    pub(super) fn start(&mut self) {
        while self.next.token == Token::Sign(";") {
            self.take();
        }
        self.next.newline = false;
        (self.depth, self.loose, self.dos) = (0, 0, 0);
    }

    /// The brackets and `do` blocks that a problem left open.
    pub(super) const fn left_open(&self) -> (usize, usize) {
        (self.loose.saturating_sub(self.dos), self.dos)
    }

    /// The token that was read last.
    pub(super) const fn last(&self) -> Token {
        self.last
    }

    pub(super) fn word(&self, at: ByteRange) -> &'t str {
        self.lexer.slice(at)
    }

    /// Reads an operator or punctuation mark if it is next.
    pub(super) fn sign(&mut self, sign: &'static str) -> Option<ByteRange> {
        (self.here() == Token::Sign(sign)).then(|| self.take().at)
    }

    pub(super) fn need(&mut self, sign: &'static str) -> Result<ByteRange> {
        self.sign(sign).ok_or_else(|| self.expected(&format!("`{sign}`")))
    }

    /// Reads a closing bracket, which may be on a line of its own.
    fn close(&mut self, bracket: &'static str) -> Result<ByteRange> {
        if self.next.token == Token::Sign(bracket) {
            return Ok(self.take().at);
        }
        Err(self.expected(&format!("`{bracket}`")))
    }

    /// True if a name with this text is next.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.here() == Token::Name && self.word(self.next.at) == word
    }

    /// The problem that the next token is not the expected one.
    pub(super) fn expected(&self, what: &str) -> Problem {
        let at = self.next.at;
        match self.next.token {
            Token::End => Problem::syntax(at, format!("expected {what}, but here it ends")),
            _ => Problem::syntax(at, format!("expected {what}, found `{}`", short(self.word(at)))),
        }
    }

    pub(super) fn expression(&mut self) -> Result<Node> {
        self.deeper(Self::choice)
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            return Err(Problem::limit(self.next.at, "this is nested too deep"));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Reads between brackets, where line ends have no meaning.
    fn loosely<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.loose += 1;
        let read = read(self)?;
        self.loose -= 1;
        Ok(read)
    }

    fn choice(&mut self) -> Result<Node> {
        let test = self.rank(0)?;
        if self.sign("?").is_none() {
            return Ok(test);
        }
        let yes = self.expression()?;
        self.need(":")?;
        let no = self.expression()?;
        Ok(Node { at: test.at.to(no.at), kind: NodeKind::Choice(Box::new([test, yes, no])) })
    }

    fn rank(&mut self, rank: usize) -> Result<Node> {
        if rank == Operator::RANKS {
            return self.unary();
        }
        let first = self.rank(rank + 1)?;
        let mut others = Vec::new();
        while let Some(operator) = self.operator(rank) {
            self.take();
            others.push((operator, self.rank(rank + 1)?));
        }
        let Some((_, last)) = others.last() else { return Ok(first) };
        Ok(Node { at: first.at.to(last.at), kind: NodeKind::Binary(Box::new(first), others) })
    }

    fn operator(&self, rank: usize) -> Option<Operator> {
        let Token::Sign(sign) = self.here() else { return None };
        Operator::read(sign).filter(|operator| operator.rank() == rank)
    }

    fn unary(&mut self) -> Result<Node> {
        let not = match self.peek().token {
            Token::Sign("!") => true,
            Token::Sign("-") => false,
            _ => return self.chain(),
        };
        let sign = self.take().at;
        let inner = Box::new(self.deeper(Self::unary)?);
        let at = sign.to(inner.at);
        Ok(Node { at, kind: if not { NodeKind::Not(inner) } else { NodeKind::Minus(inner) } })
    }
}

/// The start of a word, for messages.
pub(super) fn short(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}
