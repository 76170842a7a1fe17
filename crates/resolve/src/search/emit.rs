use super::{
    Search,
    fact::Fact,
    queue::{counts, known},
};
use crate::{
    forms::FormIndex,
    normal::{Form, List, Var},
    sat::Lit,
};

impl Search<'_> {
    /// Adds the constraints that hold unconditionally.
    pub(super) fn begin(&mut self) {
        for (var, source) in self.goal.facts {
            let lit = self.lit(*var);
            self.add(Fact::Clause(vec![lit]), *source);
        }
        for at in 0..self.world.forms().unconditional().len() {
            let constraint = self.world.forms().unconditional()[at];
            self.add_forms(constraint, false);
        }
        self.request_anchors();
    }

    /// Makes all choices again, because there are new ones that come first.
    pub(super) fn restart_from_start(&mut self) {
        self.has_new_anchors = false;
        self.back_to(0);
        self.request_anchors();
    }

    fn request_anchors(&mut self) {
        self.queue.clear();
        for place in self.world.forms().anchors(&|it| counts(self.goal.counts, it)) {
            self.queue.request(place);
        }
    }

    /// Adds the constraints of a variable that is about to be selected as clauses.
    pub(super) fn emit(&mut self, inner: u32) {
        let Some(var) = known(self.outer[inner as usize]).filter(|_| self.assumptions.is_none()) else {
            return;
        };
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
        for place in self.world.forms().counting(var) {
            self.add_counting(place);
        }
    }

    fn is_emitted(&self, var: Var) -> bool {
        self.emitted.get(var as usize).is_some_and(|it| *it)
    }

    /// Requests a variable's constraints. New anchors are chosen before all else, so then all choices are
    /// made again.
    fn expand(&mut self, var: Var) {
        let anchors = self.world.forms().anchor_count();
        for var in self.world.expand(var) {
            self.forget_model();
            for constraint in self.world.problem().numbers_of(var) {
                self.add_forms(constraint, false);
                self.add_late(constraint);
            }
        }
        if self.world.forms().anchor_count() > anchors {
            self.has_new_anchors = true;
        }
    }

    /// A counting form that counts an existing variable must be added at once.
    fn add_late(&mut self, constraint: u32) {
        for form in 0..self.world.forms().of(constraint).len() as u32 {
            let place = FormIndex { constraint, form };
            if let Form::AtMost(_, of) = self.world.forms().form(place)
                && self.world.forms().list(of).iter().any(|it| self.is_emitted(*it))
            {
                self.add_counting(place);
            }
        }
    }

    /// The forms of a constraint that only apply with its subject, or the others, without counting ones.
    fn add_forms(&mut self, constraint: u32, with_subject: bool) {
        if !counts(self.goal.counts, constraint) {
            return;
        }
        let subject = self.world.problem().reference(constraint).variable as Var;
        for at in 0..self.world.forms().of(constraint).len() {
            let form = self.world.forms().of(constraint)[at];
            if self.world.forms().needs_subject(form, subject) == with_subject {
                self.add_form(subject, constraint, form);
            }
        }
    }

    pub(super) fn add_form(&mut self, subject: Var, constraint: u32, form: Form) {
        match form {
            Form::Anchor(var) => self.add_lits(&[(var, true)], None, constraint),
            Form::Never(var) => self.add_lits(&[(var, false)], None, constraint),
            Form::Conflict(other) => self.add_lits(&[(subject, false), (other, false)], None, constraint),
            Form::Choice(of) if self.world.forms().list(of).contains(&subject) => {}
            Form::Choice(of) => self.add_lits(&[(subject, false)], Some(of), constraint),
            Form::AtMost(..) => {}
            Form::Truth(formula) => {
                self.has_truths = true;
                let formula = self.world.forms().formula(formula).clone();
                let unless: Vec<Lit> = self.assumption.iter().map(|it| !*it).collect();
                self.add_formula(&formula, &unless, constraint);
            }
        }
    }

    /// A counting form is added when the first of its variables is about to be selected.
    fn add_counting(&mut self, place: FormIndex) {
        let Form::AtMost(most, of) = self.world.forms().form(place) else { return };
        if !counts(self.goal.counts, place.constraint) || !self.counting.insert(place) {
            return;
        }
        let mut lits = Vec::with_capacity(of.range().len());
        for at in of.range() {
            let var = self.world.forms().vars[at];
            lits.push(self.lit(var));
        }
        let fact = if most == 1 { Fact::Group(lits) } else { Fact::Counter(lits, most, None) };
        self.add(fact, place.constraint);
    }

    /// Adds a clause of different variables: some literals, and all of a list.
    pub(super) fn add_lits(&mut self, some: &[(Var, bool)], list: Option<List>, source: u32) {
        let mut lits = std::mem::take(&mut self.scratch);
        lits.clear();
        lits.extend(some.iter().map(|(var, holds)| self.lit(*var).when(*holds)));
        for at in list.map_or(0..0, List::range) {
            let var = self.world.forms().vars[at];
            lits.push(self.lit(var));
        }
        // The assumption comes last, so that it is watched only if no other literal can be.
        lits.extend(self.assumption.map(|it| !it));
        self.add_clause(&mut lits, source);
        self.scratch = lits;
    }
}
