use crate::{ConstraintRef, Id, Problem, Stop};

/// The result of solving a problem.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Every constraint holds.
    Solved(Solution),
    /// The constraints cannot all hold.
    Unsolvable(Conflict),
    /// The search was stopped.
    Stopped(Stop),
}

/// The chosen variables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    /// The indices of the selected variables, in order.
    pub selected: Vec<usize>,
    /// The choices in the order in which they were made. Variables that no choice selected are in `selected`
    /// only.
    pub choices: Vec<Choice>,
}

/// A choice between the candidates of a dependency, or the only candidate of a mandatory variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The constraint that requires it.
    pub constraint: ConstraintRef,
    /// The index of the choice among those of the constraint.
    pub(crate) form: u32,
    /// The candidate's index in [`Choice::candidates`].
    pub candidate: usize,
    /// The index of the candidate's variable.
    pub variable: usize,
    /// True if an earlier choice had selected it.
    pub was_chosen: bool,
}

/// Constraints that cannot all hold; without any one of them the rest can.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conflict {
    /// The constraints, in order.
    pub core: Vec<ConstraintRef>,
    /// True if it is proven that none can be left out: the explanation was not stopped.
    pub is_irreducible: bool,
}

impl Solution {
    /// The names of the selected variables, in order.
    pub fn ids(&self, problem: &Problem) -> Vec<Id> {
        self.selected.iter().filter_map(|it| problem.variables().get(*it)).map(|it| it.id.clone()).collect()
    }

    /// True if a variable is selected.
    pub fn is_selected(&self, problem: &Problem, id: &str) -> bool {
        problem.position(id).is_some_and(|it| self.selected.binary_search(&it).is_ok())
    }
}

impl Conflict {
    /// The constraints as sentences.
    pub fn sentences(&self, problem: &Problem) -> Vec<String> {
        self.core.iter().map(|it| problem.sentence(*it)).collect()
    }
}
