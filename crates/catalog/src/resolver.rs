use std::{collections::BTreeSet, sync::Arc};

use diag::Diagnostics;
use resolve::{Budget, Hooks, Omission};

use crate::{
    Catalog, Fix, Index, Request, Resolution, answer,
    answer::{ConflictScope, Premise},
    outcome::{Outcome, Resolver},
    problem::Formulation,
};

/// Chooses bundles of some catalogs for a request; returns the resolution, with diagnostics for the request.
///
/// The same catalogs and request always give the same answer. The cost depends on what the request leads to,
/// except for the index over all bundles: to resolve several requests, create one [`Index`] and use
/// [`Index::resolve`].
pub fn resolve(
    catalogs: &[Catalog],
    request: &Request,
    hooks: &mut dyn Hooks,
    budget: &Budget,
) -> (Resolution, Diagnostics) {
    Index::new(catalogs).resolve(catalogs, request, hooks, budget)
}

impl Index {
    /// Like [`resolve`](crate::resolve()), with the index of these catalogs.
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

    /// The resolution of a request with an additional bundle that has to be chosen: `id` is as in
    /// [`Selected`](crate::Selected). If it is solved, it shows what would change; if not, it shows what
    /// prevents that, and which changes of the request would let the bundle be chosen. `None` if the bundle
    /// is in none of the packages that the request may lead to.
    pub fn required_changes(
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

/// Like [`Index::required_changes`], with an index of its own.
pub fn what_would_move(
    catalogs: &[Catalog],
    request: &Request,
    id: &str,
    hooks: &mut dyn Hooks,
    budget: &Budget,
) -> Option<Resolution> {
    Index::new(catalogs).required_changes(catalogs, request, id, hooks, budget)
}

/// The highest number of conflicts that are reported.
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

    /// All independent conflicts with their fixes, and the requirements of each.
    fn unsolvable(
        &mut self,
        formulation: &mut Formulation<'_>,
        premises: Vec<Premise>,
    ) -> (Resolution, Vec<BTreeSet<Arc<str>>>) {
        let request = formulation.universe.request;
        let mut conflicts = vec![answer::conflict(formulation, &premises)];
        let mut parts = vec![ConflictScope::of(request, &premises)];
        let most = if self.goal.is_some() { 1 } else { MOST };
        while conflicts.len() < most {
            // The requirements of each conflict are left out when the next one is searched.
            let left = answer::without(request, parts.iter());
            let mut rest = self.formulation(&left);
            let premises = match self.quietly(&mut rest) {
                Outcome::Unsolvable(premises) => premises,
                Outcome::Solved(_) => break,
                Outcome::Stopped => {
                    self.budget.omit(Omission::OtherConflicts);
                    break;
                }
            };
            let part = ConflictScope::of(&left, &premises);
            if part.is_empty() {
                break;
            }
            conflicts.push(answer::conflict(&rest, &premises));
            parts.push(part);
        }
        // Conflicts are ordered by their first requirements.
        let order = diag::order::of(parts.len(), &mut |a, b| {
            parts[a].first_in(request).cmp(&parts[b].first_in(request))
        });
        let conflicts = order.iter().map(|it| conflicts[*it].clone()).collect();
        let parts: Vec<ConflictScope> = order.iter().map(|it| parts[*it].clone()).collect();
        let fixes = self.fixes(formulation, &premises, &parts);
        let about = parts.iter().map(|it| it.names().clone()).collect();
        (Resolution::Unsolvable { conflicts, fixes }, about)
    }

    /// The fixes of each conflict; they are tried without the requirements of the others.
    fn fixes(
        &mut self,
        formulation: &mut Formulation<'_>,
        premises: &[Premise],
        parts: &[ConflictScope],
    ) -> Vec<Fix> {
        let mut tries = answer::TRIES;
        let budget = self.budget;
        let own = budget.for_explanation().without_omissions();
        let (catalogs, index, goal) = (self.catalogs, self.index, self.goal.clone());
        let mut resolver = Resolver { catalogs, index, goal, hooks: &mut *self.hooks, budget: &own };
        let found = resolver.fixes_of_parts(formulation, premises, parts, &mut tries);
        if own.omissions().contains(&Omission::Fixes) {
            budget.omit(Omission::Fixes);
        }
        found
    }

    fn fixes_of_parts(
        &mut self,
        formulation: &mut Formulation<'_>,
        premises: &[Premise],
        parts: &[ConflictScope],
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
}
