//! What would make it possible: each was tried.

use std::collections::{BTreeSet, VecDeque};

use super::{moves::search_changed, probe::Probe};
use crate::{Constraint, ConstraintRef, Expand, Hooks, Id, Limits, Problem, search::Found};

/// Numbers of constraints.
type Numbers = BTreeSet<u32>;

/// What may be changed.
#[derive(Clone, Debug, Default)]
pub struct FixRequest {
    /// Constraints that may be left out.
    pub relaxable: Vec<ConstraintRef>,
    /// Other changes, the ones that are liked best first.
    pub alternatives: Vec<Alternative>,
    /// At most so many fixes.
    pub most: usize,
    /// At most so many searches.
    pub searches: usize,
}

/// A change that the caller thinks of: other constraints for a variable.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The place of the variable.
    pub variable: usize,
    /// What it has instead.
    pub constraints: Vec<Constraint>,
}

/// A change that makes it possible. Nothing less of it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Constraints that are left out.
    pub dropped: Vec<ConstraintRef>,
    /// Places of alternatives that are taken.
    pub alternatives: Vec<usize>,
    /// What is selected then.
    pub selection: Vec<Id>,
}

/// Changes that make a problem without solution possible, the smallest first, alternatives before constraints that are
/// left out.
///
/// Nothing if the problem has a solution already. Of alternatives single ones and pairs are tried, of constraints to leave out all sets from the smallest on. Each was
/// tried by solving again; `expand` tells what a lazy search did not come to.
pub fn fixes(
    problem: &Problem,
    request: &FixRequest,
    expand: &mut dyn Expand,
    hooks: &dyn Hooks,
    limits: &Limits,
) -> Vec<Fix> {
    let mut mender = Mender {
        searches: request.searches,
        open: VecDeque::from([Numbers::new()]),
        seen: BTreeSet::new(),
        cores: Vec::new(),
        found: Vec::new(),
        problem,
        request,
        expand,
        hooks,
        limits,
    };
    if mender.is_solvable() {
        return Vec::new();
    }
    mender.single_alternatives();
    mender.dropped_sets(1);
    mender.pairs_of_alternatives();
    mender.dropped_sets(usize::MAX);
    mender.found.truncate(request.most);
    mender.found
}

struct Mender<'a> {
    problem: &'a Problem,
    request: &'a FixRequest,
    expand: &'a mut dyn Expand,
    hooks: &'a dyn Hooks,
    limits: &'a Limits,
    searches: usize,
    /// Sets of constraints that have not been left out yet, the smaller ones first.
    open: VecDeque<Numbers>,
    seen: BTreeSet<Numbers>,
    /// One of each of these has to be left out.
    cores: Vec<Numbers>,
    found: Vec<Fix>,
}

impl Mender<'_> {
    fn is_done(&self) -> bool {
        self.found.len() >= self.request.most || self.searches == 0 || self.hooks.is_cancelled()
    }

    fn is_solvable(&mut self) -> bool {
        let mut problem = self.problem.clone();
        matches!(self.search(&mut problem, &[], false), Found::Model(_))
    }

    fn single_alternatives(&mut self) {
        for at in 0..self.request.alternatives.len() {
            self.try_alternatives(&[at]);
        }
    }

    /// Pairs of those that do not help alone.
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
        if let Found::Model(solution) = self.search(&mut changed, &[], false) {
            let selection = solution.ids(&changed);
            self.found.push(Fix { dropped: Vec::new(), alternatives: taken.to_vec(), selection });
        }
    }

    fn search(&mut self, problem: &mut Problem, without: &[u32], with_proof: bool) -> Found {
        self.searches = self.searches.saturating_sub(1);
        search_changed(problem, without, with_proof, self.expand, self.hooks, self.limits)
    }

    /// Sets of constraints to leave out, the smallest first. A conflict shows which may help: one of it must be left
    /// out, and then one of what is in conflict still.
    fn dropped_sets(&mut self, largest: usize) {
        let numbers = self.request.relaxable.iter().filter_map(|it| self.problem.number(*it));
        let relaxable: Numbers = diag::order::set(numbers);
        while !self.is_done() && self.open.front().is_some_and(|it| it.len() <= largest) {
            let Some(dropped) = self.open.pop_front() else { return };
            if self.is_covered(&dropped) || !self.seen.insert(dropped.clone()) {
                continue;
            }
            let next = self.try_dropped(&dropped, &relaxable);
            self.open.extend(next.into_iter().map(|it| {
                let mut more = dropped.clone();
                more.insert(it);
                more
            }));
        }
    }

    /// Whether a part of it helps already.
    fn is_covered(&self, dropped: &Numbers) -> bool {
        let is_in = |it: &ConstraintRef| self.problem.number(*it).is_some_and(|it| dropped.contains(&it));
        self.found.iter().any(|it| !it.dropped.is_empty() && it.dropped.iter().all(is_in))
    }

    /// If it does not help: the constraints one of which has to be left out too.
    fn try_dropped(&mut self, dropped: &Numbers, relaxable: &Numbers) -> Numbers {
        if let Some(known) = self.cores.iter().find(|it| it.is_disjoint(dropped)) {
            return known.clone();
        }
        let without: Vec<u32> = dropped.iter().copied().collect();
        let mut changed = self.problem.clone();
        match self.search(&mut changed, &without, true) {
            Found::Model(solution) => {
                let dropped: Vec<_> = without.iter().map(|it| self.problem.reference(*it)).collect();
                let selection = solution.ids(&changed);
                self.found.push(Fix { dropped, alternatives: Vec::new(), selection });
                Numbers::new()
            }
            Found::Impossible(core) => {
                let core = self.fewest_relaxable(&changed, core, relaxable);
                self.cores.push(core.clone());
                core
            }
            Found::Stopped(_) => Numbers::new(),
        }
    }

    /// The constraints of a conflict that may be left out, without those that it does not need.
    fn fewest_relaxable(&self, problem: &Problem, core: Numbers, relaxable: &Numbers) -> Numbers {
        let mut probe = Probe::new(problem, self.hooks, self.limits.explanation_steps);
        let core = probe.without_needless(core.into_iter().collect(), relaxable);
        core.into_iter().filter(|it| relaxable.contains(it)).collect()
    }
}
