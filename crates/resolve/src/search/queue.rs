use super::{NONE, Search};
use crate::{
    Choice, Verdict,
    forms::FormIndex,
    hooks::Event,
    normal::{Form, Var},
    sat::{Conflict, Lit},
};

/// Choices in the order in which they arose (a FIFO queue). Invariants: `made[n]` is the choice for
/// `requested[n]`, and `marks` has the three lengths before each decision, so backtracking is a truncation.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// The form of the constraint of each.
    requested: Vec<FormIndex>,
    /// One for each choice that was made, from the first one on.
    made: Vec<MadeChoice>,
    chosen: Vec<Var>,
    /// By variable.
    is_chosen: Vec<bool>,
    marks: Vec<[usize; 3]>,
    choices: Vec<Choice>,
}

/// The record of a choice that was made.
#[derive(Clone, Copy, Debug)]
struct MadeChoice {
    candidate: u32,
    var: Var,
    was_chosen: bool,
}

/// The next step.
pub(super) enum Next {
    Decide(Lit),
    Conflict(Conflict),
    Done,
}

impl Queue {
    pub(super) fn mark(&mut self) {
        self.marks.push([self.requested.len(), self.made.len(), self.chosen.len()]);
    }

    pub(super) fn back_to(&mut self, depth: usize) {
        let Some([requested, made, chosen]) = self.marks.get(depth).copied() else { return };
        self.requested.truncate(requested);
        self.made.truncate(made);
        for var in self.chosen.drain(chosen..) {
            self.is_chosen[var as usize] = false;
        }
        self.marks.truncate(depth);
    }

    /// Removes all choices; the anchors have to be added again.
    pub(super) fn clear(&mut self) {
        *self = Self { choices: std::mem::take(&mut self.choices), ..Self::default() };
    }

    pub(super) fn request(&mut self, place: FormIndex) {
        self.requested.push(place);
    }

    pub(super) fn is_chosen(&self, var: Var) -> bool {
        self.is_chosen.get(var as usize).is_some_and(|it| *it)
    }

    pub(super) fn take_choices(&mut self) -> Vec<Choice> {
        std::mem::take(&mut self.choices)
    }

    fn choose(&mut self, var: Var) {
        let at = var as usize;
        if at >= self.is_chosen.len() {
            self.is_chosen.resize(at + 1, false);
        }
        self.is_chosen[at] = true;
        self.chosen.push(var);
    }
}

impl Search<'_> {
    /// Makes choices until one needs a decision.
    pub(super) fn next_choice(&mut self) -> Next {
        while let Some(requested) = self.queue.requested.get(self.queue.made.len()).copied() {
            let made = match self.satisfied(requested) {
                Some(made) => made,
                None => match self.first_possible(requested) {
                    Ok(made) => made,
                    Err(next) => return next,
                },
            };
            self.queue.made.push(made);
            if !made.was_chosen {
                self.queue.choose(made.var);
                self.request_choices(made.var);
            }
        }
        Next::Done
    }

    /// The choice if an earlier one has selected one of the candidates.
    fn satisfied(&self, requested: FormIndex) -> Option<MadeChoice> {
        let candidates = self.world.forms().candidates(requested);
        let candidate = candidates.iter().position(|it| self.queue.is_chosen(*it))?;
        Some(MadeChoice { candidate: candidate as u32, var: candidates[candidate], was_chosen: true })
    }

    /// The first candidate that is not ruled out, if it is true already.
    fn first_possible(&mut self, requested: FormIndex) -> Result<MadeChoice, Next> {
        let count = self.world.forms().candidates(requested).len();
        for candidate in 0..count {
            let var = self.world.forms().candidates(requested)[candidate];
            let lit = self.lit(var);
            if self.sat.is_true(lit) {
                // A decision for this choice was reported when it was made.
                if !self.sat.is_decision(lit) {
                    self.trace(requested, var, Verdict::Implied);
                }
                return Ok(MadeChoice { candidate: candidate as u32, var, was_chosen: false });
            }
            if !self.sat.is_false(lit) {
                self.trace(requested, var, Verdict::Taken);
                return Err(Next::Decide(lit));
            }
            self.trace(requested, var, Verdict::Refused);
        }
        Err(Next::Conflict(self.exhausted(requested)))
    }

    /// The clause of a choice without possible candidates. It was propagated, so this is not reached in practice.
    fn exhausted(&mut self, requested: FormIndex) -> Conflict {
        let subject = self.world.problem().reference(requested.constraint).variable as Var;
        let mut lits = match self.world.forms().form(requested) {
            Form::Anchor(_) => Vec::new(),
            _ => vec![!self.lit(subject)],
        };
        for at in 0..self.world.forms().candidates(requested).len() {
            let var = self.world.forms().candidates(requested)[at];
            lits.push(self.lit(var));
        }
        Conflict::Clause(self.sat.add_clause(&mut lits, requested.constraint))
    }

    fn trace(&mut self, requested: FormIndex, var: Var, verdict: Verdict) {
        if !self.hooks.is_tracing() {
            return;
        }
        let problem = self.world.problem();
        let constraint = problem.reference(requested.constraint);
        let (subject, candidate) = (problem.subject(constraint), problem.id(var));
        self.hooks.trace(&Event::Candidate { subject, constraint, candidate, verdict });
    }

    /// Adds the choices that come with a variable.
    fn request_choices(&mut self, var: Var) {
        let problem = self.world.problem();
        for constraint in problem.numbers_of(var).filter(|it| counts(self.goal.counts, *it)) {
            for (form, it) in (0..).zip(problem.forms().of(constraint)) {
                if matches!(it, Form::Choice(_)) {
                    self.queue.request(FormIndex { constraint, form });
                }
            }
        }
    }

    /// Records the current choices for the answer.
    pub(super) fn keep(&mut self) {
        let problem = self.world.problem();
        let choice = |(requested, made): (&FormIndex, &MadeChoice)| Choice {
            constraint: problem.reference(requested.constraint),
            form: requested.form,
            candidate: made.candidate as usize,
            variable: made.var as usize,
            was_chosen: made.was_chosen,
        };
        self.queue.choices = self.queue.requested.iter().zip(&self.queue.made).map(choice).collect();
        self.kept = self.queue.chosen.clone();
    }
}

/// True if a constraint is among the enabled ones. Later ones are enabled.
pub(super) fn counts(counts: Option<&[bool]>, constraint: u32) -> bool {
    counts.and_then(|it| it.get(constraint as usize)).is_none_or(|it| *it)
}

/// The variable of the problem for a variable of the solver.
pub(super) fn known(var: Var) -> Option<Var> {
    (var != NONE).then_some(var)
}
