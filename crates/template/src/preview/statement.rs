use std::sync::Arc;

use crate::{ByteRange, tree::Node};

/// A statement of a template.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    /// Bytes of the template, copied as they are.
    Text(ByteRange),
    /// The value as text.
    Output(Node),
    /// `name = value` and its like.
    Assign(Arc<str>, Assignment, Node),
    /// Ends the template with a message.
    Raise(ByteRange, Option<Node>),
    /// Evaluated only to check that it can be.
    Evaluate(Node),
    /// The first of the arms whose test is true, or else `other`.
    If(Vec<(Test, Vec<Statement>)>, Vec<Statement>),
    /// The first of the arms whose link or properties are present, or else `other`.
    IfPresent(Vec<Arm>, Vec<Statement>),
    /// A loop over the elements of a list.
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

/// An arm that runs if a link or properties are present.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    pub(super) condition: Condition,
    pub(super) args: Vec<Node>,
    pub(super) params: Vec<Arc<str>>,
    pub(super) body: Vec<Statement>,
}

/// The condition of an arm.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// A link.
    Link,
    /// Properties: those of the given value, else those of the job itself.
    Properties(Option<Node>),
}

#[derive(Clone, Debug)]
pub(super) struct Each {
    pub(super) list: Node,
    /// True if the block gets the index, too.
    pub(super) indexed: bool,
    pub(super) params: Vec<Arc<str>>,
    pub(super) body: Vec<Statement>,
}
