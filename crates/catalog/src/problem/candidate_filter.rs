use std::{collections::BTreeSet, sync::Arc};

use diag::order;

use super::{Candidate, Universe, upgrades};
use crate::{Installed, Profile, Requirement};

/// The reason why a bundle of the requested package cannot be chosen for a requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Exclusion {
    /// It is in another catalog than the requested one.
    Catalog,
    /// It is in none of the requested channels.
    Channel,
    /// Its version is not in the range.
    Range,
    /// No upgrade leads to it from what is installed.
    NoUpgrade(u32),
    /// It is not the one to start with.
    Start,
    /// No channel has it any more.
    Gone,
}

/// The candidates of a requirement.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequirementCandidates {
    /// The preferred one first.
    pub(crate) candidates: Vec<u32>,
    /// The catalogs of one priority between which nothing decides.
    pub(crate) ambiguous: Vec<Arc<str>>,
    /// If there are no candidates: the bundles of the package, with the reasons why they are excluded.
    pub(crate) left_out: Vec<(u32, Exclusion)>,
}

/// A requirement with what determines which bundles meet it.
#[derive(Debug)]
pub(crate) struct CandidateFilter<'a> {
    requirement: &'a Requirement,
    profile: Profile,
    /// The installed bundle that would be replaced.
    current: Option<(u32, &'a Installed)>,
    /// By catalog, the bundles that it can be upgraded to.
    successors: Vec<(Arc<str>, BTreeSet<&'a str>)>,
}

impl<'a> CandidateFilter<'a> {
    pub(crate) fn new(universe: &mut Universe<'a>, requirement: &'a Requirement) -> Self {
        let current = universe.current(requirement);
        Self::about(universe, requirement, current)
    }

    /// A filter that takes into account the installed bundle that would be replaced.
    pub(crate) fn about(universe: &Universe<'a>, requirement: &'a Requirement, current: Option<u32>) -> Self {
        let request = universe.request;
        let current = current.and_then(|at| Some((at, request.installed.get(at as usize)?)));
        let restricts = !requirement.any_upgrade && request.profile != Profile::Phase0;
        let current = current.filter(|_| restricts);
        let mut successors = Vec::new();
        if let Some((_, installed)) = current {
            for (catalog, package) in universe.named(&requirement.package) {
                successors.push((catalog.name.clone(), upgrades::successors(package, installed, None)));
            }
        }
        Self { requirement, profile: request.profile, current, successors }
    }

    /// The reason why a bundle of the package cannot be chosen, if any.
    pub(crate) fn excludes(&self, it: &Candidate<'a>) -> Option<Exclusion> {
        let range = self.requirement.range.as_ref();
        let is_out = !self.stays(it) && range.is_some_and(|range| !range.contains(&it.bundle.version));
        match self.excludes_by_place(it) {
            None if is_out => Some(Exclusion::Range),
            None => self.excludes_by_upgrade(it),
            by_place => by_place,
        }
    }

    /// The reason that holds for any range, if any.
    pub(crate) fn excludes_anyway(&self, it: &Candidate<'a>) -> Option<Exclusion> {
        self.excludes_by_place(it).or_else(|| self.excludes_by_upgrade(it))
    }

    /// With OLM 0 an installed bundle can always stay; with OLM 1 it has to meet the requirement.
    fn stays(&self, it: &Candidate<'a>) -> bool {
        self.profile == Profile::V0 && self.is_current(it)
    }

    fn excludes_by_place(&self, it: &Candidate<'a>) -> Option<Exclusion> {
        let requirement = self.requirement;
        if self.stays(it) {
            return None;
        }
        if it.is_outside {
            return (self.profile != Profile::Phase0).then_some(Exclusion::Gone);
        }
        if requirement.catalog.as_ref().is_some_and(|name| it.catalog != *name) {
            return Some(Exclusion::Catalog);
        }
        (!requirement.channels.is_empty() && !it.is_in(&requirement.channels)).then_some(Exclusion::Channel)
    }

    fn excludes_by_upgrade(&self, it: &Candidate<'a>) -> Option<Exclusion> {
        if let Some((at, _)) = self.current {
            return (!self.is_current(it) && !self.leads_to(it)).then_some(Exclusion::NoUpgrade(at));
        }
        let starting = self.requirement.starting.as_ref().filter(|_| self.profile == Profile::V0);
        starting.is_some_and(|name| it.bundle.name != *name).then_some(Exclusion::Start)
    }

    pub(crate) fn is_current(&self, it: &Candidate<'a>) -> bool {
        self.current.is_some_and(|(at, installed)| match self.profile {
            Profile::V0 => it.installed == Some(at),
            Profile::V1 | Profile::Phase0 => it.is_this(installed),
        })
    }

    fn leads_to(&self, it: &Candidate<'a>) -> bool {
        if self.profile == Profile::V0 {
            return self.current.is_some_and(|(_, installed)| it.is_next_of(installed));
        }
        let of = self.successors.iter().find(|(catalog, _)| *catalog == it.catalog);
        of.is_some_and(|(_, names)| names.contains(&*it.bundle.name))
    }
}

impl<'a> Universe<'a> {
    /// The installed bundle that a requirement is about: one of its package, or with OLM 0 one that a bundle
    /// of its package replaces and that no other requirement is about.
    pub(crate) fn current(&mut self, requirement: &Requirement) -> Option<u32> {
        let request = self.request;
        let of_package = request.installed.iter().position(|it| it.package == requirement.package);
        if let Some(at) = of_package {
            return Some(at as u32);
        }
        if request.profile != Profile::V0 {
            return None;
        }
        let numbers = self.package(&requirement.package);
        let is_requested = |it: &Installed| request.requirements.iter().any(|of| of.package == it.package);
        let is_replaced = |it: &Installed| numbers.iter().any(|number| self.candidate(*number).names(it));
        let at = request.installed.iter().position(|it| !is_requested(it) && is_replaced(it))?;
        Some(at as u32)
    }

    /// The candidates for a requirement.
    pub(crate) fn offer(&mut self, requirement: &'a Requirement) -> RequirementCandidates {
        let filter = CandidateFilter::new(self, requirement);
        let numbers = self.package(&requirement.package);
        let is_in = |it: &u32| filter.excludes(self.candidate(*it)).is_none();
        let mut candidates: Vec<u32> = numbers.iter().copied().filter(is_in).collect();
        if self.request.profile == Profile::V0 {
            self.put_current_last(&filter, &mut candidates);
        }
        if candidates.is_empty() {
            let why = |it: &u32| Some((*it, filter.excludes(self.candidate(*it))?));
            return RequirementCandidates {
                left_out: numbers.iter().filter_map(why).collect(),
                ..RequirementCandidates::default()
            };
        }
        match self.request.profile {
            Profile::Phase0 => {
                self.sort_in(&mut candidates, &requirement.channels);
                RequirementCandidates { candidates, ..RequirementCandidates::default() }
            }
            Profile::V0 => RequirementCandidates { candidates, ..RequirementCandidates::default() },
            Profile::V1 => self.of_best_catalog(candidates),
        }
    }

    /// Sorts candidates of one package by the best of some channels that each is in, then by version.
    pub(crate) fn sort_in(&self, numbers: &mut [u32], channels: &[Arc<str>]) {
        if channels.is_empty() {
            return;
        }
        let key = |it: &Candidate<'_>| (it.catalog_rank, it.rank_in(channels).unwrap_or(u32::MAX));
        order::by(numbers, |a, b| {
            let (a, b) = (self.candidate(*a), self.candidate(*b));
            key(a).cmp(&key(b)).then_with(|| a.by_version(b))
        });
    }

    fn put_current_last(&mut self, filter: &CandidateFilter<'a>, candidates: &mut Vec<u32>) {
        let Some((at, _)) = filter.current else { return };
        let Some(number) = self.installed(at) else { return };
        candidates.retain(|it| *it != number);
        candidates.push(number);
    }

    /// The candidates of the catalog with the preferred bundle first, then those of the others (source:
    /// OLM 1's operator-controller).
    fn of_best_catalog(&self, candidates: Vec<u32>) -> RequirementCandidates {
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for number in candidates {
            let rank = self.candidate(number).catalog_rank;
            match groups
                .last_mut()
                .filter(|it| it.first().is_some_and(|of| self.candidate(*of).catalog_rank == rank))
            {
                Some(group) => group.push(number),
                None => groups.push(vec![number]),
            }
        }
        let best = |group: &Vec<u32>| group.first().map(|it| self.candidate(*it));
        let is_deprecated = |group: &Vec<u32>| best(group).is_some_and(Candidate::is_deprecated);
        let (fresh, old): (Vec<_>, Vec<_>) = groups.into_iter().partition(|it| !is_deprecated(it));
        let (first, rest) = if fresh.is_empty() { (old, Vec::new()) } else { (fresh, old) };
        let priority = |group: &Vec<u32>| best(group).map(|it| self.priority(&it.catalog));
        let highest = first.first().and_then(priority);
        let equal = first.iter().filter(|it| priority(it) == highest).filter_map(best);
        let mut ambiguous: Vec<Arc<str>> = equal.map(|it| it.catalog.clone()).collect();
        order::by(&mut ambiguous, |a, b| a.cmp(b));
        if ambiguous.len() < 2 {
            ambiguous.clear();
        }
        RequirementCandidates {
            candidates: first.into_iter().chain(rest).flatten().collect(),
            ambiguous,
            left_out: Vec::new(),
        }
    }

    fn priority(&self, catalog: &str) -> i64 {
        self.catalogs().find(|it| *it.name == *catalog).map_or(i64::MIN, |it| it.priority)
    }
}
