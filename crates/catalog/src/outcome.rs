//! The solver's outcome for a request and its variants.

use resolve::{Answer, Budget, Expand, Expansion, Hooks, Id, Problem, Solution, solve_lazily};

use crate::{
    Catalog, Index, Request,
    answer::Premise,
    problem::{Formulation, RequiredBundle},
};

/// The common context of the variants of a request that are tried.
pub(crate) struct Resolver<'a, 'h> {
    pub(crate) catalogs: &'a [Catalog],
    pub(crate) index: &'a Index,
    /// A bundle that has to be chosen.
    pub(crate) goal: Option<RequiredBundle>,
    pub(crate) hooks: &'h mut dyn Hooks,
    /// The remaining budget for all variants.
    pub(crate) budget: &'h Budget,
}

/// The outcome of one variant of a request.
pub(crate) enum Outcome {
    Solved(Box<(Problem, Solution)>),
    Unsolvable(Vec<Premise>),
    Stopped,
}

impl<'a> Resolver<'a, '_> {
    /// The formulation of a variant.
    pub(crate) fn formulation<'r>(&self, request: &'r Request) -> Formulation<'r>
    where
        'a: 'r,
    {
        let mut formulation = Formulation::new(self.catalogs, self.index, request);
        formulation.goal.clone_from(&self.goal);
        formulation
    }

    /// Runs the solver.
    pub(crate) fn outcome(&mut self, formulation: &mut Formulation<'_>) -> Outcome {
        let roots = formulation.anchors();
        let (answer, problem) = solve_lazily(roots, &mut Expander(formulation), self.hooks, self.budget);
        match answer {
            Answer::Solved(solution) => Outcome::Solved(Box::new((problem, solution))),
            Answer::Stopped(_) => Outcome::Stopped,
            Answer::Unsolvable(conflict) => {
                let premises = conflict.core.iter().filter_map(|it| Premise::of(formulation, &problem, *it));
                Outcome::Unsolvable(premises.collect())
            }
        }
    }

    /// Runs the solver within the budget for explanations, without reporting progress to the host.
    pub(crate) fn quietly(&mut self, formulation: &mut Formulation<'_>) -> Outcome {
        self.quietly_within(formulation, &self.budget.for_explanation())
    }

    /// The same within another budget.
    pub(crate) fn quietly_within(&mut self, formulation: &mut Formulation<'_>, budget: &Budget) -> Outcome {
        let mut quiet = CancelOnly(self.hooks);
        let mut resolver =
            Resolver { catalogs: self.catalogs, index: self.index, goal: None, hooks: &mut quiet, budget };
        resolver.outcome(formulation)
    }
}

struct Expander<'f, 'a>(&'f mut Formulation<'a>);

impl Expand for Expander<'_, '_> {
    fn expand(&mut self, id: &Id) -> Expansion {
        let mut variables = self.0.expand(id).into_iter();
        let Some(variable) = variables.next() else { return Expansion::default() };
        Expansion { constraints: variable.constraints, origin: variable.origin, also: variables.collect() }
    }
}

/// Hooks that only forward cancellation.
struct CancelOnly<'a>(&'a dyn Hooks);

impl Hooks for CancelOnly<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}
