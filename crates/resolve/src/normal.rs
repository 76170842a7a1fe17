//! Rules without nesting where they need none (notes/deppy §1.4).

use std::{collections::BTreeSet, sync::Arc};

use crate::{Id, Rule, sat::Lit};

/// A variable's number in its problem.
pub(crate) type Var = u32;

/// Something that a constraint comes to. Several when it is an `And`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    /// The variable is chosen; choices begin with it.
    Anchor(Var),
    /// The variable is not chosen.
    Never(Var),
    /// With its subject one of these, each once, in order of preference. Never empty.
    Choice(Arc<[Var]>),
    /// Not both the subject and this one.
    Conflict(Var),
    /// No more than so many of these, each once. Fewer than there are.
    AtMost(u32, Arc<[Var]>),
    /// What is only true or false: no choice arises from it.
    Truth(Formula),
}

/// A formula whose negations stand at its leaves.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Formula {
    Is(Lit),
    /// No more than so many of these are true. Fewer than there are, each once.
    AtMost(u32, Vec<Lit>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Form {
    /// What it is a choice between.
    pub(crate) fn candidates(&self) -> &[Var] {
        match self {
            Self::Choice(of) => of,
            Self::Anchor(var) => std::slice::from_ref(var),
            Self::Never(_) | Self::Conflict(_) | Self::AtMost(..) | Self::Truth(_) => &[],
        }
    }

    /// Whether it only holds when the subject is chosen.
    pub(crate) fn needs_subject(&self, subject: Var) -> bool {
        match self {
            Self::Choice(_) | Self::Conflict(_) => true,
            Self::Anchor(_) | Self::Never(_) | Self::AtMost(..) => false,
            Self::Truth(formula) => formula.follows_from(Lit::new(subject, false)),
        }
    }
}

impl Formula {
    /// Whether it is true as soon as `lit` is, whatever the others are.
    pub(crate) fn follows_from(&self, lit: Lit) -> bool {
        match self {
            Self::Is(it) => *it == lit,
            Self::AtMost(..) => false,
            Self::All(parts) => parts.iter().all(|it| it.follows_from(lit)),
            Self::Any(parts) => parts.iter().any(|it| it.follows_from(lit)),
        }
    }
}

/// What a rule comes to.
///
/// `And` is each of its rules. Negations move inwards, so that `Not(Prohibited)` is `Mandatory`, and what says that
/// variables are chosen makes them anchors. Under an `Or` of several there is truth only.
///
/// Its forms are added to a list; whether something that is counted was listed twice is told.
pub(crate) fn normalise(
    rule: &Rule,
    subject: Var,
    number: &mut dyn FnMut(&Id) -> Var,
    forms: &mut Vec<Form>,
    numbers: &mut Vec<Var>,
) -> bool {
    let mut normal = Normal { subject, number, forms, numbers, has_repeats: false };
    normal.flatten(rule, true);
    normal.has_repeats
}

struct Normal<'a> {
    subject: Var,
    number: &'a mut dyn FnMut(&Id) -> Var,
    forms: &'a mut Vec<Form>,
    /// Those of the list that is being read.
    numbers: &'a mut Vec<Var>,
    has_repeats: bool,
}

impl Normal<'_> {
    /// The rule, or what is so when it is not.
    fn flatten(&mut self, rule: &Rule, holds: bool) {
        let subject = self.subject;
        match rule {
            Rule::Mandatory | Rule::Prohibited => {
                let chosen = matches!(rule, Rule::Mandatory) == holds;
                self.forms.push(if chosen { Form::Anchor(subject) } else { Form::Never(subject) });
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
            true if other == subject => self.forms.push(Form::Never(subject)),
            true => self.forms.push(Form::Conflict(other)),
            false => self.forms.extend([Form::Anchor(subject), Form::Anchor(other)]),
        }
    }

    fn dependency(&mut self, of: &[Id], holds: bool) {
        let subject = self.subject;
        self.number_all(of);
        match holds {
            true if of.is_empty() => self.forms.push(Form::Never(subject)),
            true => self.forms.push(Form::Choice(self.numbers.as_slice().into())),
            false => {
                self.forms.push(Form::Anchor(subject));
                self.forms.extend(self.numbers.iter().map(|it| Form::Never(*it)));
            }
        }
    }

    fn at_most(&mut self, n: usize, of: &[Id], holds: bool) {
        if !holds {
            let formula = self.formula(&Rule::AtMost { n, of: of.to_vec() }, holds);
            return self.truth(formula);
        }
        self.count_all(of);
        if n < self.numbers.len() {
            self.forms.push(Form::AtMost(n as u32, self.numbers.as_slice().into()));
        }
    }

    fn truth(&mut self, formula: Formula) {
        if formula != Formula::All(Vec::new()) {
            self.forms.push(Form::Truth(formula));
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
                self.number_all(of);
                let of = self.numbers.iter().map(|it| Lit::new(*it, true));
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
        self.count_all(of);
        let lits = self.numbers.iter().map(|it| Lit::new(*it, holds)).collect();
        match (n < self.numbers.len(), holds) {
            (true, true) => Formula::AtMost(n as u32, lits),
            // More than n are true when fewer than all but n are false.
            (true, false) => Formula::AtMost((self.numbers.len() - n - 1) as u32, lits),
            (false, true) => Formula::All(Vec::new()),
            (false, false) => Formula::Any(Vec::new()),
        }
    }

    /// The numbers of what is counted.
    fn count_all(&mut self, ids: &[Id]) {
        self.number_all(ids);
        self.has_repeats |= self.numbers.len() < ids.len();
    }

    /// Their numbers, each once, in the order of their first place.
    fn number_all(&mut self, ids: &[Id]) {
        self.numbers.clear();
        self.numbers.extend(ids.iter().map(|id| (self.number)(id)));
        if has_repeats(self.numbers) {
            let mut seen = BTreeSet::new();
            self.numbers.retain(|it| seen.insert(*it));
        }
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

/// So few are compared quicker than sorted.
const FEW: usize = 16;
