//! The normal forms of the constraints of a problem, in few large allocations.

use std::collections::BTreeMap;

use crate::{
    Id, Rule,
    normal::{Form, Formula, List, Var, normalise},
};

/// The forms of constraints by number, with indices for those that a search needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Forms {
    pub(crate) forms: Vec<Form>,
    /// The variables of all lists.
    pub(crate) vars: Vec<Var>,
    pub(crate) formulas: Vec<Formula>,
    /// True if a variable was listed twice for counting.
    pub(crate) has_repeats: bool,
    /// By constraint: the end of its forms.
    ends: Vec<u32>,
    /// Constraints with an effect whatever is selected.
    unconditional: Vec<u32>,
    /// By mandatory variable: the forms that make it so.
    anchors: BTreeMap<Var, Vec<FormIndex>>,
    counting: Chains<FormIndex>,
}

/// A form of a constraint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FormIndex {
    pub(crate) constraint: u32,
    pub(crate) form: u32,
}

impl Forms {
    /// Adds the forms of the next constraint.
    pub(crate) fn add(&mut self, subject: Var, rule: &Rule, number: &mut dyn FnMut(&Id) -> Var) {
        let (constraint, first) = (self.ends.len() as u32, self.forms.len());
        normalise(rule, subject, number, self);
        self.ends.push(self.forms.len() as u32);
        for at in first..self.forms.len() {
            let place = FormIndex { constraint, form: (at - first) as u32 };
            self.register(subject, place, self.forms[at]);
        }
    }

    fn register(&mut self, subject: Var, place: FormIndex, form: Form) {
        match form {
            Form::AtMost(_, list) => {
                for at in list.range() {
                    self.counting.push(self.vars[at], place);
                }
                return;
            }
            Form::Anchor(var) => self.anchors.entry(var).or_default().push(place),
            Form::Never(_) | Form::Choice(_) | Form::Conflict(_) | Form::Truth(_) => {}
        }
        if !self.needs_subject(form, subject) && self.unconditional.last() != Some(&place.constraint) {
            self.unconditional.push(place.constraint);
        }
    }

    /// True if a form only applies if its subject is selected.
    pub(crate) fn needs_subject(&self, form: Form, subject: Var) -> bool {
        match form {
            Form::Choice(_) | Form::Conflict(_) => true,
            Form::Anchor(_) | Form::Never(_) | Form::AtMost(..) => false,
            Form::Truth(formula) => self.formula(formula).follows_without(subject),
        }
    }

    /// True if a form holds if these variables are selected and no others.
    pub(crate) fn holds(&self, form: Form, subject: Var, is_selected: &dyn Fn(Var) -> bool) -> bool {
        match form {
            Form::Anchor(var) => is_selected(var),
            Form::Never(var) => !is_selected(var),
            Form::Conflict(other) => !is_selected(subject) || !is_selected(other),
            Form::Choice(of) => !is_selected(subject) || self.list(of).iter().any(|it| is_selected(*it)),
            Form::AtMost(most, of) => {
                self.list(of).iter().filter(|it| is_selected(**it)).count() <= most as usize
            }
            Form::Truth(formula) => self.formula(formula).holds(is_selected),
        }
    }

    /// The number of constraints.
    pub(crate) const fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The forms of a constraint.
    pub(crate) fn of(&self, constraint: u32) -> &[Form] {
        let at = constraint as usize;
        let first = at.checked_sub(1).map_or(0, |it| self.ends[it]);
        &self.forms[first as usize..self.ends[at] as usize]
    }

    pub(crate) fn form(&self, place: FormIndex) -> Form {
        self.of(place.constraint)[place.form as usize]
    }

    pub(crate) fn list(&self, list: List) -> &[Var] {
        &self.vars[list.range()]
    }

    pub(crate) fn formula(&self, number: u32) -> &Formula {
        &self.formulas[number as usize]
    }

    /// The candidates of a choice.
    pub(crate) fn candidates(&self, place: FormIndex) -> &[Var] {
        match &self.of(place.constraint)[place.form as usize] {
            Form::Choice(of) => self.list(*of),
            Form::Anchor(var) => std::slice::from_ref(var),
            Form::Never(_) | Form::Conflict(_) | Form::AtMost(..) | Form::Truth(_) => &[],
        }
    }

    /// The constraints with an effect whatever is selected, in order; without counting ones, which have no
    /// effect until one of their variables is selected.
    pub(crate) fn unconditional(&self) -> &[u32] {
        &self.unconditional
    }

    /// For each mandatory variable, in order: the first enabled constraint that makes it so.
    pub(crate) fn anchors(&self, counts: &dyn Fn(u32) -> bool) -> Vec<FormIndex> {
        let first = |it: &Vec<FormIndex>| it.iter().copied().find(|it| counts(it.constraint));
        self.anchors.values().filter_map(first).collect()
    }

    /// The number of mandatory variables.
    pub(crate) fn anchor_count(&self) -> usize {
        self.anchors.len()
    }

    /// The forms that count a variable.
    pub(crate) fn counting(&self, var: Var) -> Vec<FormIndex> {
        self.counting.of(var).collect()
    }
}

/// A list for each number, all of them in one allocation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chains<T> {
    /// By number: the place of its last link plus one.
    heads: Vec<u32>,
    links: Vec<(T, u32)>,
}

impl<T> Default for Chains<T> {
    fn default() -> Self {
        Self { heads: Vec::new(), links: Vec::new() }
    }
}

impl<T: Copy> Chains<T> {
    pub(crate) fn push(&mut self, number: u32, value: T) {
        let at = number as usize;
        if at >= self.heads.len() {
            self.heads.resize((at + 1).next_power_of_two(), 0);
        }
        self.links.push((value, self.heads[at]));
        self.heads[at] = self.links.len() as u32;
    }

    /// The pushed values, the last one first.
    pub(crate) fn of(&self, number: u32) -> impl Iterator<Item = T> + '_ {
        let mut next = self.heads.get(number as usize).copied().unwrap_or(0);
        std::iter::from_fn(move || {
            let (value, before) = *self.links.get((next as usize).checked_sub(1)?)?;
            next = before;
            Some(value)
        })
    }

    /// The start of a list, for [`step`](Self::step).
    pub(crate) fn head(&self, number: u32) -> u32 {
        self.heads.get(number as usize).copied().unwrap_or(0)
    }

    /// The value at a link and the next link.
    pub(crate) fn step(&self, link: u32) -> Option<(T, u32)> {
        self.links.get((link as usize).checked_sub(1)?).copied()
    }
}
