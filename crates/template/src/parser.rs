//! Reads expressions. Each byte is looked at a bounded number of times; brackets are bounded in depth.

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

/// How deep brackets, blocks and choices may be in each other.
pub(super) const MAX_DEPTH: usize = 40;

#[derive(Debug)]
pub(super) struct Parser<'t> {
    lexer: Lexer<'t>,
    next: Lexeme,
    /// Behind the last word that was read.
    read_to: usize,
    /// Variables that can be seen.
    pub(super) names: Names,
    depth: usize,
    /// In how many brackets we are: there, ends of lines mean nothing. A problem leaves it as it was there.
    loose: usize,
    /// How many of those are `do … end`.
    dos: usize,
    /// The last word that was read.
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

    /// Goes on in another part of the text.
    pub(super) fn turn_to(&mut self, text: &'t str, part: ByteRange) {
        self.lexer = Lexer::new(text, part);
        self.next = self.lexer.next();
        (self.read_to, self.last) = (part.start, Token::End);
        (self.depth, self.loose, self.dos) = (0, 0, 0);
    }

    /// The next word, which is not read yet.
    pub(super) const fn peek(&self) -> Lexeme {
        self.next
    }

    /// The next word as it goes on with what was read; the end of a line ends that outside of brackets.
    pub(super) fn here(&self) -> Token {
        if self.next.newline && self.loose == 0 { Token::Sign(";") } else { self.next.token }
    }

    pub(super) fn take(&mut self) -> Lexeme {
        (self.read_to, self.last) = (self.next.at.end, self.next.token);
        std::mem::replace(&mut self.next, self.lexer.next())
    }

    /// The word after the next one.
    pub(super) fn second(&self) -> Lexeme {
        self.lexer.clone().next()
    }

    /// Goes to the start of a statement: past ends of lines and `;`.
    pub(super) fn start(&mut self) {
        while self.next.token == Token::Sign(";") {
            self.take();
        }
        self.next.newline = false;
        (self.depth, self.loose, self.dos) = (0, 0, 0);
    }

    /// What a problem left open: brackets, and blocks with `do`.
    pub(super) const fn left_open(&self) -> (usize, usize) {
        (self.loose.saturating_sub(self.dos), self.dos)
    }

    /// The word that was read last.
    pub(super) const fn last(&self) -> Token {
        self.last
    }

    pub(super) fn word(&self, at: ByteRange) -> &'t str {
        self.lexer.slice(at)
    }

    /// Reads a sign if it comes next.
    pub(super) fn sign(&mut self, sign: &'static str) -> Option<ByteRange> {
        (self.here() == Token::Sign(sign)).then(|| self.take().at)
    }

    pub(super) fn need(&mut self, sign: &'static str) -> Result<ByteRange> {
        self.sign(sign).ok_or_else(|| self.expected(&format!("`{sign}`")))
    }

    /// Reads a bracket that closes; it may stand on a line of its own.
    fn close(&mut self, bracket: &'static str) -> Result<ByteRange> {
        if self.next.token == Token::Sign(bracket) {
            return Ok(self.take().at);
        }
        Err(self.expected(&format!("`{bracket}`")))
    }

    /// Whether a name with this text comes next.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.here() == Token::Name && self.word(self.next.at) == word
    }

    /// What stands next is not what should stand there.
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

    /// Reads between brackets, where lines may end.
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
