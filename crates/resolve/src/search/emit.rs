use super::{
    Search,
    fact::Fact,
    queue::{counts, known},
};
use crate::normal::{Form, Var};

impl Search<'_> {
    /// What holds whatever is chosen.
    pub(super) fn begin(&mut self) {
        for (var, source) in self.goal.facts {
            let lit = self.lit(*var);
            self.add(Fact::Clause(vec![lit]), *source);
        }
        for at in 0..self.world.problem().unconditional().len() {
            let constraint = self.world.problem().unconditional()[at];
            self.introduce(constraint);
        }
        self.ask_anchors();
    }

    /// Makes all choices anew: some come before all others that were not known of.
    pub(super) fn begin_anew(&mut self) {
        self.has_new_anchors = false;
        self.back_to(0);
        self.ask_anchors();
    }

    fn ask_anchors(&mut self) {
        self.queue.clear();
        let problem = self.world.problem();
        for (constraint, form) in problem.anchors(&|it| counts(self.goal.counts, it)) {
            self.queue.ask(constraint, form);
        }
    }

    /// The part of a constraint that holds whatever is chosen.
    fn introduce(&mut self, constraint: u32) {
        self.add_forms(constraint, false);
    }

    /// The constraints of a variable that is about to be chosen become clauses.
    pub(super) fn emit(&mut self, inner: u32) {
        let Some(var) = known(self.outer[inner as usize]) else { return };
        let at = var as usize;
        if at >= self.emitted.len() {
            self.emitted.resize(self.world.problem().variables().len().max(at + 1), false);
        }
        if std::mem::replace(&mut self.emitted[at], true) {
            return;
        }
        self.expand(var);
        for constraint in self.world.problem().numbers_of(var) {
            self.add_forms(constraint, true);
        }
    }

    /// Asks for a variable's constraints. New anchors are chosen before all else, so then all begins anew.
    fn expand(&mut self, var: Var) {
        let anchors = self.world.problem().anchor_count();
        let given = self.world.ask(var);
        for var in given {
            for constraint in self.world.problem().numbers_of(var) {
                self.introduce(constraint);
            }
        }
        if self.world.problem().anchor_count() > anchors {
            self.has_new_anchors = true;
        }
    }

    /// The forms of a constraint that hold with its subject only, or the others.
    fn add_forms(&mut self, constraint: u32, with_subject: bool) {
        if !counts(self.goal.counts, constraint) {
            return;
        }
        let subject = self.world.problem().reference(constraint).variable as Var;
        for form in 0..self.world.problem().forms(constraint).len() as u32 {
            if self.world.form(constraint, form).needs_subject(subject) == with_subject {
                self.add_form(subject, constraint, form);
            }
        }
    }

    fn add_form(&mut self, subject: Var, constraint: u32, form: u32) {
        match self.world.form(constraint, form).clone() {
            Form::Anchor(var) => self.add_lits([(var, true)], constraint),
            Form::Never(var) => self.add_lits([(var, false)], constraint),
            Form::Conflict(other) => self.add_lits([(subject, false), (other, false)], constraint),
            Form::Choice(of) if of.contains(&subject) => {}
            Form::Choice(of) => {
                let of = of.iter().map(|it| (*it, true));
                self.add_lits([(subject, false)].into_iter().chain(of), constraint);
            }
            Form::AtMost(n, of) => {
                let of = of.iter().map(|it| self.lit(*it)).collect();
                let fact = if n == 1 { Fact::Group(of) } else { Fact::Counter(of, n, None) };
                self.add(fact, constraint);
            }
            Form::Truth(formula) => {
                self.has_truths = true;
                self.add_formula(&formula, &[], constraint);
            }
        }
    }

    /// A clause of different variables.
    fn add_lits(&mut self, of: impl IntoIterator<Item = (Var, bool)>, source: u32) {
        let mut lits = std::mem::take(&mut self.scratch);
        lits.clear();
        lits.extend(of.into_iter().map(|(var, holds)| self.lit(var).when(holds)));
        self.add_clause(&mut lits, source);
        self.scratch = lits;
    }
}
