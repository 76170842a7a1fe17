//! Independent parts of a problem.

use std::collections::BTreeMap;

use super::probe::Members;
use crate::{
    Problem,
    forms::Forms,
    normal::{Form, Formula, Var},
};

/// The constraints by part, ordered by their first constraints. Constraints that no choice can reach, and
/// that no unconditional constraint mentions, are in no part.
pub(super) fn components(problem: &Problem) -> Vec<Members> {
    let reached = reached(problem);
    let mut parts = Parts((0..problem.variables().len() as u32).collect());
    let (mut members, mut vars) = (Vec::new(), Vec::new());
    for constraint in 0..problem.constraint_count() {
        vars.clear();
        variables(problem, constraint, &reached, &mut vars);
        if let Some(first) = vars.first() {
            vars.iter().for_each(|it| parts.join(*first, *it));
            members.push((constraint, *first));
        }
    }
    let mut order: Vec<Members> = Vec::new();
    let mut places: BTreeMap<Var, usize> = BTreeMap::new();
    for (constraint, var) in members {
        let place = *places.entry(parts.of(var)).or_insert(order.len());
        if place == order.len() {
            order.push(Members::new());
        }
        order[place].push(constraint);
    }
    order
}

/// By variable: whether a choice may reach it.
fn reached(problem: &Problem) -> Vec<bool> {
    let mut reached = vec![false; problem.variables().len()];
    let mut open: Vec<Var> = Vec::new();
    for constraint in problem.forms().unconditional() {
        demanded_by(problem, *constraint, &mut open);
    }
    while let Some(var) = open.pop() {
        if !std::mem::replace(&mut reached[var as usize], true) {
            for constraint in problem.numbers_of(var) {
                demanded_by(problem, constraint, &mut open);
            }
        }
    }
    reached
}

fn demanded_by(problem: &Problem, constraint: u32, found: &mut Vec<Var>) {
    problem.forms().of(constraint).iter().for_each(|it| demanded(problem.forms(), *it, found));
}

/// The variables that a form may require to be selected.
fn demanded(forms: &Forms, form: Form, found: &mut Vec<Var>) {
    match form {
        Form::Anchor(var) => found.push(var),
        Form::Choice(of) => found.extend(forms.list(of)),
        Form::Truth(formula) => each_variable(forms.formula(formula), found),
        Form::Never(_) | Form::Conflict(_) | Form::AtMost(..) => {}
    }
}

fn each_variable(formula: &Formula, found: &mut Vec<Var>) {
    match formula {
        Formula::Is(lit) => found.push(lit.var()),
        Formula::AtMost(_, of) => found.extend(of.iter().map(|it| it.var())),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|it| each_variable(it, found)),
    }
}

/// The variables that a constraint mentions, each once.
pub(super) fn variables_of(problem: &Problem, constraint: u32) -> Vec<Var> {
    let mut vars = Vec::new();
    mentioned(problem, constraint, &|_| true, &mut vars);
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// Adds the reached variables that a constraint mentions; none if it is not relevant.
fn variables(problem: &Problem, constraint: u32, reached: &[bool], vars: &mut Vec<Var>) {
    let subject = problem.reference(constraint).variable as Var;
    let forms = problem.forms();
    mentioned(problem, constraint, &|it| reached[it as usize], vars);
    vars.retain(|it| reached[*it as usize]);
    let is_truth = |it: &Form| matches!(it, Form::Truth(_)) && !forms.needs_subject(*it, subject);
    if vars.is_empty() && forms.of(constraint).iter().any(is_truth) {
        // It mentions no variable, so it may be one that never holds.
        vars.push(subject);
    }
}

/// Adds the variables in the forms of a constraint, except in forms that require an irrelevant subject.
fn mentioned(problem: &Problem, constraint: u32, matters: &dyn Fn(Var) -> bool, vars: &mut Vec<Var>) {
    let subject = problem.reference(constraint).variable as Var;
    let forms = problem.forms();
    for form in forms.of(constraint) {
        if forms.needs_subject(*form, subject) {
            if !matters(subject) {
                continue;
            }
            vars.push(subject);
        }
        match form {
            Form::Never(var) | Form::Conflict(var) => vars.push(*var),
            Form::AtMost(_, of) => vars.extend(forms.list(*of)),
            Form::Anchor(_) | Form::Choice(_) | Form::Truth(_) => demanded(forms, *form, vars),
        }
    }
}

/// Disjoint sets of variables, each identified by one of them.
struct Parts(Vec<Var>);

impl Parts {
    fn of(&mut self, var: Var) -> Var {
        let mut at = var;
        while self.0[at as usize] != at {
            let next = self.0[self.0[at as usize] as usize];
            self.0[at as usize] = next;
            at = next;
        }
        at
    }

    fn join(&mut self, a: Var, b: Var) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}
