//! Incremental solving under assumptions (Eén and Sörensson 2003): which of a set of constraints can hold together, for
//! many subsets of the set.
//!
//! Each constraint is added once, guarded by its own assumption literal, and a query assumes the literals of its subset.
//! All assumptions are made at level 1, so a conflict of level 1 depends on assumptions only, and these are the members
//! that cannot hold together. Learnt clauses stay valid for all queries, because they contain the assumptions that they
//! depend on.

use super::{Goal, Search, SearchOutcome, fact::Fact, world::VariableSource};
use crate::{
    Hooks, Problem, Stop,
    normal::{Form, Var},
    sat::{Lit, Reason},
};

/// A solver for subsets of some constraints.
pub(crate) struct IncrementalSolver<'a> {
    search: Search<'a>,
}

/// The satisfiability of the given constraints together.
#[derive(Debug)]
pub(crate) enum Satisfiability {
    /// They can all hold; by variable of the problem: whether it is selected in that case.
    Satisfiable(Vec<bool>),
    /// These of them cannot, in order.
    Unsatisfiable(Vec<u32>),
    /// The search was stopped.
    Stopped(Stop),
}

impl<'a> IncrementalSolver<'a> {
    /// A solver for constraints by number, in order. `facts` are variables that are true, with numbers after
    /// those of the constraints.
    pub(crate) fn new(
        problem: &'a Problem,
        members: &[u32],
        facts: &'a [(Var, u32)],
        hooks: &'a mut dyn Hooks,
    ) -> Self {
        let goal = Goal { facts, ..Goal::default() };
        let mut search = Search::new(VariableSource::Fixed(problem), goal, hooks);
        search.begin_prefix();
        search.assumptions = Some(Vec::new());
        members.iter().for_each(|it| search.add_member(*it));
        search.assumption = None;
        Self { search }
    }

    /// Checks if some of the constraints can hold together, within a number of steps; returns also the steps that it
    /// took.
    pub(crate) fn check_members(&mut self, members: &[u32], steps: u64) -> (Satisfiability, u64) {
        let before = self.search.sat.steps;
        self.search.goal.steps = before.saturating_add(steps);
        let verdict = match self.search.assume(members) {
            Ok(selected) => Satisfiability::Satisfiable(selected),
            Err(SearchOutcome::Impossible(core)) => Satisfiability::Unsatisfiable(core.into_iter().collect()),
            Err(SearchOutcome::Stopped(stop)) => Satisfiability::Stopped(stop),
            Err(SearchOutcome::Model(_)) => Satisfiability::Satisfiable(Vec::new()),
        };
        (verdict, self.search.sat.steps - before)
    }

    /// The number of steps so far.
    pub(crate) const fn steps(&self) -> u64 {
        self.search.sat.steps
    }
}

impl Search<'_> {
    /// Adds a constraint or a fact under a new assumption.
    fn add_member(&mut self, member: u32) {
        let lit = self.helper();
        self.assumption = Some(lit);
        self.assumptions.get_or_insert_default().push((member, lit));
        self.sat.steps += 1;
        match member.checked_sub(self.world.problem().constraint_count()) {
            Some(at) => {
                if let Some((var, _)) = self.goal.facts.get(at as usize).copied() {
                    self.add_lits(&[(var, true)], None, member);
                }
            }
            None => self.add_all_forms(member),
        }
    }

    fn add_all_forms(&mut self, constraint: u32) {
        let subject = self.world.problem().reference(constraint).variable as Var;
        for at in 0..self.world.forms().of(constraint).len() {
            match self.world.forms().of(constraint)[at] {
                Form::AtMost(most, of) => {
                    let vars = of.range().map(|it| self.world.forms().vars[it]).collect::<Vec<_>>();
                    let lits: Vec<Lit> = vars.into_iter().map(|it| self.lit(it)).collect();
                    self.sat.steps += lits.len() as u64;
                    self.add(Fact::Counter(lits, most, self.assumption), constraint);
                }
                form => self.add_form(subject, constraint, form),
            }
        }
    }

    /// Searches for a model of the members; the others are ignored.
    fn assume(&mut self, members: &[u32]) -> Result<Vec<bool>, SearchOutcome> {
        self.back_to(0);
        self.forget_model();
        self.settle()?;
        self.queue.mark();
        self.sat.begin_level();
        let assumptions = std::mem::take(&mut self.assumptions).unwrap_or_default();
        let mut refuted = None;
        for (member, lit) in &assumptions {
            let lit = lit.when(members.binary_search(member).is_ok());
            if self.sat.is_open(lit) {
                self.sat.set(lit, Reason::Decision);
            } else if self.sat.is_false(lit) && members.binary_search(member).is_ok() {
                refuted = refuted.or(Some(*member));
            }
        }
        self.sat.steps += assumptions.len() as u64;
        self.assumptions = Some(assumptions);
        match refuted {
            Some(member) => Err(SearchOutcome::Impossible([member].into())),
            None => self.model_of_assumptions(),
        }
    }

    fn model_of_assumptions(&mut self) -> Result<Vec<bool>, SearchOutcome> {
        if let Some(prefix) = &mut self.prefix {
            prefix.len = 1;
        }
        loop {
            self.settle()?;
            self.search_model();
            if self.prefix.as_ref().is_none_or(|it| it.is_proven) {
                return Ok(self.selected());
            }
        }
    }

    /// The selection of the model, by variable of the problem.
    fn selected(&self) -> Vec<bool> {
        let mut selected = vec![false; self.world.problem().variables().len()];
        for (at, var) in self.outer.iter().enumerate() {
            if let Some(it) = selected.get_mut(*var as usize) {
                *it = self.prefix.as_ref().is_some_and(|all| all.has(Lit::new(at as u32, true)));
            }
        }
        selected
    }

    /// The members whose assumptions cause a conflict, if it has no other cause.
    pub(super) fn refuted_members(&mut self, conflict: crate::sat::Conflict) -> Option<SearchOutcome> {
        if self.assumptions.is_none() || self.sat.depth_of(conflict) > 1 {
            return None;
        }
        let decisions = self.sat.decisions_of(conflict);
        let assumptions = self.assumptions.as_deref().unwrap_or_default();
        let member = |lit: Lit| {
            let at = assumptions.binary_search_by_key(&lit.var(), |(_, it)| it.var()).ok()?;
            Some(assumptions[at].0)
        };
        Some(SearchOutcome::Impossible(decisions.into_iter().filter_map(member).collect()))
    }
}
