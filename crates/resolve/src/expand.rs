use crate::{Constraint, Id, Variable};

/// Generates variables when a search reaches them.
///
/// A search begins with some variables. One that others speak of is asked for when it is about to be chosen, once. What
/// is told must depend on the name alone, not on when it is asked for.
pub trait Expand {
    /// The definition of a variable; empty for an unknown one, which can be chosen freely.
    fn expand(&mut self, id: &Id) -> Expansion;
}

/// The generated constraints of a variable.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expansion {
    /// The constraints.
    pub constraints: Vec<Constraint>,
    /// Where it is written.
    pub origin: Option<diag::Span>,
    /// Further variables, such as one that says that only one of several may be chosen. Those that are known already
    /// are left as they are.
    pub also: Vec<Variable>,
}

/// Knows of no further variables.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

impl Expand for Nothing {
    fn expand(&mut self, _id: &Id) -> Expansion {
        Expansion::default()
    }
}
