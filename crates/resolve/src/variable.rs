use diag::{Diagnostics, Span};

use crate::{Constraint, EntitySource, Id};

/// A variable that can be selected, with its constraints.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name, unique in its problem.
    pub id: Id,
    /// The constraints, in the order in which their dependencies are chosen.
    pub constraints: Vec<Constraint>,
    /// The place where it was written.
    pub origin: Option<Span>,
}

/// Generates variables from entities (source: deppy's variable sources).
pub trait VariableSource {
    /// The variables, with diagnostics for their sources.
    fn variables(&self, entities: &dyn EntitySource) -> (Vec<Variable>, Diagnostics);
}

impl Variable {
    /// A variable without a place.
    pub fn new(id: impl Into<Id>, constraints: impl IntoIterator<Item = Constraint>) -> Self {
        Self { id: id.into(), constraints: constraints.into_iter().collect(), origin: None }
    }
}
