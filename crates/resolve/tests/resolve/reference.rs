//! The definition of the answer (source: deppy's compound constraints), evaluated by trying every set.

use std::collections::{BTreeMap, VecDeque};

use planloom_resolve::{Rule, Variable};

/// A set of variables by index; at most 32.
pub(crate) type Set = u32;

pub(crate) struct Reference<'v> {
    variables: &'v [Variable],
    places: BTreeMap<&'v str, usize>,
}

impl<'v> Reference<'v> {
    pub(crate) fn new(variables: &'v [Variable]) -> Self {
        let places = variables.iter().enumerate().map(|(at, it)| (&*it.id, at)).collect();
        Self { variables, places }
    }

    fn has(&self, set: Set, id: &str) -> bool {
        set >> self.places[id] & 1 == 1
    }

    /// True if a rule holds in a set.
    pub(crate) fn holds(&self, rule: &Rule, subject: &str, set: Set) -> bool {
        let chosen = self.has(set, subject);
        match rule {
            Rule::Mandatory => chosen,
            Rule::Prohibited => !chosen,
            Rule::Conflict(other) => !(chosen && self.has(set, other)),
            Rule::Dependency(of) => !chosen || of.iter().any(|it| self.has(set, it)),
            Rule::AtMost { n, of } => {
                let of: std::collections::BTreeSet<_> = of.iter().collect();
                of.into_iter().filter(|it| self.has(set, it)).count() <= *n
            }
            Rule::And(rules) => rules.iter().all(|it| self.holds(it, subject, set)),
            Rule::Or(rules) => rules.iter().any(|it| self.holds(it, subject, set)),
            Rule::Not(rule) => !self.holds(rule, subject, set),
        }
    }

    /// True if all constraints hold in a set.
    pub(crate) fn is_model(&self, set: Set) -> bool {
        self.variables.iter().all(|it| it.constraints.iter().all(|c| self.holds(&c.rule, &it.id, set)))
    }

    /// Every set in which all constraints hold.
    pub(crate) fn models(&self) -> Vec<Set> {
        (0..1 << self.variables.len()).filter(|it| self.is_model(*it)).collect()
    }

    /// The answer, if there is one.
    pub(crate) fn answer(&self) -> Option<Set> {
        let models = self.models();
        let with = |chosen: &[usize]| {
            let chosen = chosen.iter().fold(0, |set, it| set | 1 << it);
            models.iter().copied().filter(move |it| it & chosen == chosen)
        };
        let chosen = self.choose(&mut |chosen| with(chosen).next().is_some())?;
        // Of two sets of equal size, the one whose members come first has the greater bits when read
        // backwards.
        with(&chosen).min_by_key(|it| (it.count_ones(), std::cmp::Reverse(it.reverse_bits())))
    }

    /// The chosen variables, in order; `possible` decides whether everything can hold with some chosen.
    pub(crate) fn choose(&self, possible: &mut dyn FnMut(&[usize]) -> bool) -> Option<Vec<usize>> {
        if !possible(&[]) {
            return None;
        }
        let anchors = (0..self.variables.len()).filter(|it| self.is_anchor(*it));
        let mut queue: VecDeque<Vec<usize>> = anchors.map(|it| vec![it]).collect();
        let mut chosen: Vec<usize> = Vec::new();
        while let Some(choice) = queue.pop_front() {
            if choice.iter().any(|it| chosen.contains(it)) {
                continue;
            }
            let mut with = |next: &usize| possible(&[&chosen[..], &[*next]].concat());
            let next = choice.into_iter().find(|it| with(it)).expect("the invariant");
            chosen.push(next);
            queue.extend(self.choices(next));
        }
        Some(chosen)
    }

    fn is_anchor(&self, at: usize) -> bool {
        self.variables.iter().enumerate().any(|(subject, it)| {
            it.constraints.iter().flat_map(|it| spread(&it.rule, true)).any(|(rule, holds)| match rule {
                Rule::Mandatory => holds && subject == at,
                Rule::Prohibited | Rule::Dependency(_) => !holds && subject == at,
                Rule::Conflict(other) => !holds && (subject == at || self.places[&**other] == at),
                Rule::AtMost { .. } | Rule::And(_) | Rule::Or(_) | Rule::Not(_) => false,
            })
        })
    }

    fn choices(&self, at: usize) -> Vec<Vec<usize>> {
        let rules = self.variables[at].constraints.iter().flat_map(|it| spread(&it.rule, true));
        let choices = rules.filter_map(|(rule, holds)| match rule {
            Rule::Dependency(of) if holds && !of.is_empty() => {
                Some(of.iter().map(|it| self.places[&**it]).collect())
            }
            _ => None,
        });
        choices.collect()
    }
}

/// The rules that a rule is the conjunction of, with whether each of them or its negation holds.
fn spread(rule: &Rule, holds: bool) -> Vec<(&Rule, bool)> {
    match rule {
        Rule::Not(rule) => spread(rule, !holds),
        Rule::And(rules) if holds || rules.len() == 1 => {
            rules.iter().flat_map(|it| spread(it, holds)).collect()
        }
        Rule::Or(rules) if !holds || rules.len() == 1 => {
            rules.iter().flat_map(|it| spread(it, holds)).collect()
        }
        _ => vec![(rule, holds)],
    }
}
