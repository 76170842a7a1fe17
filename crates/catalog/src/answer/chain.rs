use std::collections::{BTreeMap, BTreeSet};

use super::{Premise, exclusions, words};
use crate::{
    Fact,
    problem::{Cause, Formulation},
};

/// The highest number of facts about the bundles of one package.
const MOST: usize = 4;

/// The premises of a conflict as facts in a readable order: each requirement, then what is offered for it and
/// why that fails; uniqueness limits come last. Bundles of one package with the same need are one fact.
pub(crate) fn facts(of: &Formulation<'_>, premises: &[Premise]) -> Vec<Fact> {
    let mut by_subject: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, premise) in premises.iter().enumerate() {
        if let Some(subject) = subject(premise) {
            by_subject.entry(subject).or_default().push(at);
        }
    }
    let mut chain = Chain { of, premises, by_subject, reported: BTreeSet::new(), facts: Vec::new() };
    for (at, premise) in premises.iter().enumerate() {
        match premise.cause {
            Cause::Required(_) | Cause::Installed(_) => chain.report_with_offer(at),
            Cause::RequiredBundle(candidate) => {
                chain.report(at);
                chain.against(&[candidate]);
            }
            Cause::Cluster => chain.report(at),
            _ => {}
        }
    }
    let is_limit = |it: &Premise| matches!(it.cause, Cause::OnePackage(_) | Cause::OneProvider(_));
    for limits in [false, true] {
        for (at, _) in premises.iter().enumerate().filter(|(_, it)| is_limit(it) == limits) {
            chain.report(at);
        }
    }
    shortened(chain.facts)
}

/// The highest number of facts of a conflict.
const ALL: usize = 40;

/// The first of very many facts.
fn shortened(mut facts: Vec<Fact>) -> Vec<Fact> {
    let more = facts.len().saturating_sub(ALL);
    if more > 0 {
        facts.truncate(ALL);
        let last = facts.last().cloned();
        facts.extend(last.map(|it| Fact { text: format!("and {more} more facts").into(), ..it }));
    }
    facts
}

struct Chain<'c, 'a> {
    of: &'c Formulation<'a>,
    premises: &'c [Premise],
    /// The premises about each candidate.
    by_subject: BTreeMap<u32, Vec<usize>>,
    reported: BTreeSet<usize>,
    facts: Vec<Fact>,
}

impl Chain<'_, '_> {
    fn report(&mut self, at: usize) {
        if self.reported.insert(at) {
            let fact = self.fact(at);
            // With most profiles, a requirement and its offer are the same sentence.
            if !self.facts.iter().any(|it| it.text == fact.text) {
                self.facts.push(fact);
            }
        }
    }

    fn fact(&self, at: usize) -> Fact {
        let premise = &self.premises[at];
        match &premise.cause {
            Cause::OnePackage(_) | Cause::OneProvider(_) => {
                premise.say(words::limit(self.of, &premise.cause, self.premises))
            }
            _ => premise.fact(self.of),
        }
    }

    /// Reports a requirement, its offer, and what rules the offer out.
    fn report_with_offer(&mut self, at: usize) {
        let about = &self.premises[at].cause;
        let offer = self.premises.iter().position(|it| match (&it.cause, about) {
            (Cause::Offers(a) | Cause::Refused(a), Cause::Required(b)) => a == b,
            (Cause::Upgrades(a), Cause::Installed(b)) => a == b,
            _ => false,
        });
        self.report(at);
        let Some(offer) = offer else { return };
        let premise = &self.premises[offer];
        match premise.cause {
            // The profile's text for this case is the summary.
            Cause::Offers(at) | Cause::Refused(at) if premise.is_dead_end() => {
                self.reported.insert(offer);
                self.facts.extend(exclusions::nothing(self.of, premise, at));
            }
            _ => {
                self.report(offer);
                self.against(&premise.candidates);
                self.left_out(offer);
            }
        }
    }

    /// Explains why the bundle that has to be chosen cannot meet a requirement.
    fn left_out(&mut self, offer: usize) {
        let required = self.premises.iter().find_map(|it| match it.cause {
            Cause::RequiredBundle(candidate) => Some(candidate),
            _ => None,
        });
        if let (Cause::Offers(at), Some(candidate)) = (&self.premises[offer].cause, required) {
            self.facts.extend(exclusions::of_candidate(self.of, *at, candidate));
        }
    }

    /// Reports what rules candidates out.
    fn against(&mut self, candidates: &[u32]) {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for candidate in candidates {
            for at in self.of_candidate(*candidate) {
                match groups.iter_mut().find(|group| self.are_alike(group[0], at)) {
                    Some(group) => group.push(at),
                    None => groups.push(vec![at]),
                }
            }
        }
        let is_many = groups.len() > MOST;
        let shown = if is_many { MOST - 1 } else { groups.len() };
        for group in groups.iter().take(shown) {
            self.report_group(group);
        }
        let untold = |it: &Vec<usize>| it.iter().any(|at| !self.reported.contains(at));
        let rest: Vec<Vec<usize>> = groups[shown..].iter().filter(|it| untold(it)).cloned().collect();
        self.reported.extend(rest.iter().flatten());
        if let Some(premise) = rest.first().and_then(|group| self.premises.get(*group.first()?)) {
            let count: BTreeSet<u32> =
                rest.iter().flatten().filter_map(|it| subject(&self.premises[*it])).collect();
            let text = format!("{} more are excluded for similar reasons", count.len());
            self.facts.push(premise.say(text));
        }
    }

    fn report_group(&mut self, group: &[usize]) {
        // The needs of one of them may have led to another one.
        let group: Vec<usize> = group.iter().copied().filter(|it| !self.reported.contains(it)).collect();
        let Some(first) = group.first().map(|it| &self.premises[*it]) else { return };
        let candidates: Vec<u32> = group.iter().filter_map(|it| subject(&self.premises[*it])).collect();
        let text = match &first.cause {
            Cause::Needs { property, .. } => words::needs(self.of, &candidates, *property),
            Cause::Unfit { property, .. } => words::unfit(self.of, &candidates, *property),
            cause => words::sentence(self.of, cause),
        };
        self.reported.extend(&group);
        self.facts.push(first.say(text));
        let next = first.candidates.clone();
        self.against(&next);
    }

    /// The premises about a candidate that were not reported yet.
    fn of_candidate(&self, candidate: u32) -> Vec<usize> {
        let all = self.by_subject.get(&candidate).map_or(&[][..], Vec::as_slice);
        all.iter().copied().filter(|at| !self.reported.contains(at)).collect()
    }

    /// True if bundles of one package need the same, or do not run for the same reason.
    fn are_alike(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.premises[a].cause, &self.premises[b].cause);
        let candidate = |it: u32| self.of.universe.candidate(it);
        match (a, b) {
            (Cause::Needs { candidate: a, property: p }, Cause::Needs { candidate: b, property: q })
            | (Cause::Unfit { candidate: a, property: p }, Cause::Unfit { candidate: b, property: q }) => {
                let (a, b) = (candidate(*a), candidate(*b));
                a.package == b.package && words::is_same_need((&a.bundle, *p), (&b.bundle, *q))
            }
            _ => false,
        }
    }
}

/// The candidate that a premise is about.
fn subject(premise: &Premise) -> Option<u32> {
    match premise.cause {
        Cause::Needs { candidate, .. } | Cause::Unfit { candidate, .. } => Some(candidate),
        Cause::Withdrawn(candidate) | Cause::Replaces(candidate, _) => Some(candidate),
        _ => None,
    }
}
