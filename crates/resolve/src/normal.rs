//! Normal forms of rules, without unnecessary nesting (source: deppy's compound constraints).

use std::collections::BTreeSet;

use crate::{Id, Rule, forms::Forms, sat::Lit};

/// A variable's number in its problem.
pub(crate) type Var = u32;

/// A part of the normal form of a constraint. An `And` has several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    /// The variable is selected; choices begin with it.
    Anchor(Var),
    /// The variable is not selected.
    Never(Var),
    /// If the subject is selected, one of these is, each once, in order of preference. Never empty.
    Choice(List),
    /// Not both the subject and this one.
    Conflict(Var),
    /// At most so many of these, each once. At least one, and fewer than there are.
    AtMost(u32, List),
    /// A formula that creates no choice, by its number.
    Truth(u32),
}

/// Some of the variables in [`Forms::vars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct List {
    start: u32,
    end: u32,
}

impl List {
    pub(crate) const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A formula in negation normal form.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Formula {
    Is(Lit),
    /// At most so many of these are true. Fewer than there are, each once.
    AtMost(u32, Vec<Lit>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Formula {
    /// True if it is true if these variables are selected and no others.
    pub(crate) fn holds(&self, is_selected: &dyn Fn(Var) -> bool) -> bool {
        let is_true = |lit: Lit| is_selected(lit.var()) == lit.is_positive();
        match self {
            Self::Is(lit) => is_true(*lit),
            Self::AtMost(most, of) => of.iter().filter(|it| is_true(**it)).count() <= *most as usize,
            Self::All(parts) => parts.iter().all(|it| it.holds(is_selected)),
            Self::Any(parts) => parts.iter().any(|it| it.holds(is_selected)),
        }
    }

    /// True if it is true whenever a variable is not selected.
    pub(crate) fn follows_without(&self, var: Var) -> bool {
        match self {
            Self::Is(it) => *it == Lit::new(var, false),
            Self::AtMost(..) => false,
            Self::All(parts) => parts.iter().all(|it| it.follows_without(var)),
            Self::Any(parts) => parts.iter().any(|it| it.follows_without(var)),
        }
    }
}

/// The normal form of a rule.
///
/// `And` becomes its rules. Negations move inwards, so that `Not(Prohibited)` is `Mandatory`, and rules that
/// require variables to be selected make them anchors. An `Or` of several rules is a formula.
pub(crate) fn normalise(rule: &Rule, subject: Var, number: &mut dyn FnMut(&Id) -> Var, forms: &mut Forms) {
    Normal { subject, number, forms }.flatten(rule, true);
}

struct Normal<'a> {
    subject: Var,
    number: &'a mut dyn FnMut(&Id) -> Var,
    forms: &'a mut Forms,
}

impl Normal<'_> {
    /// Flattens the rule or its negation.
    fn flatten(&mut self, rule: &Rule, holds: bool) {
        let subject = self.subject;
        match rule {
            Rule::Mandatory | Rule::Prohibited => {
                let chosen = matches!(rule, Rule::Mandatory) == holds;
                self.push(if chosen { Form::Anchor(subject) } else { Form::Never(subject) });
            }
            Rule::Conflict(other) => self.conflict(other, holds),
            Rule::Dependency(of) => self.dependency(of, holds),
            Rule::AtMost { n, of } => self.at_most(*n, of, holds),
            Rule::Not(rule) => self.flatten(rule, !holds),
            Rule::And(rules) if holds => rules.iter().for_each(|it| self.flatten(it, holds)),
            Rule::Or(rules) if !holds => rules.iter().for_each(|it| self.flatten(it, holds)),
            Rule::And(rules) | Rule::Or(rules) => match rules.as_slice() {
                [rule] => self.flatten(rule, holds),
                _ => {
                    let formula = self.any(rules, holds);
                    self.truth(formula);
                }
            },
        }
    }

    fn conflict(&mut self, other: &Id, holds: bool) {
        let (subject, other) = (self.subject, (self.number)(other));
        match holds {
            true if other == subject => self.push(Form::Never(subject)),
            true => self.push(Form::Conflict(other)),
            false => [subject, other].into_iter().for_each(|it| self.push(Form::Anchor(it))),
        }
    }

    fn push(&mut self, form: Form) {
        self.forms.forms.push(form);
    }

    fn dependency(&mut self, of: &[Id], holds: bool) {
        let of = self.list(of);
        match holds {
            true if of.range().is_empty() => self.push(Form::Never(self.subject)),
            true => self.push(Form::Choice(of)),
            false => {
                self.push(Form::Anchor(self.subject));
                self.never(of);
            }
        }
    }

    fn never(&mut self, list: List) {
        for at in list.range() {
            self.push(Form::Never(self.forms.vars[at]));
        }
    }

    fn at_most(&mut self, n: usize, of: &[Id], holds: bool) {
        if !holds {
            let formula = self.count(n, of, holds);
            return self.truth(formula);
        }
        let list = self.counted(of);
        match n {
            0 => self.never(list),
            n if n < list.range().len() => self.push(Form::AtMost(n as u32, list)),
            _ => {}
        }
    }

    fn truth(&mut self, formula: Formula) {
        if formula != Formula::All(Vec::new()) {
            self.push(Form::Truth(self.forms.formulas.len() as u32));
            self.forms.formulas.push(formula);
        }
    }

    fn any(&mut self, rules: &[Rule], holds: bool) -> Formula {
        Formula::Any(rules.iter().map(|it| self.formula(it, holds)).collect())
    }

    fn formula(&mut self, rule: &Rule, holds: bool) -> Formula {
        let subject = Lit::new(self.subject, true);
        match rule {
            Rule::Mandatory => Formula::Is(subject.when(holds)),
            Rule::Prohibited => Formula::Is(subject.when(!holds)),
            Rule::Conflict(other) => {
                let other = Lit::new((self.number)(other), true);
                Self::either([subject.when(false), other.when(false)], holds)
            }
            Rule::Dependency(of) => {
                let list = self.list(of);
                let of = self.forms.list(list).iter().map(|it| Lit::new(*it, true));
                Self::either([subject.when(false)].into_iter().chain(of), holds)
            }
            Rule::AtMost { n, of } => self.count(*n, of, holds),
            Rule::Not(rule) => self.formula(rule, !holds),
            Rule::And(rules) | Rule::Or(rules) => {
                let parts = rules.iter().map(|it| self.formula(it, holds)).collect();
                if matches!(rule, Rule::And(_)) == holds { Formula::All(parts) } else { Formula::Any(parts) }
            }
        }
    }

    /// At least one of these, or none.
    fn either(of: impl IntoIterator<Item = Lit>, holds: bool) -> Formula {
        let parts = of.into_iter().map(|it| Formula::Is(it.when(holds))).collect();
        if holds { Formula::Any(parts) } else { Formula::All(parts) }
    }

    /// At most so many, or more.
    fn count(&mut self, n: usize, of: &[Id], holds: bool) -> Formula {
        let list = self.counted(of);
        let lits: Vec<Lit> = self.forms.list(list).iter().map(|it| Lit::new(*it, holds)).collect();
        match (n < lits.len(), holds) {
            (true, true) => Formula::AtMost(n as u32, lits),
            // More than n are true if fewer than all but n are false.
            (true, false) => Formula::AtMost((lits.len() - n - 1) as u32, lits),
            (false, true) => Formula::All(Vec::new()),
            (false, false) => Formula::Any(Vec::new()),
        }
    }

    /// The list of counted variables.
    fn counted(&mut self, ids: &[Id]) -> List {
        let list = self.list(ids);
        self.forms.has_repeats |= list.range().len() < ids.len();
        list
    }

    /// Their numbers, each once, in the order of their first occurrence.
    fn list(&mut self, ids: &[Id]) -> List {
        let start = self.forms.vars.len();
        self.forms.vars.extend(ids.iter().map(|id| (self.number)(id)));
        if has_repeats(&self.forms.vars[start..]) {
            let mut seen = BTreeSet::new();
            let mut once = self.forms.vars.split_off(start);
            once.retain(|it| seen.insert(*it));
            self.forms.vars.append(&mut once);
        }
        List { start: start as u32, end: self.forms.vars.len() as u32 }
    }
}

fn has_repeats(list: &[Var]) -> bool {
    if list.len() <= FEW {
        return list.iter().enumerate().any(|(at, it)| list[..at].contains(it));
    }
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|it| it[0] == it[1])
}

/// Up to this many are compared faster than sorted.
const FEW: usize = 16;
