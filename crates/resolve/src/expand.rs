use crate::{Constraint, Id, Variable};

/// Generates variables when a search reaches them.
///
/// A search begins with some variables. A variable that these mention is requested once, when it is about to
/// be chosen. The result must depend on the name alone, not on the time of the request.
pub trait Expand {
    /// The definition of a variable; empty for an unknown one, which can be chosen freely.
    fn expand(&mut self, id: &Id) -> Expansion;
}

/// The generated constraints of a variable.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expansion {
    /// The constraints.
    pub constraints: Vec<Constraint>,
    /// The place where it is written.
    pub origin: Option<diag::Span>,
    /// Further variables, such as one that limits a set of variables to one. Those that are known already are
    /// not changed.
    pub also: Vec<Variable>,
}

/// Generates no variables.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

impl Expand for Nothing {
    fn expand(&mut self, _id: &Id) -> Expansion {
        Expansion::default()
    }
}
