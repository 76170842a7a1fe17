use std::sync::Arc;

use super::{
    expression::{Expression, Kind},
    operator::Operator,
    token::{Token, tokens},
};

/// The result of parsing, or a description of the error.
pub(super) type Read<T> = Result<T, String>;

/// The highest depth of brackets: reading them is recursive.
const DEEPEST: usize = 32;

/// Reads an expression.
pub(super) fn parse(text: &str) -> Read<Expression> {
    let mut parser =
        Parser { tokens: tokens(text)?.into_iter().peekable(), scope: vec!["properties".into()], depth: 0 };
    let expression = parser.expression()?;
    match parser.tokens.next() {
        None => Ok(expression),
        Some(token) => Err(format!("unexpected {}", shown(&token))),
    }
}

/// Parses the tokens of an expression.
#[derive(Debug)]
pub(super) struct Parser {
    pub(super) tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    /// The variables in scope, the innermost last.
    pub(super) scope: Vec<Arc<str>>,
    depth: usize,
}

impl Parser {
    /// An expression of any kind.
    pub(super) fn expression(&mut self) -> Read<Expression> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("this is more than {DEEPEST} brackets deep"));
        }
        let condition = self.either()?;
        let read = if self.take("?") {
            let yes = self.either()?;
            self.expect(":")?;
            let no = self.expression()?;
            Expression::new(Kind::Condition(Box::new([condition, yes, no])))
        } else {
            Ok(condition)
        };
        self.depth -= 1;
        read
    }

    fn either(&mut self) -> Read<Expression> {
        let first = self.both()?;
        let mut parts = vec![first];
        while self.take("||") {
            parts.push(self.both()?);
        }
        several(parts, Kind::Or)
    }

    fn both(&mut self) -> Read<Expression> {
        let first = self.relation()?;
        let mut parts = vec![first];
        while self.take("&&") {
            parts.push(self.relation()?);
        }
        several(parts, Kind::And)
    }

    fn relation(&mut self) -> Read<Expression> {
        self.operations(Operator::comparison, Self::sum)
    }

    fn sum(&mut self) -> Read<Expression> {
        self.operations(Operator::sum, Self::product)
    }

    fn product(&mut self) -> Read<Expression> {
        self.operations(Operator::product, Self::signed)
    }

    fn operations(
        &mut self,
        of: fn(&str) -> Option<Operator>,
        part: fn(&mut Self) -> Read<Expression>,
    ) -> Read<Expression> {
        let mut left = part(self)?;
        while let Some(operator) = self.peek().and_then(of) {
            self.tokens.next();
            let right = part(self)?;
            left = Expression::new(Kind::Operation(operator, Box::new([left, right])))?;
        }
        Ok(left)
    }

    fn signed(&mut self) -> Read<Expression> {
        let (mut not, mut minus) = (0, 0);
        while self.take("!") {
            not += 1;
        }
        while not == 0 && self.take("-") {
            minus += 1;
        }
        let mut expression = self.member()?;
        for _ in 0..counting(not) {
            expression = Expression::new(Kind::Not(Box::new(expression)))?;
        }
        for _ in 0..counting(minus) {
            expression = Expression::new(Kind::Negative(Box::new(expression)))?;
        }
        Ok(expression)
    }

    fn member(&mut self) -> Read<Expression> {
        let mut of = self.primary()?;
        loop {
            if self.take(".") {
                let name = self.name()?;
                of = if self.take("(") {
                    self.method(of, &name)?
                } else {
                    Expression::new(Kind::Field(Box::new(of), name))?
                };
            } else if self.take("[") {
                let index = self.expression()?;
                self.expect("]")?;
                of = Expression::new(Kind::Index(Box::new([of, index])))?;
            } else {
                return Ok(of);
            }
        }
    }

    /// A comma-separated list of expressions, up to a closing bracket.
    pub(super) fn list(&mut self, close: &str) -> Read<Vec<Expression>> {
        let mut items = Vec::new();
        while !self.take(close) {
            items.push(self.expression()?);
            if !self.take(",") {
                self.expect(close)?;
                break;
            }
        }
        Ok(items)
    }

    pub(super) fn name(&mut self) -> Read<Arc<str>> {
        match self.tokens.next() {
            Some(Token::Name(name)) => Ok(name),
            other => Err(unexpected(other.as_ref(), "a name")),
        }
    }

    /// The next token, if it may be an operator.
    fn peek(&mut self) -> Option<&str> {
        match self.tokens.peek()? {
            Token::Mark(mark) => Some(mark),
            Token::Name(name) => Some(name),
            Token::Int(_) | Token::Uint(_) | Token::Double(_) | Token::Text(_) => None,
        }
    }

    pub(super) fn take(&mut self, mark: &str) -> bool {
        let is_mark = |token: &Token| matches!(token, Token::Mark(it) if *it == mark);
        self.tokens.next_if(is_mark).is_some()
    }

    pub(super) fn expect(&mut self, mark: &str) -> Read<()> {
        if self.take(mark) {
            return Ok(());
        }
        Err(unexpected(self.tokens.peek(), &format!("`{mark}`")))
    }
}

/// The number of signs that are kept. Two of them are not dropped: they require a value of the right type.
const fn counting(signs: u32) -> u32 {
    if signs > 1 { 2 - signs % 2 } else { signs }
}

fn several(mut parts: Vec<Expression>, kind: fn(Vec<Expression>) -> Kind) -> Read<Expression> {
    match parts.pop() {
        Some(only) if parts.is_empty() => Ok(only),
        last => {
            parts.extend(last);
            Expression::new(kind(parts))
        }
    }
}

pub(super) fn unexpected(found: Option<&Token>, requested: &str) -> String {
    match found {
        Some(token) => format!("expected {requested}, found {}", shown(token)),
        None => format!("expected {requested}, found the end"),
    }
}

fn shown(token: &Token) -> String {
    match token {
        Token::Name(name) => format!("`{name}`"),
        Token::Mark(mark) => format!("`{mark}`"),
        Token::Int(_) | Token::Uint(_) | Token::Double(_) => "a number".to_owned(),
        Token::Text(_) => "a text".to_owned(),
    }
}
