use super::{
    Search,
    fact::Fact,
    queue::{counts, known},
};
use crate::{
    normal::{Form, Var},
    sat::Lit,
};

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
        let fact = match self.world.form(constraint, form).clone() {
            Form::Anchor(var) => Fact::Clause(vec![self.lit(var)]),
            Form::Never(var) => Fact::Clause(vec![!self.lit(var)]),
            Form::Conflict(other) => Fact::Clause(vec![!self.lit(subject), !self.lit(other)]),
            Form::Choice(of) => Fact::Clause(self.lits(!Lit::new(subject, true), &of)),
            Form::AtMost(1, of) => Fact::Group(of.iter().map(|it| self.lit(*it)).collect()),
            Form::AtMost(n, of) => Fact::Counter(of.iter().map(|it| self.lit(*it)).collect(), n, None),
            Form::Truth(formula) => {
                self.has_truths = true;
                return self.add_formula(&formula, &[], constraint);
            }
        };
        self.add(fact, constraint);
    }

    fn lits(&mut self, first: Lit, rest: &[Var]) -> Vec<Lit> {
        let first = self.lit(first.var()).when(first.is_positive());
        [first].into_iter().chain(rest.iter().map(|it| self.lit(*it))).collect()
    }
}
