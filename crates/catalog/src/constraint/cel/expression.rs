use std::sync::Arc;

use super::{operator::Operator, value::Value};

/// An expression with its nesting depth.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) kind: Kind,
    height: u32,
}

/// The kind of an expression.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Literal(Value),
    /// A variable, by the number of variables in inner scopes; the outermost is `properties`.
    Variable(usize),
    List(Vec<Expression>),
    Map(Vec<(Expression, Expression)>),
    Field(Box<Expression>, Arc<str>),
    /// `has(a.b)`
    Has(Box<Expression>, Arc<str>),
    Index(Box<[Expression; 2]>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Not(Box<Expression>),
    Negative(Box<Expression>),
    Condition(Box<[Expression; 3]>),
    Operation(Operator, Box<[Expression; 2]>),
    Call(Function, Vec<Expression>),
    /// A macro: the collection, and the expressions for each item, the last of which gives the result.
    Macro(Macro, Box<Expression>, Vec<Expression>),
}

/// A function on values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Size,
    SemverCompare,
    StartsWith,
    EndsWith,
    Contains,
    Matches,
    Text,
    Int,
    Double,
}

/// A macro over each item of a list or key of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Macro {
    All,
    Exists,
    ExistsOne,
    Filter,
    Map,
}

/// The highest nesting depth: evaluating and dropping expressions is recursive.
const HIGHEST: u32 = 96;

impl Expression {
    /// An expression, unless it is too deep.
    pub(super) fn new(kind: Kind) -> Result<Self, String> {
        let height = 1 + kind.children().map(|it| it.height).max().unwrap_or(0);
        if height > HIGHEST {
            return Err(format!("this is more than {HIGHEST} levels deep"));
        }
        Ok(Self { kind, height })
    }

    /// True if it may give a boolean, as far as that is known without evaluating it.
    pub(super) fn is_boolean(&self) -> bool {
        match &self.kind {
            Kind::Literal(value) => matches!(value, Value::Bool(_)),
            Kind::And(_) | Kind::Or(_) | Kind::Not(_) | Kind::Has(..) => true,
            Kind::Condition(parts) => {
                let [_, yes, no] = &**parts;
                yes.is_boolean() && no.is_boolean()
            }
            Kind::Operation(operator, _) => operator.is_comparison(),
            Kind::Call(function, _) => {
                matches!(
                    function,
                    Function::StartsWith | Function::EndsWith | Function::Contains | Function::Matches
                )
            }
            Kind::Macro(macro_, ..) => matches!(macro_, Macro::All | Macro::Exists | Macro::ExistsOne),
            Kind::Variable(_)
            | Kind::List(_)
            | Kind::Map(_)
            | Kind::Field(..)
            | Kind::Index(_)
            | Kind::Negative(_) => false,
        }
    }
}

impl Kind {
    fn children(&self) -> Box<dyn Iterator<Item = &Expression> + '_> {
        match self {
            Self::Literal(_) | Self::Variable(_) => Box::new(std::iter::empty()),
            Self::List(items) | Self::And(items) | Self::Or(items) | Self::Call(_, items) => {
                Box::new(items.iter())
            }
            Self::Map(entries) => Box::new(entries.iter().flat_map(|(key, value)| [key, value])),
            Self::Field(of, _) | Self::Has(of, _) | Self::Not(of) | Self::Negative(of) => {
                Box::new(std::iter::once(&**of))
            }
            Self::Index(parts) | Self::Operation(_, parts) => Box::new(parts.iter()),
            Self::Condition(parts) => Box::new(parts.iter()),
            Self::Macro(_, of, requested) => Box::new(std::iter::once(&**of).chain(requested)),
        }
    }
}
