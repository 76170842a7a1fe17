use crate::{Expand, Problem, forms::Forms, normal::Var};

/// The source of variables.
pub(crate) enum VariableSource<'a> {
    /// All variables are known.
    Fixed(&'a Problem),
    /// More variables may be generated.
    Open(&'a mut Problem, &'a mut dyn Expand),
}

impl VariableSource<'_> {
    pub(crate) fn problem(&self) -> &Problem {
        match self {
            Self::Fixed(problem) => problem,
            Self::Open(problem, _) => problem,
        }
    }

    /// True if more variables may be generated.
    pub(crate) const fn is_open(&self) -> bool {
        matches!(self, Self::Open(..))
    }

    /// Requests a variable's constraints; returns the variables that become known.
    pub(crate) fn expand(&mut self, var: Var) -> Vec<Var> {
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
