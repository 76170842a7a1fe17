use crate::{Expand, Problem, forms::Forms, normal::Var};

/// Where variables come from.
pub(crate) enum VariableSource<'a> {
    /// They are all there.
    Fixed(&'a Problem),
    /// More may come.
    Open(&'a mut Problem, &'a mut dyn Expand),
}

impl VariableSource<'_> {
    pub(crate) fn problem(&self) -> &Problem {
        match self {
            Self::Fixed(problem) => problem,
            Self::Open(problem, _) => problem,
        }
    }

    /// Whether more variables may come.
    pub(crate) const fn is_open(&self) -> bool {
        matches!(self, Self::Open(..))
    }

    /// Asks what a variable's constraints are; those that are known by that.
    pub(crate) fn ask(&mut self, var: Var) -> Vec<Var> {
        let Self::Open(problem, expand) = self else { return Vec::new() };
        if problem.is_given(var) {
            return Vec::new();
        }
        let id = problem.id(var).clone();
        let expansion = expand.expand(&id);
        let given = crate::Variable { id, constraints: expansion.constraints, origin: expansion.origin };
        [given].into_iter().chain(expansion.also).filter_map(|it| problem.add(it)).collect()
    }

    pub(crate) fn forms(&self) -> &Forms {
        self.problem().forms()
    }
}
