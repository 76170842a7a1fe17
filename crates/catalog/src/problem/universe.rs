use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use diag::order;
use resolve::Id;

use super::{Candidate, ChannelRequest};
use crate::{Bundle, Catalog, Index, Installed, Package, Profile, Request, property::Gvk};

/// All candidates of a request (the universe of OLM's first proposal). Packages are read when they are first
/// requested, so the cost of a request depends on what it leads to, not on the size of the catalogs.
#[derive(Debug)]
pub(crate) struct Universe<'a> {
    pub(crate) request: &'a Request,
    pub(crate) candidates: Vec<Candidate<'a>>,
    catalogs: &'a [Catalog],
    index: &'a Index,
    /// The catalogs in use, the preferred one first.
    scope: Vec<u32>,
    numbers: BTreeMap<Id, u32>,
    packages: BTreeMap<Arc<str>, Arc<[u32]>>,
    /// By installed bundle, its candidate.
    installed: BTreeMap<u32, u32>,
}

impl<'a> Universe<'a> {
    pub(crate) fn new(catalogs: &'a [Catalog], index: &'a Index, request: &'a Request) -> Self {
        let counts = |it: &Catalog| request.sources.is_empty() || request.sources.contains(&it.name);
        let mut scope: Vec<u32> =
            (0..).zip(catalogs).filter(|(_, it)| counts(it)).map(|(at, _)| at).collect();
        order::by(&mut scope, |a, b| {
            let (a, b) = (&catalogs[*a as usize], &catalogs[*b as usize]);
            b.priority.cmp(&a.priority).then_with(|| a.name.cmp(&b.name))
        });
        Self {
            request,
            candidates: Vec::new(),
            catalogs,
            index,
            scope,
            numbers: BTreeMap::new(),
            packages: BTreeMap::new(),
            installed: BTreeMap::new(),
        }
    }

    /// The catalogs in use, the preferred one first.
    pub(crate) fn catalogs(&self) -> impl Iterator<Item = &'a Catalog> {
        self.scope.iter().filter_map(|it| self.catalogs.get(*it as usize))
    }

    /// The packages of that name in the catalogs in use, the preferred one first.
    pub(crate) fn named(&self, name: &str) -> impl Iterator<Item = (&'a Catalog, &'a Package)> {
        self.catalogs().filter_map(move |it| Some((it, it.packages.get(name)?)))
    }

    /// The candidate with a number.
    pub(crate) fn candidate(&self, number: u32) -> &Candidate<'a> {
        &self.candidates[number as usize]
    }

    /// The candidate with an id.
    pub(crate) fn number(&self, id: &str) -> Option<u32> {
        self.numbers.get(id).copied()
    }

    /// The ids of candidates.
    pub(crate) fn ids(&self, numbers: &[u32]) -> Vec<Id> {
        numbers.iter().map(|it| self.candidate(*it).id.clone()).collect()
    }

    /// The candidate of an installed bundle.
    pub(crate) fn installed(&mut self, at: u32) -> Option<u32> {
        let package = self.request.installed.get(at as usize)?.package.clone();
        self.package(&package);
        self.installed.get(&at).copied()
    }

    /// The candidate of an installed bundle, if its package has been read.
    pub(crate) fn is_installed(&self, at: u32) -> Option<&Candidate<'a>> {
        self.installed.get(&at).map(|it| self.candidate(*it))
    }

    /// The candidates of a package, the preferred one first.
    pub(crate) fn package(&mut self, name: &Arc<str>) -> Arc<[u32]> {
        if let Some(known) = self.packages.get(name) {
            return known.clone();
        }
        let first = self.candidates.len() as u32;
        let channels = ChannelRequest::new(self.request, name);
        for (rank, at) in (0..).zip(self.scope.clone()) {
            let Some(catalog) = self.catalogs.get(at as usize) else { continue };
            let Some(package) = catalog.packages.get(name) else { continue };
            for candidate in channels.candidates(rank, catalog, package) {
                self.add(candidate);
            }
        }
        self.add_installed(name, first);
        let mut list: Vec<u32> = (first..self.candidates.len() as u32).collect();
        order::by(&mut list, |a, b| {
            let (a, b) = (&self.candidates[*a as usize], &self.candidates[*b as usize]);
            a.preference(b, self.request.profile)
        });
        for (place, number) in (0..).zip(&list) {
            self.candidates[*number as usize].place = place;
        }
        let list: Arc<[u32]> = list.into();
        self.packages.insert(name.clone(), list.clone());
        list
    }

    /// Makes each installed bundle of the package one of its candidates.
    fn add_installed(&mut self, name: &Arc<str>, first: u32) {
        let request = self.request;
        let installed = (0..).zip(&request.installed).filter(|(_, it)| it.package == *name);
        for (at, it) in installed {
            let among = &self.candidates[first as usize..];
            let known = (first..).zip(among).filter(|(_, candidate)| candidate.is_this(it));
            // In the channel that it came from, if that contains it.
            let number = known.min_by_key(|(number, candidate)| {
                (
                    it.channel.as_ref().is_some_and(|of| candidate.channel != *of),
                    candidate.catalog_rank,
                    *number,
                )
            });
            let number = match number {
                Some((number, _)) => number,
                None => {
                    let candidate = self.out_of_channels(it);
                    self.add(candidate)
                }
            };
            self.candidates[number as usize].installed.get_or_insert(at);
            self.installed.insert(at, number);
        }
    }

    /// The candidate of an installed bundle that no channel offers: as its catalog describes it, or else the
    /// request.
    fn out_of_channels(&self, installed: &'a Installed) -> Candidate<'a> {
        let bundle = self.named(&installed.package).find_map(|(catalog, package)| {
            let bundle = package.bundles.values().find(|it| super::candidate::is_this(it, installed))?;
            Some((catalog.name.clone(), Cow::Borrowed(bundle)))
        });
        let (catalog, bundle) = bundle.unwrap_or_else(|| (Arc::from(""), described(installed)));
        Candidate::outside(
            catalog,
            bundle,
            installed.channel.clone().unwrap_or_default(),
            self.request.profile,
        )
    }

    fn add(&mut self, mut candidate: Candidate<'a>) -> u32 {
        let number = self.candidates.len() as u32;
        // Two bundles of one version are an invalid package; they are distinguished by their names.
        if self.numbers.contains_key(&candidate.id) {
            candidate.id = format!("{}:{}", candidate.id, candidate.bundle.name).into();
        }
        self.numbers.entry(candidate.id.clone()).or_insert(number);
        self.candidates.push(candidate);
        number
    }

    /// The candidates that provide an API.
    pub(crate) fn providing(&mut self, gvk: &Gvk) -> Vec<u32> {
        let packages = self.index.providing(gvk);
        self.of_packages(packages, &|it| it.provides(gvk))
    }

    /// The candidates that have a label.
    pub(crate) fn labelled(&mut self, label: &str) -> Vec<u32> {
        let packages = self.index.labelled(label);
        self.of_packages(packages, &|it| it.has_label(label))
    }

    /// The candidates of any package that satisfy a condition.
    pub(crate) fn all(&mut self, holds: &dyn Fn(&Candidate<'a>) -> bool) -> Vec<u32> {
        let all: Vec<u32> = (0..self.index.packages().len() as u32).collect();
        self.of_packages(&all, holds)
    }

    /// The candidates of some indexed packages, and of installed bundles, that satisfy a condition.
    fn of_packages(&mut self, packages: &[u32], holds: &dyn Fn(&Candidate<'a>) -> bool) -> Vec<u32> {
        let index = self.index;
        let indexed = packages.iter().filter_map(|it| index.packages().get(*it as usize));
        let mut names: Vec<Arc<str>> =
            indexed.filter(|it| self.scope.contains(&it.catalog)).map(|it| it.name.clone()).collect();
        names.extend(self.request.installed.iter().map(|it| it.package.clone()));
        order::by(&mut names, |a, b| a.cmp(b));
        names.dedup();
        let mut found = Vec::new();
        for name in &names {
            let numbers = self.package(name);
            found.extend(numbers.iter().copied().filter(|it| holds(self.candidate(*it))));
        }
        found
    }

    /// Sorts candidates of several packages in the order for a dependency of one of them (source:
    /// deppy's variable sources, OLM 0's resolver).
    pub(crate) fn sort(&self, numbers: &mut [u32], catalog: &str) {
        let is_v0 = self.request.profile == Profile::V0;
        let key = |number: u32| {
            let it = self.candidate(number);
            let is_new = is_v0 && it.installed.is_none();
            let is_foreign = &*it.catalog != catalog;
            let channel = if is_v0 { it.channel_rank.min(1) } else { 0 };
            (is_new, is_foreign, it.catalog_rank, channel, &it.package, it.place)
        };
        order::by(numbers, |a, b| key(*a).cmp(&key(*b)));
    }
}

/// The installed bundle as it was described, or else with its name and version only.
fn described(installed: &Installed) -> Cow<'_, Bundle> {
    installed.described.as_deref().map_or_else(|| Cow::Owned(installed.stub()), Cow::Borrowed)
}
