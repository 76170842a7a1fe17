//! The syntax tree of an expression.
//!
//! Chains of calls and of operators of one precedence are flat, so that only brackets and blocks make a tree
//! deeper; the parser limits those.

use std::sync::Arc;

use model::Data;

use super::ByteRange;

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) at: ByteRange,
    pub(super) kind: NodeKind,
}

#[derive(Clone, Debug)]
pub(super) enum NodeKind {
    /// `nil`, `true`, `false`, a number.
    Literal(Data),
    /// A text, or a symbol.
    Text(Vec<TextPart>),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
    /// A variable or a block's parameter.
    Local(Arc<str>),
    /// `link(…)` and the like.
    Head(Box<Head>),
    Chain(Box<Node>, Vec<Call>),
    Not(Box<Node>),
    Minus(Box<Node>),
    /// Operators of one precedence, from left to right.
    Binary(Box<Node>, Vec<(Operator, Node)>),
    /// `a ? b : c`
    Choice(Box<[Node; 3]>),
}

#[derive(Clone, Debug)]
pub(super) enum TextPart {
    Literal(Arc<str>),
    /// `#{…}`
    Code(Node),
}

#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) name: HeadName,
    pub(super) args: Vec<Node>,
    pub(super) block: Option<Block>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeadName {
    Link,
    IfLink,
    P,
    IfP,
    /// The job's own properties, as a map.
    Properties,
    /// The data of the instance about itself.
    Spec,
}

impl HeadName {
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "link" => Self::Link,
            "if_link" => Self::IfLink,
            "p" => Self::P,
            "if_p" => Self::IfP,
            "properties" => Self::Properties,
            "spec" => Self::Spec,
            _ => return None,
        })
    }

    /// The lowest and highest number of arguments.
    pub(super) const fn arity(self) -> (usize, usize) {
        match self {
            Self::Link | Self::IfLink => (1, 1),
            Self::P => (1, 2),
            Self::IfP => (1, usize::MAX),
            Self::Properties | Self::Spec => (0, 0),
        }
    }

    /// True if it may be absent, so that `else` makes sense after it.
    pub(super) const fn may_be_absent(self) -> bool {
        matches!(self, Self::IfLink | Self::IfP)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Call {
    /// From the dot to the last argument.
    pub(super) at: ByteRange,
    pub(super) what: CallTarget,
    /// `&.`: a call on nil gives nil.
    pub(super) safe: bool,
}

#[derive(Clone, Debug)]
pub(super) enum CallTarget {
    /// `[…]`
    Index(Node),
    /// `.name` without arguments: a key, or else a method.
    Name(Arc<str>),
    /// A method with arguments or a block.
    Method { name: Arc<str>, args: Vec<Node>, named: Vec<(Arc<str>, Node)>, block: Option<Block> },
}

#[derive(Clone, Debug)]
pub(super) enum Block {
    /// `{ |a, b| … }`
    Code { params: Vec<Arc<str>>, body: Box<Node> },
    /// `&:name`
    Symbol { name: Arc<str>, at: ByteRange },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Equal,
    Differs,
    Less,
    AtMost,
    More,
    AtLeast,
    Plus,
    Minus,
    Times,
    By,
    Rest,
}

impl Operator {
    /// The number of precedence levels.
    pub(super) const RANKS: usize = 6;

    pub(super) fn read(text: &str) -> Option<Self> {
        Some(match text {
            "||" => Self::Or,
            "&&" => Self::And,
            "==" => Self::Equal,
            "!=" => Self::Differs,
            "<" => Self::Less,
            "<=" => Self::AtMost,
            ">" => Self::More,
            ">=" => Self::AtLeast,
            "+" => Self::Plus,
            "-" => Self::Minus,
            "*" => Self::Times,
            "/" => Self::By,
            "%" => Self::Rest,
            _ => return None,
        })
    }

    /// The precedence; 0 is the lowest.
    pub(super) const fn rank(self) -> usize {
        match self {
            Self::Or => 0,
            Self::And => 1,
            Self::Equal | Self::Differs => 2,
            Self::Less | Self::AtMost | Self::More | Self::AtLeast => 3,
            Self::Plus | Self::Minus => 4,
            Self::Times | Self::By | Self::Rest => 5,
        }
    }
}
