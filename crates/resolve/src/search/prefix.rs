//! The search in hard problems.
//!
//! The order of preference is a poor branching order for refutations. So after some conflicts, each decision of preference
//! is checked before the next one is made: a model of all constraints and the decisions so far is searched for, branching
//! by activity, with restarts in the sequence of Luby, Sinclair and Zuckerman (1993). If there is one, the decision is
//! kept, and no search is necessary as long as that model also has the next preferred literals. If there is none, the
//! learnt clauses exclude the decision. This is lexicographic optimisation by a sequence of satisfiability problems, and
//! it has the same answer as the plain search.

use super::{Next, Search, SearchOutcome, minimise::CardinalityBound};
use crate::{hooks::Event, sat::Lit};

/// The decisions that were made by preference, in a hard problem.
///
/// Invariant: if `is_proven`, all of them are true in `model`, and everything that has been added holds in it
/// if variables that it does not contain are false.
#[derive(Debug, Default)]
pub(super) struct Prefix {
    /// The number of these decisions; later ones only search for a model.
    pub(super) len: usize,
    pub(super) is_proven: bool,
    /// By variable of the solver.
    model: Option<Vec<bool>>,
    restarts: u64,
    /// The number of conflicts at which the next restart is due.
    pub(super) restart_at: u64,
}

impl Prefix {
    pub(super) fn has(&self, lit: Lit) -> bool {
        let value = self.model.as_ref().and_then(|it| it.get(lit.var() as usize));
        value.copied().unwrap_or(false) == lit.is_positive()
    }

    /// Handles the reversion of decisions.
    pub(super) fn back_to(&mut self, depth: usize) {
        if depth < self.len {
            self.len = depth;
            self.is_proven = self.model.is_some();
        }
    }

    fn plan_restart(&mut self, conflicts: u64) {
        self.restarts += 1;
        self.restart_at = conflicts + RESTART * luby(self.restarts);
    }
}

/// The next decision by preference.
#[derive(Clone, Copy, Debug)]
pub(super) enum Preference<'p> {
    /// The next choice of the queue.
    Choices,
    /// As few variables as possible besides the chosen ones.
    Fewest(&'p CardinalityBound),
}

impl Search<'_> {
    /// Makes all decisions by preference, and the remaining ones. `false` if there is no model within the
    /// bound.
    pub(super) fn decide_all(&mut self, by: Preference<'_>) -> Result<bool, SearchOutcome> {
        loop {
            self.settle()?;
            if self.prefix.as_ref().is_some_and(|it| !it.is_proven) {
                self.search_model();
                continue;
            }
            if self.is_too_few(by) {
                return Ok(false);
            }
            match self.preferred(by) {
                Next::Decide(lit) => self.decide_preferred(lit),
                Next::Conflict(conflict) => self.learn(conflict)?,
                Next::Done => match self.open_truth() {
                    Some(lit) => self.sat_decide(lit),
                    None => return Ok(true),
                },
            }
        }
    }

    fn preferred(&mut self, by: Preference<'_>) -> Next {
        match by {
            Preference::Choices => self.next_choice(),
            Preference::Fewest(fewest) => fewest.next(&self.sat),
        }
    }

    fn is_too_few(&self, by: Preference<'_>) -> bool {
        matches!(by, Preference::Fewest(fewest) if self.sat.is_false(fewest.guard))
    }

    fn decide_preferred(&mut self, lit: Lit) {
        self.sat_decide(lit);
        if let Some(prefix) = &mut self.prefix {
            prefix.len = self.sat.depth();
            prefix.is_proven = prefix.is_proven && prefix.has(lit);
        }
    }

    /// Makes the next decision towards a model, or keeps the model if nothing is open.
    pub(super) fn search_model(&mut self) {
        if let Some(lit) = self.sat.branch() {
            return self.sat_decide(lit);
        }
        let model = self.sat.model();
        self.sat.steps += model.len() as u64;
        let Some(prefix) = &mut self.prefix else { return };
        let depth = prefix.len;
        (prefix.model, prefix.is_proven) = (Some(model), true);
        self.back_to(depth);
    }

    /// Discards the model, because constraints were added.
    pub(super) fn forget_model(&mut self) {
        if let Some(prefix) = &mut self.prefix {
            (prefix.model, prefix.is_proven) = (None, false);
        }
    }

    /// From now on decisions are checked.
    pub(super) fn begin_prefix(&mut self) {
        self.sat.begin_branching();
        let mut prefix = Prefix::default();
        prefix.plan_restart(self.conflicts);
        self.prefix = Some(prefix);
    }

    /// After a conflict: restarts if that is due.
    pub(super) fn restart(&mut self) {
        let conflicts = self.conflicts;
        match &mut self.prefix {
            None if conflicts < PATIENCE => {}
            None => {
                self.begin_prefix();
                self.back_to(0);
                self.hooks.trace(&Event::Restart);
            }
            Some(prefix) if conflicts < prefix.restart_at => {}
            Some(prefix) => {
                prefix.plan_restart(conflicts);
                let depth = prefix.len;
                self.back_to(depth);
                self.sat.forget();
            }
        }
    }

    /// If all choices are made and constraints are left that no choice satisfies: the next open literal, with
    /// its value in the model, or false. Without such constraints open literals are false.
    fn open_truth(&mut self) -> Option<Lit> {
        if !self.has_truths {
            return None;
        }
        let first = self.cursor;
        let open = (first..self.sat.variables()).find(|it| self.sat.is_open(Lit::new(*it as u32, true)));
        self.cursor = open.unwrap_or(self.sat.variables());
        self.sat.steps += (self.cursor - first) as u64;
        let is_true = |it: usize| self.prefix.as_ref().is_some_and(|all| all.has(Lit::new(it as u32, true)));
        open.map(|it| Lit::new(it as u32, is_true(it)))
    }
}

/// The number of conflicts after which a problem is treated as hard.
const PATIENCE: u64 = 400;

/// The number of conflicts between restarts, multiplied by [`luby`].
const RESTART: u64 = 100;

/// The sequence of Luby, Sinclair and Zuckerman: 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …, from its first member on.
fn luby(mut at: u64) -> u64 {
    loop {
        let next = (at + 1).next_power_of_two();
        if next == at + 1 {
            return next / 2;
        }
        at -= next / 2 - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn restarts_follow_the_sequence() {
        let found: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(found, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
