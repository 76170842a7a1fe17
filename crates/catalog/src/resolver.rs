use std::{collections::BTreeSet, sync::Arc};

use diag::Diagnostics;
use resolve::{Answer, Budget, Expand, Expansion, Hooks, Id, LeftOut, Problem, Solution, solve_lazily};

use crate::{
    Catalog, Fix, Index, Request, Resolution, answer,
    answer::{Part, Premise},
    problem::{Formulation, Goal},
};

/// What is chosen of some catalogs for a request, or why it can't be done, with what is wrong with the request.
///
/// The same catalogs and request have the same answer always. What it costs depends on what the request leads to, but
/// for the index over all bundles: to ask several times, make one [`Index`] and use [`Index::resolve`].
pub fn resolve(
    catalogs: &[Catalog],
    request: &Request,
    hooks: &mut dyn Hooks,
    budget: &Budget,
) -> (Resolution, Diagnostics) {
    Index::new(catalogs).resolve(catalogs, request, hooks, budget)
}

impl Index {
    /// The same, with the index of these catalogs.
    pub fn resolve(
        &self,
        catalogs: &[Catalog],
        request: &Request,
        hooks: &mut dyn Hooks,
        budget: &Budget,
    ) -> (Resolution, Diagnostics) {
        let mut resolver = Resolver { catalogs, index: self, goal: None, hooks, budget };
        resolver.resolve(request)
    }

    /// What would come of a request if a bundle had to be chosen too: `id` is as in [`Selected`](crate::Selected). What
    /// is solved then tells what would move; what is not tells what is in the way, and which changes of the request
    /// would let it be chosen. Nothing if the bundle is in none of the packages that the request may lead to.
    pub fn what_would_move(
        &self,
        catalogs: &[Catalog],
        request: &Request,
        id: &str,
        hooks: &mut dyn Hooks,
        budget: &Budget,
    ) -> Option<Resolution> {
        let goal = Formulation::new(catalogs, self, request).find(id)?;
        let mut resolver = Resolver { catalogs, index: self, goal: Some(goal), hooks, budget };
        Some(resolver.resolve(request).0)
    }
}

/// The same with an index of its own: see [`Index::what_would_move`].
pub fn what_would_move(
    catalogs: &[Catalog],
    request: &Request,
    id: &str,
    hooks: &mut dyn Hooks,
    budget: &Budget,
) -> Option<Resolution> {
    Index::new(catalogs).what_would_move(catalogs, request, id, hooks, budget)
}

/// What stays the same while a request is tried in several forms.
pub(crate) struct Resolver<'a, 'h> {
    pub(crate) catalogs: &'a [Catalog],
    pub(crate) index: &'a Index,
    /// A bundle that has to be chosen.
    pub(crate) goal: Option<Goal>,
    pub(crate) hooks: &'h mut dyn Hooks,
    /// What is left for all that is tried.
    pub(crate) budget: &'h Budget,
}

/// What became of one form of a request.
pub(crate) enum Outcome {
    Solved(Box<(Problem, Solution)>),
    Unsolvable(Vec<Premise>),
    Stopped,
}

/// How many conflicts are told.
const MOST: usize = 8;

impl<'a> Resolver<'a, '_> {
    fn resolve(&mut self, request: &'a Request) -> (Resolution, Diagnostics) {
        let mut formulation = self.formulation(request);
        let (resolution, about) = match self.outcome(&mut formulation) {
            Outcome::Stopped => (Resolution::Stopped, Vec::new()),
            Outcome::Unsolvable(premises) => self.unsolvable(&mut formulation, premises),
            Outcome::Solved(found) => {
                let (problem, solution) = &*found;
                let solved = answer::Solved { problem, solution, hooks: &*self.hooks, budget: self.budget };
                (Resolution::Solved(answer::selection(&mut formulation, &solved)), Vec::new())
            }
        };
        let found = answer::notices(&formulation.universe, &resolution, &about);
        (resolution, found)
    }

    /// A form of the request.
    pub(crate) fn formulation<'r>(&self, request: &'r Request) -> Formulation<'r>
    where
        'a: 'r,
    {
        let mut formulation = Formulation::new(self.catalogs, self.index, request);
        formulation.goal.clone_from(&self.goal);
        formulation
    }

    /// Asks the solver.
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

    /// All conflicts that have nothing to do with each other, and what would help; the requirements of each.
    fn unsolvable(
        &mut self,
        formulation: &mut Formulation<'_>,
        premises: Vec<Premise>,
    ) -> (Resolution, Vec<BTreeSet<Arc<str>>>) {
        let request = formulation.universe.request;
        let mut conflicts = vec![answer::conflict(formulation, &premises)];
        let mut parts = vec![Part::of(request, &premises)];
        let most = if self.goal.is_some() { 1 } else { MOST };
        while conflicts.len() < most {
            // After each conflict what it is about is left out.
            let left = answer::without(request, parts.iter());
            let mut rest = self.formulation(&left);
            let premises = match self.quietly(&mut rest) {
                Outcome::Unsolvable(premises) => premises,
                Outcome::Solved(_) => break,
                Outcome::Stopped => {
                    self.budget.leave_out(LeftOut::OtherConflicts);
                    break;
                }
            };
            let part = Part::of(&left, &premises);
            if part.is_empty() {
                break;
            }
            conflicts.push(answer::conflict(&rest, &premises));
            parts.push(part);
        }
        // Those come first whose requirements do.
        let order = diag::order::of(parts.len(), &mut |a, b| {
            parts[a].first_in(request).cmp(&parts[b].first_in(request))
        });
        let conflicts = order.iter().map(|it| conflicts[*it].clone()).collect();
        let parts: Vec<Part> = order.iter().map(|it| parts[*it].clone()).collect();
        let fixes = self.fixes(formulation, &premises, &parts);
        let about = parts.iter().map(|it| it.names().clone()).collect();
        (Resolution::Unsolvable { conflicts, fixes }, about)
    }

    /// What would take each conflict away; that is tried without what the others are about.
    fn fixes(&mut self, formulation: &mut Formulation<'_>, premises: &[Premise], parts: &[Part]) -> Vec<Fix> {
        let mut tries = answer::TRIES;
        let budget = self.budget;
        let own = budget.for_explanation().unnoted();
        let (catalogs, index, goal) = (self.catalogs, self.index, self.goal.clone());
        let mut resolver = Resolver { catalogs, index, goal, hooks: &mut *self.hooks, budget: &own };
        let found = resolver.fixes_of_parts(formulation, premises, parts, &mut tries);
        if own.left_out().contains(&LeftOut::Fixes) {
            budget.leave_out(LeftOut::Fixes);
        }
        found
    }

    fn fixes_of_parts(
        &mut self,
        formulation: &mut Formulation<'_>,
        premises: &[Premise],
        parts: &[Part],
        tries: &mut usize,
    ) -> Vec<Fix> {
        if parts.len() == 1 {
            return answer::fixes(self, formulation, premises, 0, tries);
        }
        let request = formulation.universe.request;
        let mut all = Vec::new();
        for at in 0..parts.len() {
            let others = parts.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, it)| it);
            let alone = answer::without(request, others);
            let mut formulation = self.formulation(&alone);
            if let Outcome::Unsolvable(premises) = self.quietly(&mut formulation) {
                all.extend(answer::fixes(self, &mut formulation, &premises, at, tries));
            }
        }
        all
    }

    /// Asks the solver, out of what is left for explanations, without telling the host what it does.
    pub(crate) fn quietly(&mut self, formulation: &mut Formulation<'_>) -> Outcome {
        self.quietly_within(formulation, &self.budget.for_explanation())
    }

    /// The same within another budget.
    pub(crate) fn quietly_within(&mut self, formulation: &mut Formulation<'_>, budget: &Budget) -> Outcome {
        let mut quiet = Quiet(self.hooks);
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

/// Only the question whether to break off.
struct Quiet<'a>(&'a dyn Hooks);

impl Hooks for Quiet<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}
