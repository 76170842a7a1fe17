use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use resolve::{Id, Rule, Variable};

use super::{
    CandidateFilter, Cause, RequirementCandidates, StatedVariable, Universe, needs, runtime, uniqueness,
    upgrades,
};
use crate::{Catalog, Index, Profile, Request};

/// A bundle that has to be chosen in addition.
#[derive(Clone, Debug)]
pub(crate) struct RequiredBundle {
    /// Its id.
    pub(crate) id: Id,
    /// Its package.
    package: Arc<str>,
}

/// A request as variables, which are generated when they are requested.
#[derive(Debug)]
pub(crate) struct Formulation<'a> {
    pub(crate) universe: Universe<'a>,
    /// The causes of the constraints of each variable.
    causes: BTreeMap<Id, Vec<Cause>>,
    offers: Vec<RequirementCandidates>,
    /// By requirement, the installed bundle that it is about.
    current: Vec<Option<u32>>,
    /// By installed bundle, its upgrades.
    next: BTreeMap<u32, Vec<u32>>,
    unique: uniqueness::StatedLimits,
    cluster: Id,
    pub(crate) goal: Option<RequiredBundle>,
}

impl<'a> Formulation<'a> {
    pub(crate) fn new(catalogs: &'a [Catalog], index: &'a Index, request: &'a Request) -> Self {
        Self {
            universe: Universe::new(catalogs, index, request),
            causes: BTreeMap::new(),
            offers: Vec::new(),
            current: Vec::new(),
            next: BTreeMap::new(),
            unique: uniqueness::StatedLimits::default(),
            cluster: Id::from("cluster"),
            goal: None,
        }
    }

    /// The variables that choices begin with: requirements, installed bundles, the cluster.
    pub(crate) fn anchors(&mut self) -> Vec<Variable> {
        let request = self.universe.request;
        let mut all: Vec<StatedVariable> = Vec::new();
        for at in 0..request.requirements.len() as u32 {
            all.extend(self.requirement(at));
        }
        for at in 0..request.installed.len() as u32 {
            all.extend(self.installed(at));
        }
        if request.runtime.openshift.is_some() || request.runtime.kubernetes.is_some() {
            let mut cluster = StatedVariable::new(self.cluster.clone()).at(request.runtime.origin);
            cluster.add(Cause::Cluster, Rule::Mandatory);
            all.push(cluster);
        }
        all.extend(self.goal());
        let limits = all.iter().flat_map(|it| self.offered(it)).collect::<Vec<u32>>();
        all.extend(self.unique.packages(&mut self.universe, &limits));
        all.into_iter().map(|it| self.record(it)).collect()
    }

    /// The bundle with an id, if it is of a package of that name in the catalogs in use.
    pub(crate) fn find(&mut self, id: &str) -> Option<RequiredBundle> {
        // The name of a catalog may contain colons, that of a package does not.
        let names: Vec<Arc<str>> = id.split(':').map(Arc::from).collect();
        let packages = names.into_iter().find(|package| {
            self.universe.package(package);
            self.universe.number(id).is_some()
        });
        packages.map(|package| RequiredBundle { id: id.into(), package })
    }

    fn goal(&mut self) -> Option<StatedVariable> {
        let goal = self.goal.clone()?;
        self.universe.package(&goal.package);
        let number = self.universe.number(&goal.id)?;
        let mut stated = StatedVariable::new(self.new_id(format!("wanted {}", goal.id)))
            .at(self.universe.candidate(number).origin());
        stated.add(Cause::RequiredBundle(number), Rule::Mandatory);
        stated.add(Cause::RequiredBundle(number), Rule::Dependency(vec![goal.id]));
        Some(stated)
    }

    /// The variable of a candidate, and those that have to be known with it.
    pub(crate) fn expand(&mut self, id: &str) -> Vec<Variable> {
        let Some(number) = self.universe.number(id) else { return Vec::new() };
        let bundle = self.bundle(number);
        let mut offered = self.offered(&bundle);
        offered.push(number);
        let mut all = vec![bundle];
        all.extend(self.unique.packages(&mut self.universe, &offered));
        all.extend(self.unique.providers(&mut self.universe, number));
        all.into_iter().map(|it| self.record(it)).collect()
    }

    /// The preferred candidate of each package that a variable offers.
    fn offered(&self, stated: &StatedVariable) -> Vec<u32> {
        let mut found: Vec<u32> = Vec::new();
        for constraint in &stated.variable.constraints {
            let Rule::Dependency(ids) = &constraint.rule else { continue };
            for number in ids.iter().filter_map(|it| self.universe.number(it)) {
                let package = &self.universe.candidate(number).package;
                if found.last().is_none_or(|it| self.universe.candidate(*it).package != *package) {
                    found.push(number);
                }
            }
        }
        found
    }

    /// The cause of a constraint of a variable.
    pub(crate) fn cause(&self, subject: &str, nth: usize) -> Option<&Cause> {
        self.causes.get(subject)?.get(nth)
    }

    /// The candidates for a requirement.
    pub(crate) fn offer(&self, at: u32) -> Option<&RequirementCandidates> {
        self.offers.get(at as usize)
    }

    /// The upgrades of an installed bundle.
    pub(crate) fn next_of(&self, at: u32) -> &[u32] {
        self.next.get(&at).map_or(&[], Vec::as_slice)
    }

    /// The filter of a requirement.
    pub(crate) fn candidate_filter(&self, at: u32) -> Option<CandidateFilter<'a>> {
        let requirement = self.universe.request.requirements.get(at as usize)?;
        let current = self.current.get(at as usize).copied().flatten();
        Some(CandidateFilter::about(&self.universe, requirement, current))
    }

    fn record(&mut self, stated: StatedVariable) -> Variable {
        self.causes.insert(stated.variable.id.clone(), stated.causes);
        stated.variable
    }

    fn requirement(&mut self, at: u32) -> Option<StatedVariable> {
        let request = self.universe.request;
        let requirement = request.requirements.get(at as usize)?;
        let offer = self.universe.offer(requirement);
        let is_v0 = request.profile == Profile::V0;
        let word = if is_v0 { "subscription:" } else { "required " };
        let id = self.new_id(format!("{word}{}", requirement.name));
        let mut stated = StatedVariable::new(id).at(requirement.origin.whole);
        stated.add(Cause::Required(at), Rule::Mandatory);
        if !offer.ambiguous.is_empty() || (is_v0 && offer.candidates.is_empty()) {
            stated.add(Cause::Refused(at), Rule::Prohibited);
        } else {
            stated.add(Cause::Offers(at), Rule::Dependency(self.universe.ids(&offer.candidates)));
        }
        self.offers.push(offer);
        let current = self.universe.current(requirement);
        self.current.push(current);
        Some(stated)
    }

    /// The variable of an installed bundle with its upgrades; `None` if a requirement covers it.
    fn installed(&mut self, at: u32) -> Option<StatedVariable> {
        let request = self.universe.request;
        let installed = request.installed.get(at as usize)?;
        let number = self.universe.installed(at)?;
        let is_v0 = request.profile == Profile::V0;
        if request.profile != Profile::Phase0 {
            let requires = |it| self.universe.current(it) == Some(at);
            if request.requirements.iter().any(requires) {
                return None;
            }
        }
        let name = match request.profile {
            Profile::V0 => {
                format!("@existing/{}//{}", request.namespace(), self.universe.candidate(number).bundle.name)
            }
            Profile::V1 | Profile::Phase0 => format!("installed {}", installed.package),
        };
        let id = self.new_id(name);
        let mut stated = StatedVariable::new(id).at(installed.origin);
        stated.add(Cause::Installed(at), Rule::Mandatory);
        let next = if is_v0 { Vec::new() } else { self.next(at, number) };
        self.next.insert(at, next.clone());
        let candidates = match request.profile {
            Profile::Phase0 => next.into_iter().chain([number]).collect(),
            Profile::V0 | Profile::V1 => std::iter::once(number).chain(next).collect::<Vec<_>>(),
        };
        stated.add(Cause::Upgrades(at), Rule::Dependency(self.universe.ids(&candidates)));
        Some(stated)
    }

    /// The upgrades of an installed bundle, in its channel if that is known.
    fn next(&mut self, at: u32, number: u32) -> Vec<u32> {
        let Some(installed) = self.universe.request.installed.get(at as usize) else { return Vec::new() };
        let mut names: BTreeSet<(Arc<str>, &str)> = BTreeSet::new();
        for (catalog, package) in self.universe.named(&installed.package) {
            let channel = installed.channel.as_deref().filter(|it| package.channels.contains_key(*it));
            let next = upgrades::successors(package, installed, channel);
            names.extend(next.into_iter().map(|it| (catalog.name.clone(), it)));
        }
        let numbers = self.universe.package(&installed.package);
        let is_next = |it: &u32| {
            let candidate = self.universe.candidate(*it);
            *it != number && names.contains(&(candidate.catalog.clone(), &*candidate.bundle.name))
        };
        let mut next: Vec<u32> = numbers.iter().copied().filter(is_next).collect();
        self.universe.sort_in(&mut next, installed.channel.as_slice());
        next
    }

    fn bundle(&mut self, number: u32) -> StatedVariable {
        let candidate = self.universe.candidate(number);
        let mut stated = StatedVariable::new(candidate.id.clone()).at(candidate.origin());
        needs::add(&mut self.universe, number, &mut stated);
        runtime::add(&self.universe, number, &self.cluster, &mut stated);
        if self.universe.request.profile == Profile::V0 {
            super::v0::add(&mut self.universe, number, &mut stated);
        }
        stated
    }

    /// A unique id for a variable of that name.
    fn new_id(&self, name: String) -> Id {
        let mut id = name;
        while self.causes.contains_key(&*id) || self.universe.number(&id).is_some() {
            id.push('\'');
        }
        id.into()
    }
}
