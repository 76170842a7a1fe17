//! Verified fixes of conflicts.

use std::collections::{BTreeSet, VecDeque};

use super::{moves::search_changed, probe::Probe};
use crate::{Budget, Constraint, ConstraintRef, Expand, Hooks, Id, Omission, Problem, search::SearchOutcome};

/// Numbers of constraints.
type Numbers = BTreeSet<u32>;

/// The changes that fixes may make.
#[derive(Clone, Debug, Default)]
pub struct FixRequest {
    /// Constraints that may be left out.
    pub relaxable: Vec<ConstraintRef>,
    /// Other changes, the preferred ones first.
    pub alternatives: Vec<Alternative>,
    /// The highest number of fixes.
    pub most: usize,
    /// The highest number of searches.
    pub searches: usize,
}

/// A change that the caller suggests: other constraints for a variable.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The index of the variable.
    pub variable: usize,
    /// The replacement.
    pub constraints: Vec<Constraint>,
}

/// A change that makes the problem solvable. No part of it is enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Constraints that are left out.
    pub dropped: Vec<ConstraintRef>,
    /// Indices of alternatives that are taken.
    pub alternatives: Vec<usize>,
    /// The selection with the fix.
    pub selection: Vec<Id>,
}

/// Changes that make a problem without solution solvable, the smallest first, alternatives before constraints
/// that are left out.
///
/// Empty if the problem has a solution already. Of alternatives single ones and pairs are tried, of
/// constraints to leave out all sets from the smallest on. Each was verified by solving again; `expand`
/// generates variables that a lazy search did not reach.
pub fn fixes(
    problem: &Problem,
    request: &FixRequest,
    expand: &mut dyn Expand,
    hooks: &dyn Hooks,
    budget: &Budget,
) -> Vec<Fix> {
    let numbers = request.relaxable.iter().filter_map(|it| problem.number(*it));
    let mut search = FixSearch {
        relaxable: diag::order::set(numbers),
        searches: request.searches,
        open: VecDeque::from([Numbers::new()]),
        seen: BTreeSet::new(),
        cores: Vec::new(),
        found: Vec::new(),
        problem,
        request,
        expand,
        hooks,
        budget: budget.for_explanation().without_omissions(),
        is_complete: true,
    };
    if !search.is_solvable() {
        search.single_alternatives();
        search.dropped_sets(1);
        search.pairs_of_alternatives();
        search.dropped_sets(usize::MAX);
    }
    if !search.is_complete {
        budget.omit(Omission::Fixes);
    }
    search.found.truncate(request.most);
    search.found
}

struct FixSearch<'a> {
    problem: &'a Problem,
    request: &'a FixRequest,
    expand: &'a mut dyn Expand,
    hooks: &'a dyn Hooks,
    budget: Budget,
    /// Constraints that may be left out.
    relaxable: Numbers,
    searches: usize,
    /// True if everything that could help was tried, up to the requested number.
    is_complete: bool,
    /// Sets of constraints that have not been tried yet, the smaller ones first.
    open: VecDeque<Numbers>,
    seen: BTreeSet<Numbers>,
    /// One constraint of each of these has to be left out.
    cores: Vec<Numbers>,
    found: Vec<Fix>,
}

impl FixSearch<'_> {
    /// True if enough were found, or nothing more can be tried.
    fn is_done(&mut self) -> bool {
        let is_enough = self.found.len() >= self.request.most;
        let is_over = self.searches == 0 || self.budget.steps() == 0 || self.hooks.is_cancelled();
        self.is_complete &= is_enough || !is_over;
        is_enough || is_over
    }

    /// True if the problem is solvable; if not, its conflict is recorded.
    fn is_solvable(&mut self) -> bool {
        match self.search(&mut self.problem.clone(), &[]) {
            SearchOutcome::Model(_) => true,
            SearchOutcome::Impossible(core) => {
                let core = self.fewest_relaxable(&self.problem.clone(), core);
                self.cores.push(core);
                false
            }
            SearchOutcome::Stopped(_) => false,
        }
    }

    fn single_alternatives(&mut self) {
        for at in 0..self.request.alternatives.len() {
            self.try_alternatives(&[at]);
        }
    }

    /// Tries pairs of those that do not help alone.
    fn pairs_of_alternatives(&mut self) {
        let helps: BTreeSet<usize> =
            diag::order::set(self.found.iter().flat_map(|it| it.alternatives.clone()));
        let alternatives = &self.request.alternatives;
        let alone: Vec<usize> = (0..alternatives.len()).filter(|it| !helps.contains(it)).collect();
        for (n, first) in alone.iter().enumerate() {
            for second in &alone[n + 1..] {
                if alternatives[*first].variable != alternatives[*second].variable {
                    self.try_alternatives(&[*first, *second]);
                }
            }
        }
    }

    fn try_alternatives(&mut self, taken: &[usize]) {
        if self.is_done() {
            return;
        }
        let change = |at: &usize| {
            let it = &self.request.alternatives[*at];
            (it.variable, it.constraints.clone())
        };
        let mut changed = self.problem.with(&taken.iter().map(change).collect::<Vec<_>>());
        if let SearchOutcome::Model(solution) = self.search(&mut changed, &[]) {
            let selection = solution.ids(&changed);
            self.found.push(Fix { dropped: Vec::new(), alternatives: taken.to_vec(), selection });
        }
    }

    fn search(&mut self, problem: &mut Problem, without: &[u32]) -> SearchOutcome {
        self.searches = self.searches.saturating_sub(1);
        let found = search_changed(problem, without, self.expand, self.hooks, &self.budget);
        self.is_complete &= !matches!(found, SearchOutcome::Stopped(_));
        found
    }

    /// Tries sets of constraints to leave out, the smallest first. A conflict shows which may help: one of
    /// its constraints must be left out, and then one of the remaining conflict.
    fn dropped_sets(&mut self, largest: usize) {
        while self.open.front().is_some_and(|it| it.len() <= largest) && !self.is_done() {
            let Some(dropped) = self.open.pop_front() else { return };
            // Comparing sets takes steps too: there may be very many that need no search.
            self.budget.spend((dropped.len() * (self.cores.len() + self.found.len() + 1)) as u64);
            if self.is_covered(&dropped) || !self.seen.insert(dropped.clone()) {
                continue;
            }
            let next = self.try_dropped(&dropped);
            self.budget.spend((next.len() * (dropped.len() + 1)) as u64);
            self.open.extend(next.into_iter().map(|it| {
                let mut more = dropped.clone();
                more.insert(it);
                more
            }));
        }
    }

    /// True if a part of it helps already.
    fn is_covered(&self, dropped: &Numbers) -> bool {
        let is_in = |it: &ConstraintRef| self.problem.number(*it).is_some_and(|it| dropped.contains(&it));
        self.found.iter().any(|it| !it.dropped.is_empty() && it.dropped.iter().all(is_in))
    }

    /// Tries to leave out constraints. If that does not help, returns the constraints one of which has to be
    /// left out too.
    fn try_dropped(&mut self, dropped: &Numbers) -> Numbers {
        if let Some(known) = self.cores.iter().find(|it| it.is_disjoint(dropped)) {
            return known.clone();
        }
        let without: Vec<u32> = dropped.iter().copied().collect();
        let mut changed = self.problem.clone();
        match self.search(&mut changed, &without) {
            SearchOutcome::Model(solution) => {
                let dropped: Vec<_> = without.iter().map(|it| self.problem.reference(*it)).collect();
                let selection = solution.ids(&changed);
                self.found.push(Fix { dropped, alternatives: Vec::new(), selection });
                Numbers::new()
            }
            SearchOutcome::Impossible(core) => {
                let core = self.fewest_relaxable(&changed, core);
                self.cores.push(core.clone());
                core
            }
            SearchOutcome::Stopped(_) => Numbers::new(),
        }
    }

    /// The constraints of a conflict that may be left out, without those that it does not need.
    fn fewest_relaxable(&self, problem: &Problem, core: Numbers) -> Numbers {
        let left = self.budget.explanation_steps();
        let mut probe = Probe::new(problem, self.hooks, &self.budget, left / 4);
        let core = probe.without_needless(core.into_iter().collect(), &self.relaxable);
        core.into_iter().filter(|it| self.relaxable.contains(it)).collect()
    }
}
