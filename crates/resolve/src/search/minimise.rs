//! The fewest members besides what was chosen; of several such sets, the one whose members come first.

use std::collections::BTreeSet;

use super::{Found, Search, fact::Fact, queue::counts};
use crate::{
    normal::{Form, Formula, Var},
    sat::Lit,
};

impl Search<'_> {
    /// What is selected besides what was chosen, once all choices are made.
    pub(super) fn fewest(&mut self) -> Result<BTreeSet<Var>, Found> {
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

    /// What is true as things are and was not chosen.
    fn extras(&self) -> BTreeSet<Var> {
        let is_true = |it: &(usize, &Var)| self.sat.is_true(Lit::new(it.0 as u32, true));
        let selected = self.outer.iter().enumerate().filter(is_true).map(|(_, var)| *var);
        diag::order::set(selected.filter(|it| *it != super::NONE && !self.queue.is_chosen(*it)))
    }

    /// Everything that may be of use besides what is chosen: what the constraints that no choice sees to could be met
    /// by, and what that needs. Leaving out anything else breaks nothing. Also whether something was not known before.
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
            has_grown |= self.learn_of(var);
            self.world.problem().numbers_of(var).for_each(|it| self.demands(it, true, &mut open));
        }
        (relevant, has_grown)
    }

    /// Asks for what is not known of a variable.
    fn learn_of(&mut self, var: Var) -> bool {
        if self.world.problem().is_given(var) || !self.world.is_open() {
            return false;
        }
        self.back_to(0);
        let lit = self.lit(var);
        self.emit(lit.var());
        true
    }

    /// What a constraint could be met by.
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

    fn fewest_of(&mut self, extras: &[Var]) -> Result<BTreeSet<Var>, Found> {
        self.keep_only(extras);
        let lits: Vec<Lit> = extras.iter().map(|it| self.lit(*it)).collect();
        for most in 0.. {
            let guard = self.helper();
            if most < lits.len() {
                self.add(Fact::Counter(lits.clone(), most as u32, Some(guard)), super::NONE);
            }
            if self.holds_with(guard, &lits)? {
                break;
            }
        }
        let chosen = extras.iter().zip(&lits).filter(|(_, lit)| self.sat.is_true(**lit));
        Ok(diag::order::set(chosen.map(|(var, _)| *var)))
    }

    /// From now on the chosen ones are chosen, and nothing else but these may be.
    fn keep_only(&mut self, extras: &[Var]) {
        let extras: BTreeSet<Var> = diag::order::set(extras.iter().copied());
        let known: Vec<Var> = self.outer.iter().copied().filter(|it| *it != super::NONE).collect();
        let chosen = diag::order::set(self.kept.iter().copied());
        self.back_to(0);
        for var in known {
            let is_chosen = chosen.contains(&var);
            if is_chosen || !extras.contains(&var) {
                let lit = self.lit(var).when(is_chosen);
                self.add(Fact::Clause(vec![lit]), super::NONE);
            }
        }
    }

    /// Whether everything can hold when the guard does. Earlier ones of `first` are preferred.
    fn holds_with(&mut self, guard: Lit, first: &[Lit]) -> Result<bool, Found> {
        self.back_to(0);
        loop {
            self.settle()?;
            if self.sat.is_false(guard) {
                return Ok(false);
            }
            let open = [guard].into_iter().chain(first.iter().copied()).find(|it| self.sat.is_open(*it));
            match open.or_else(|| self.open_truth()) {
                Some(lit) => self.sat_decide(lit),
                None => return Ok(true),
            }
        }
    }
}

/// The variables that a formula may want to be chosen.
fn positive(formula: &Formula, found: &mut Vec<Var>) {
    match formula {
        Formula::Is(lit) => found.extend(lit.is_positive().then_some(lit.var())),
        Formula::AtMost(_, of) => found.extend(of.iter().filter(|it| !it.is_positive()).map(|it| it.var())),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|it| positive(it, found)),
    }
}
