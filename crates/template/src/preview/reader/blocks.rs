use std::sync::Arc;

use model::Data;

use crate::{
    ByteRange, Problem,
    lexer::Token,
    tree::{Call, CallTarget, HeadName, Node, NodeKind},
};

use super::{
    super::statement::{Arm, Condition, Each, Statement, Test},
    Closer, Reader, Result,
};

impl Reader<'_> {
    /// `if …`, from that word to its `end`.
    pub(super) fn conditional(&mut self, negated: bool) -> Result<Statement> {
        let mut arms = vec![self.arm(negated)];
        loop {
            match self.closer(false) {
                Some(Closer::Elsif) => arms.push(self.arm(false)),
                Some(Closer::Else) => {
                    self.parser.take();
                    let other = self.body(false);
                    self.end()?;
                    self.after_end()?;
                    return Ok(Statement::If(arms, other));
                }
                _ => {
                    self.end()?;
                    self.after_end()?;
                    return Ok(Statement::If(arms, Vec::new()));
                }
            }
        }
    }

    /// A test and its body. A test that cannot be read is reported; the rest is read nevertheless.
    fn arm(&mut self, negated: bool) -> (Test, Vec<Statement>) {
        let word = self.parser.take().at;
        let node = self.test().unwrap_or_else(|problem| {
            self.refuse(problem);
            self.recover();
            placeholder(word)
        });
        (Test { node, negated }, self.body(false))
    }

    fn test(&mut self) -> Result<Node> {
        let node = self.parser.expression()?;
        if self.parser.is_word("then") {
            self.parser.take();
        } else if !self.at_end() {
            return Err(self.parser.expected("the end of the test"));
        }
        Ok(node)
    }

    /// The block of an expression with `do`, up to `end`.
    pub(super) fn block(&mut self, node: Node) -> Result<Statement> {
        let at = self.parser.peek().at;
        match Opening::of(node) {
            Some(Opening::Each(list, indexed)) => {
                let (params, body) = self.params_and_body();
                self.end()?;
                self.after_end()?;
                Ok(Statement::Each(Each { list, indexed, params, body }))
            }
            Some(Opening::IfPresent(condition, args)) => self.conditional_block(condition, args),
            None => Err(Problem::unsupported(at, "`do` after this")),
        }
    }

    /// `do |…|` and its body, up to the keyword that ends it.
    fn params_and_body(&mut self) -> (Vec<Arc<str>>, Vec<Statement>) {
        self.parser.take();
        let params = self.parser.params().unwrap_or_else(|problem| {
            self.refuse(problem);
            self.recover();
            Vec::new()
        });
        let mark = self.parser.names.enter(&params);
        let body = self.body(false);
        self.parser.names.leave(mark);
        (params, body)
    }

    fn conditional_block(&mut self, condition: Condition, args: Vec<Node>) -> Result<Statement> {
        let properties_of = match &condition {
            Condition::Properties(of) => of.clone(),
            Condition::Link => None,
        };
        let mut arms = Vec::new();
        let (mut condition, mut args) = (condition, args);
        loop {
            let (params, body) = self.params_and_body();
            arms.push(Arm { condition, args, params, body });
            self.end()?;
            if self.parser.peek().token != Token::Sign(".") {
                self.ended()?;
                return Ok(Statement::IfPresent(arms, Vec::new()));
            }
            self.parser.take();
            (condition, args) = match self.next_arm(&properties_of)? {
                Some(next) => next,
                None => return Ok(Statement::IfPresent(arms, self.otherwise()?)),
            };
        }
    }

    /// The call after `end.`; `None` for `else`.
    fn next_arm(&mut self, properties_of: &Option<Node>) -> Result<Option<(Condition, Vec<Node>)>> {
        let word = self.parser.peek().at;
        let condition = match self.parser.word(word) {
            "else" => None,
            "else_if_link" => Some(Condition::Link),
            "else_if_p" => Some(Condition::Properties(properties_of.clone())),
            _ => return Err(Problem::unsupported(word, "a method called on `end`")),
        };
        self.parser.take();
        let args = match &condition {
            None => Vec::new(),
            Some(Condition::Link) => self.parser.positional("else_if_link", HeadName::IfLink.arity())?,
            Some(Condition::Properties(_)) => self.parser.positional("else_if_p", HeadName::IfP.arity())?,
        };
        if !self.parser.is_word("do") {
            return Err(self.parser.expected("`do`"));
        }
        Ok(condition.map(|condition| (condition, args)))
    }

    fn otherwise(&mut self) -> Result<Vec<Statement>> {
        let (_, body) = self.params_and_body();
        self.end()?;
        self.after_end()?;
        Ok(body)
    }

    /// Reads `end`. Keywords that end something else are reported and skipped.
    fn end(&mut self) -> Result<()> {
        loop {
            let at = self.parser.peek().at;
            match self.closer(false) {
                Some(Closer::End) => {
                    self.parser.take();
                    return Ok(());
                }
                None => return Err(Problem::syntax(at, "this block is never ended: `end` is missing")),
                Some(_) => {
                    let word = self.parser.word(at);
                    self.refuse(Problem::syntax(at, format!("`{word}` is not allowed here")));
                    self.parser.take();
                    self.skip_line();
                    self.body(false);
                }
            }
        }
    }

    fn after_end(&self) -> Result<()> {
        match self.parser.peek() {
            dot if dot.token == Token::Sign(".") => {
                Err(Problem::unsupported(dot.at, "a method called on `end`"))
            }
            _ => self.ended(),
        }
    }
}

/// The expression that opens a block.
enum Opening {
    Each(Node, bool),
    IfPresent(Condition, Vec<Node>),
}

impl Opening {
    fn of(node: Node) -> Option<Self> {
        match node.kind {
            NodeKind::Head(head) if head.block.is_none() => match head.name {
                HeadName::IfLink => Some(Self::IfPresent(Condition::Link, head.args)),
                HeadName::IfP => Some(Self::IfPresent(Condition::Properties(None), head.args)),
                _ => None,
            },
            NodeKind::Chain(head, mut calls) => {
                let last = calls.pop()?;
                let on = if calls.is_empty() {
                    *head
                } else {
                    Node { at: node.at, kind: NodeKind::Chain(head, calls) }
                };
                Self::of_call(on, last)
            }
            _ => None,
        }
    }

    fn of_call(on: Node, call: Call) -> Option<Self> {
        let CallTarget::Method { name, args, block: None, .. } = call.what else { return None };
        match &*name {
            "each" => Some(Self::Each(on, false)),
            "each_with_index" => Some(Self::Each(on, true)),
            "if_p" => Some(Self::IfPresent(Condition::Properties(Some(on)), args)),
            _ => None,
        }
    }
}

/// A replacement for an expression that cannot be read; a template with it is never run.
const fn placeholder(at: ByteRange) -> Node {
    Node { at, kind: NodeKind::Literal(Data::Null) }
}
