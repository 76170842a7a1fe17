use std::sync::Arc;

use crate::{
    ByteRange, Problem, ProblemKind,
    lexer::Token,
    parser::{MAX_DEPTH, Parser},
    tree::{Node, NodeKind, TextPart},
};

use super::{
    Problems,
    pieces::{Piece, split},
    statement::{Assignment, Statement, Test},
};

mod blocks;

pub(super) type Result<T> = std::result::Result<T, Problem>;

/// Reads a template: its statements, and the places that are not supported, in order.
pub(super) fn read(template: &str) -> (Vec<Statement>, Vec<Problem>) {
    let pieces = split(template);
    let start = ByteRange::new(0, 0);
    let mut reader = Reader {
        template,
        pieces: pieces.into_iter(),
        parser: Parser::new(template, start),
        problems: Problems::default(),
        depth: 0,
        start: 0,
    };
    let mut statements = Vec::new();
    loop {
        statements.extend(reader.body(false));
        if reader.closer(false).is_none() {
            break;
        }
        let at = reader.parser.peek().at;
        reader.refuse(Problem::syntax(at, format!("`{}` closes nothing", reader.parser.word(at))));
        reader.parser.take();
        reader.skip_line();
    }
    let mut problems = reader.problems.list;
    diag::order::by_key(&mut problems, |problem| problem.at.start);
    (statements, problems)
}

pub(super) struct Reader<'t> {
    pub(super) template: &'t str,
    pieces: std::vec::IntoIter<Piece>,
    pub(super) parser: Parser<'t>,
    problems: Problems,
    depth: usize,
    /// The start of the statement that is being read.
    pub(super) start: usize,
}

/// Libraries of Ruby of which something is run here.
const LIBRARIES: [&str; 2] = ["json", "erb"];

/// The next item.
enum Item {
    Text(ByteRange),
    Output(ByteRange),
    Code,
    End,
}

/// A keyword that ends a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closer {
    End,
    Else,
    Elsif,
    /// Those of blocks that are not supported: `when`, `rescue` and the like.
    Foreign,
}

impl Reader<'_> {
    /// Records a place that is not supported.
    pub(super) fn refuse(&mut self, problem: Problem) {
        let reported = match problem.kind {
            ProblemKind::Syntax => Problem {
                message: format!("this is Ruby that Planloom does not run: {}", problem.message),
                ..problem
            },
            _ => problem,
        };
        self.problems.add(reported);
    }

    fn item(&mut self) -> Item {
        loop {
            self.parser.start();
            if self.parser.peek().token != Token::End {
                return Item::Code;
            }
            match self.pieces.next() {
                None => return Item::End,
                Some(Piece::Text(at)) => return Item::Text(at),
                Some(Piece::Output(at)) => return Item::Output(at),
                Some(Piece::Code(at)) => self.parser.turn_to(self.template, at),
                Some(Piece::Strange(at, what)) => self.refuse(Problem::unsupported(at, what)),
            }
        }
    }

    /// The keyword that ends a body, if it is next.
    pub(super) fn closer(&self, foreign: bool) -> Option<Closer> {
        let next = self.parser.peek();
        if next.token != Token::Name {
            return None;
        }
        match self.parser.word(next.at) {
            "end" => Some(Closer::End),
            "else" => Some(Closer::Else),
            "elsif" => Some(Closer::Elsif),
            "when" | "in" | "rescue" | "ensure" if foreign => Some(Closer::Foreign),
            _ => None,
        }
    }

    /// Statements up to a keyword that ends them, which is not consumed.
    pub(super) fn body(&mut self, foreign: bool) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            match self.item() {
                Item::End => return statements,
                Item::Text(at) => statements.push(Statement::Text(at)),
                Item::Output(at) => {
                    self.parser.turn_to(self.template, at);
                    self.start = self.parser.peek().at.start;
                    let read = self.output();
                    self.keep(&mut statements, read);
                }
                Item::Code if self.closer(foreign).is_some() => return statements,
                Item::Code => {
                    self.start = self.parser.peek().at.start;
                    let read = self.statement();
                    self.keep(&mut statements, read);
                }
            }
        }
    }

    fn keep(&mut self, statements: &mut Vec<Statement>, read: Result<Statement>) {
        match read {
            Ok(statement) => statements.push(statement),
            Err(problem) => {
                self.refuse(problem);
                self.recover();
            }
        }
    }

    fn output(&mut self) -> Result<Statement> {
        let node = self.parser.expression()?;
        let statement = self.guarded(Statement::Output(node))?;
        if self.parser.peek().token == Token::End { Ok(statement) } else { Err(self.parser.expected("`%>`")) }
    }

    /// `require` of a library whose part that is run here is there already.
    fn require(&mut self) -> Result<Statement> {
        let at = self.parser.take().at;
        let name = self.parser.positional("require", (1, 1))?.into_iter().next();
        let is_known = |it: &Node| match &it.kind {
            NodeKind::Text(parts) => {
                matches!(&parts[..], [TextPart::Literal(name)] if LIBRARIES.contains(&&**name))
            }
            _ => false,
        };
        match name.filter(is_known) {
            Some(name) => Ok(Statement::Evaluate(name)),
            None => Err(Problem::unsupported(at, "`require` of another library")),
        }
    }

    fn statement(&mut self) -> Result<Statement> {
        let next = self.parser.peek();
        let word = if next.token == Token::Name { self.parser.word(next.at) } else { "" };
        if matches!(word, "if" | "unless") {
            return self.nested(|it| it.conditional(word == "unless"));
        }
        let statement = match self.assignment(word) {
            Some(how) => self.assign(word, how)?,
            None if word == "raise" && !self.parser.names.has(word) => self.raise()?,
            None if word == "require" && !self.parser.names.has(word) => self.require()?,
            None => {
                let node = self.parser.expression()?;
                if self.parser.is_word("do") {
                    return self.nested(|it| it.block(node));
                }
                Statement::Evaluate(node)
            }
        };
        let statement = self.guarded(statement)?;
        self.ended()?;
        Ok(statement)
    }

    fn assignment(&self, word: &str) -> Option<Assignment> {
        let second = self.parser.second();
        let Token::Sign(sign) = second.token else { return None };
        let how = Assignment::read(sign).filter(|_| !word.is_empty() && !second.newline)?;
        (how != Assignment::Append || self.parser.names.has(word)).then_some(how)
    }

    fn assign(&mut self, word: &str, how: Assignment) -> Result<Statement> {
        let name: Arc<str> = word.into();
        self.parser.take();
        self.parser.take();
        // Declared from here on, even if the value cannot be read, so that only that is reported.
        self.parser.names.assign(&name);
        Ok(Statement::Assign(name, how, self.parser.expression()?))
    }

    fn raise(&mut self) -> Result<Statement> {
        let at = self.parser.take().at;
        let bare = self.at_end() || self.parser.is_word("if") || self.parser.is_word("unless");
        let message = if bare { None } else { Some(self.parser.expression()?) };
        Ok(Statement::Raise(at, message))
    }

    /// `… if test`
    fn guarded(&mut self, statement: Statement) -> Result<Statement> {
        let negated = self.parser.is_word("unless");
        if !negated && !self.parser.is_word("if") {
            return Ok(statement);
        }
        self.parser.take();
        let test = Test { node: self.parser.expression()?, negated };
        Ok(Statement::If(vec![(test, vec![statement])], Vec::new()))
    }

    fn at_end(&self) -> bool {
        matches!(self.parser.here(), Token::End | Token::Sign(";"))
    }

    /// Checks that a statement ends here.
    fn ended(&self) -> Result<()> {
        if self.at_end() || self.closer(false).is_some() {
            return Ok(());
        }
        Err(self.parser.expected("the end of the statement"))
    }

    /// Reads a block; if blocks are nested too deeply, nothing more is read.
    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Result<Statement>) -> Result<Statement> {
        let at = self.parser.peek().at;
        let mut statement = Err(Problem::limit(at, "blocks are nested too deep"));
        if !self.deeper(|it| statement = read(it)) {
            self.pieces = Vec::new().into_iter();
            self.parser.turn_to(self.template, ByteRange::new(0, 0));
        }
        statement
    }

    /// True if another nesting level could be read.
    pub(super) fn deeper(&mut self, read: impl FnOnce(&mut Self)) -> bool {
        if self.depth == MAX_DEPTH {
            return false;
        }
        self.depth += 1;
        read(self);
        self.depth -= 1;
        true
    }
}
