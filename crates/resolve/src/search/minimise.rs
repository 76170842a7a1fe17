//! The smallest set of variables besides the chosen ones; of several such sets, the one whose members come
//! first.

use std::collections::BTreeSet;

use super::{
    Search, SearchOutcome,
    fact::Fact,
    prefix::Preference,
    queue::{Next, counts},
};
use crate::{
    normal::{Form, Formula, Var},
    sat::{Lit, Sat},
};

/// A bound on the number of true literals among some, and the order of preference.
#[derive(Debug)]
pub(super) struct CardinalityBound {
    /// The literal under which the bound holds.
    pub(super) guard: Lit,
    /// The counted literals; earlier ones are preferred.
    lits: Vec<Lit>,
}

impl CardinalityBound {
    /// Assumes the next open literal to be true.
    pub(super) fn next(&self, sat: &Sat) -> Next {
        let open = [self.guard].into_iter().chain(self.lits.iter().copied()).find(|it| sat.is_open(*it));
        open.map_or(Next::Done, Next::Decide)
    }
}

impl Search<'_> {
    /// The variables that are selected in addition to the chosen ones, after all choices are made.
    pub(super) fn fewest(&mut self) -> Result<BTreeSet<Var>, SearchOutcome> {
        loop {
            self.keep();
            if !self.has_truths {
                return Ok(BTreeSet::new());
            }
            let extras = self.extras();
            if extras.is_empty() || !self.goal.facts.is_empty() {
                return Ok(extras);
            }
            let (relevant, has_grown) = self.relevant();
            if !has_grown {
                let chosen = diag::order::set(self.kept.iter().copied());
                let extras: Vec<Var> = relevant.difference(&chosen).copied().collect();
                return self.fewest_of(&extras);
            }
            self.back_to(0);
            self.search()?;
        }
    }

    /// The true variables that were not chosen.
    fn extras(&self) -> BTreeSet<Var> {
        let is_true = |it: &(usize, &Var)| self.sat.is_true(Lit::new(it.0 as u32, true));
        let selected = self.outer.iter().enumerate().filter(is_true).map(|(_, var)| *var);
        diag::order::set(selected.filter(|it| *it != super::NONE && !self.queue.is_chosen(*it)))
    }

    /// Everything that may be required besides the chosen variables: those that could satisfy the constraints
    /// that no choice satisfies, and their dependencies. Leaving out anything else violates nothing. Also
    /// returns whether something was unknown before.
    fn relevant(&mut self) -> (BTreeSet<Var>, bool) {
        let mut open = Vec::new();
        for constraint in self.world.forms().unconditional() {
            self.demands(*constraint, false, &mut open);
        }
        for var in &self.kept {
            self.world.problem().numbers_of(*var).for_each(|it| self.demands(it, false, &mut open));
        }
        let (mut relevant, mut has_grown) = (BTreeSet::new(), false);
        while let Some(var) = open.pop() {
            if !relevant.insert(var) {
                continue;
            }
            has_grown |= self.request(var);
            self.world.problem().numbers_of(var).for_each(|it| self.demands(it, true, &mut open));
        }
        (relevant, has_grown)
    }

    /// Requests the constraints of a variable that are not known.
    fn request(&mut self, var: Var) -> bool {
        if self.world.problem().is_given(var) || !self.world.is_open() {
            return false;
        }
        self.back_to(0);
        let lit = self.lit(var);
        self.emit(lit.var());
        true
    }

    /// The variables that could satisfy a constraint.
    fn demands(&self, constraint: u32, with_choices: bool, found: &mut Vec<Var>) {
        if !counts(self.goal.counts, constraint) {
            return;
        }
        for form in self.world.forms().of(constraint) {
            match form {
                Form::Truth(formula) => positive(self.world.forms().formula(*formula), found),
                Form::Choice(of) if with_choices => found.extend(self.world.forms().list(*of)),
                _ => {}
            }
        }
    }

    /// The current extras are an upper bound of the smallest number, which is found by binary search over guarded
    /// counters. Then the first extras of that number are taken, in order. Each bound implies the looser ones, so clauses
    /// learnt for one bound remain useful for the next.
    fn fewest_of(&mut self, extras: &[Var]) -> Result<BTreeSet<Var>, SearchOutcome> {
        let lits: Vec<Lit> = extras.iter().map(|it| self.lit(*it)).collect();
        let (mut least, mut most) = (0, self.count_true(&lits));
        self.keep_only(extras);
        let mut looser = None;
        while least < most {
            let half = least + (most - least) / 2;
            let guard = self.bound(&lits, half, looser);
            match self.decide_all(Preference::Fewest(&CardinalityBound { guard, lits: Vec::new() }))? {
                true => (most, looser) = (self.count_true(&lits), Some(guard)),
                false => least = half + 1,
            }
        }
        let fewest = CardinalityBound { guard: self.bound(&lits, most, looser), lits };
        self.decide_all(Preference::Fewest(&fewest))?;
        let chosen = extras.iter().zip(&fewest.lits).filter(|(_, lit)| self.sat.is_true(**lit));
        Ok(diag::order::set(chosen.map(|(var, _)| *var)))
    }

    fn count_true(&self, lits: &[Lit]) -> usize {
        lits.iter().filter(|it| self.sat.is_true(**it)).count()
    }

    /// A literal under which at most so many are true. It implies a looser bound, so that clauses learnt for
    /// that one remain useful.
    fn bound(&mut self, lits: &[Lit], most: usize, looser: Option<Lit>) -> Lit {
        self.back_to(0);
        let guard = self.helper();
        if let Some(looser) = looser {
            self.add(Fact::Clause(vec![!guard, looser]), super::NONE);
        }
        if most < lits.len() {
            self.add(Fact::Counter(lits.to_vec(), most as u32, Some(guard)), super::NONE);
        }
        guard
    }

    /// From now on the chosen variables are selected, and no others but these may be.
    fn keep_only(&mut self, extras: &[Var]) {
        let extras: BTreeSet<Var> = diag::order::set(extras.iter().copied());
        let known: Vec<Var> = self.outer.iter().copied().filter(|it| *it != super::NONE).collect();
        let chosen = diag::order::set(self.kept.iter().copied());
        self.back_to(0);
        self.forget_model();
        for var in known {
            let is_chosen = chosen.contains(&var);
            if is_chosen || !extras.contains(&var) {
                let lit = self.lit(var).when(is_chosen);
                self.add(Fact::Clause(vec![lit]), super::NONE);
            }
        }
    }
}

/// The variables that a formula may require to be selected.
fn positive(formula: &Formula, found: &mut Vec<Var>) {
    match formula {
        Formula::Is(lit) => found.extend(lit.is_positive().then_some(lit.var())),
        Formula::AtMost(_, of) => found.extend(of.iter().filter(|it| !it.is_positive()).map(|it| it.var())),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|it| positive(it, found)),
    }
}
