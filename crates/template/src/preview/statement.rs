use std::sync::Arc;

use crate::{ByteRange, tree::Node};

/// Something a template does.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    /// Bytes of the template as they are.
    Text(ByteRange),
    /// The value as text.
    Output(Node),
    /// `name = value` and its like.
    Assign(Arc<str>, Assignment, Node),
    /// Ends everything with a message.
    Raise(ByteRange, Option<Node>),
    /// Evaluated only to see that it can be.
    Evaluate(Node),
    /// The first of the arms whose test holds, or else `other`.
    If(Vec<(Test, Vec<Statement>)>, Vec<Statement>),
    /// The first of the arms that has what it asks for, or else `other`.
    Ask(Vec<Arm>, Vec<Statement>),
    /// For each element.
    Each(Each),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assignment {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `||=`
    Default,
    /// `<<`
    Append,
}

impl Assignment {
    pub(super) fn read(sign: &str) -> Option<Self> {
        Some(match sign {
            "=" => Self::Set,
            "+=" => Self::Add,
            "||=" => Self::Default,
            "<<" => Self::Append,
            _ => return None,
        })
    }
}

#[derive(Clone, Debug)]
pub(super) struct Test {
    pub(super) node: Node,
    /// `unless`
    pub(super) negated: bool,
}

/// An arm that runs where something is there.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    pub(super) asks: Condition,
    pub(super) args: Vec<Node>,
    pub(super) params: Vec<Arc<str>>,
    pub(super) body: Vec<Statement>,
}

/// The condition of an arm.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// A link.
    Link,
    /// Properties: those of what is given, else those of the job itself.
    Properties(Option<Node>),
}

#[derive(Clone, Debug)]
pub(super) struct Each {
    pub(super) list: Node,
    /// The block is told which one it is, too.
    pub(super) indexed: bool,
    pub(super) params: Vec<Arc<str>>,
    pub(super) body: Vec<Statement>,
}
