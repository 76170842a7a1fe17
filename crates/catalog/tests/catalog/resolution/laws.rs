//! Laws for any catalog and request, checked against every possible set of bundles.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use diag::{FileId, apply_edits};
use planloom_catalog::{
    Bundle, Catalog, PropertyData, Request, Resolution, active_resolution, resolve, what_would_move,
};
use proptest::prelude::*;
use resolve::Budget;

use super::{check::LoadedCase, notation::Case, printed};

const NAMES: [&str; 4] = ["a", "b", "c", "d"];
const APIS: [&str; 3] = ["K", "L", "M"];
const RANGES: [&str; 6] = [">=1.0.0", ">=2.0.0", "<2.0.0", "2.0.0", ">=3.0.0", "<3.0.0"];

fn bundle() -> impl Strategy<Value = String> {
    let package =
        (0..NAMES.len(), 0..RANGES.len()).prop_map(|(n, r)| format!("{} \"{}\"", NAMES[n], RANGES[r]));
    let api = (0..APIS.len()).prop_map(|it| format!("gvk {}", APIS[it]));
    let needs = prop::collection::vec(prop_oneof![3 => package, 1 => api], 0..3);
    let provides = prop::option::weighted(0.3, 0..APIS.len());
    (needs, provides).prop_map(|(needs, provides)| {
        let gvk = provides.map(|it| format!(", gvk:{}", APIS[it])).unwrap_or_default();
        format!("req:[{}]{gvk}", needs.join(", "))
    })
}

pub(super) fn case() -> impl Strategy<Value = String> {
    let packages = prop::collection::vec(prop::collection::vec(bundle(), 1..4), 2..=NAMES.len());
    let required = prop::collection::btree_map(0..NAMES.len(), prop::option::of(0..RANGES.len()), 1..4);
    (packages, required).prop_map(|(packages, required)| {
        let mut text = String::new();
        for (name, versions) in NAMES.iter().zip(&packages) {
            for (at, fields) in versions.iter().enumerate() {
                text.push_str(&format!("{name}@{}.0.0{{{fields}}}\n", at + 1));
            }
        }
        for (name, range) in required {
            let range = range.map(|it| format!(" \"{}\"", RANGES[it])).unwrap_or_default();
            text.push_str(&format!("require {}{range}\n", NAMES[name]));
        }
        text
    })
}

/// A bundle by package and version.
pub(super) type Name = (String, String);
pub(super) type Set = BTreeSet<Name>;

/// The available bundles, and the possible sets of them.
pub(super) struct World {
    pub(super) bundles: BTreeMap<Name, Bundle>,
    sets: Vec<Set>,
}

impl World {
    /// All sets of bundles, at most one of a package, that meet each other's dependencies.
    pub(super) fn new(catalogs: &[Catalog]) -> Self {
        let mut bundles = BTreeMap::new();
        let mut sets: Vec<Set> = vec![Set::new()];
        for (name, package) in catalogs.iter().flat_map(|it| &it.packages) {
            let mut more = Vec::new();
            for bundle in package.bundles.values() {
                let name = (name.to_string(), bundle.version.to_string());
                more.extend(sets.iter().map(|it| it.iter().cloned().chain([name.clone()]).collect()));
                bundles.insert(name, bundle.clone());
            }
            sets.extend(more);
        }
        let mut world = Self { bundles, sets: Vec::new() };
        world.sets = sets.into_iter().filter(|it| world.can_be(it)).collect();
        world
    }

    fn can_be(&self, set: &Set) -> bool {
        let mut apis = BTreeSet::new();
        set.iter().flat_map(|it| &self.bundles[it].properties).all(|property| match &property.data {
            PropertyData::Gvk(gvk) => apis.insert(gvk.clone()),
            data => self.offers(data).is_none_or(|of| of.iter().any(|it| set.contains(it))),
        })
    }

    /// The bundles that meet a property, the preferred one first.
    pub(super) fn offers(&self, data: &PropertyData) -> Option<Vec<Name>> {
        let meets = |it: &Bundle| match data {
            PropertyData::PackageRequired(of) => it.package == of.package && of.range.contains(&it.version),
            PropertyData::GvkRequired(gvk) => {
                it.properties.iter().any(|it| matches!(&it.data, PropertyData::Gvk(of) if of == gvk))
            }
            _ => false,
        };
        let requires = matches!(data, PropertyData::PackageRequired(_) | PropertyData::GvkRequired(_));
        requires.then(|| self.sorted(&meets))
    }

    fn sorted(&self, meets: &dyn Fn(&Bundle) -> bool) -> Vec<Name> {
        let mut found: Vec<&Name> =
            self.bundles.iter().filter(|(_, it)| meets(it)).map(|(name, _)| name).collect();
        found.sort_by(|a, b| {
            let (x, y) = (&self.bundles[*a], &self.bundles[*b]);
            a.0.cmp(&b.0).then_with(|| y.version.precedence(&x.version))
        });
        found.into_iter().cloned().collect()
    }

    pub(super) fn required(&self, request: &Request) -> Vec<Vec<Name>> {
        let of = request.requirements.iter().map(|required| {
            let is_in = |it: &Bundle| required.range.as_ref().is_none_or(|range| range.contains(&it.version));
            self.sorted(&|it| it.package == required.package && is_in(it))
        });
        of.collect()
    }

    /// The sets that contain all that is required.
    pub(super) fn meeting(&self, required: &[Vec<Name>]) -> Vec<&Set> {
        let is_met = |set: &&Set| required.iter().all(|of| of.iter().any(|it| set.contains(it)));
        self.sets.iter().filter(is_met).collect()
    }

    /// Choices in the order in which they arise, each the first candidate that leaves everything possible.
    fn preferred(&self, request: &Request) -> Option<Set> {
        let required = self.required(request);
        let mut left = self.meeting(&required);
        let mut chosen = Set::new();
        let mut queue: VecDeque<Vec<Name>> = required.into();
        left.first()?;
        while let Some(choice) = queue.pop_front() {
            if choice.iter().any(|it| chosen.contains(it)) {
                continue;
            }
            let is_possible = |it: &&Name| left.iter().any(|set| set.contains(*it));
            let taken = choice.iter().find(is_possible).expect("one is possible").clone();
            left.retain(|set| set.contains(&taken));
            queue.extend(self.bundles[&taken].properties.iter().filter_map(|it| self.offers(&it.data)));
            chosen.insert(taken);
        }
        Some(chosen)
    }
}

pub(super) fn selection(resolution: &Resolution) -> Option<Set> {
    match resolution {
        Resolution::Solved(selected) => {
            Some(selected.iter().map(|it| (it.package.to_string(), it.version.to_string())).collect())
        }
        _ => None,
    }
}

pub(super) fn name_of(id: &str) -> Name {
    let parts: Vec<&str> = id.split(':').collect();
    (parts[1].to_owned(), parts[2].to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_preferred_set_is_chosen(case in case()) {
        let requested = LoadedCase::new(&case);
        let world = World::new(&requested.catalogs);
        prop_assert_eq!(selection(&requested.resolve()), world.preferred(&requested.request), "{}", case);
    }

    #[test]
    fn fixes_were_tried(case in case()) {
        let requested = LoadedCase::new(&case);
        let Resolution::Unsolvable { conflicts, fixes } = requested.resolve() else { return Ok(()) };
        prop_assert!(!conflicts.is_empty());
        let text = printed::request(&Case::read(&case));
        for fix in fixes.iter().filter(|it| !it.edits.is_empty() && conflicts.len() == 1) {
            let edited = apply_edits(&text, &fix.edits);
            let (all, found) = active_resolution::read(FileId(1), &edited);
            prop_assert!(found.is_empty(), "{:?}", found);
            let request = &all[0].request;
            let (resolution, _) = resolve(&requested.catalogs, request, &mut (), &Budget::default());
            let reported: Set = fix.selection.iter().map(|it| name_of(it)).collect();
            prop_assert_eq!(selection(&resolution), Some(reported), "{} in {}", fix.title, case);
            prop_assert_eq!(World::new(&requested.catalogs).preferred(request), selection(&resolution));
        }
    }

    #[test]
    fn conflicts_are_of_the_request(case in case()) {
        let requested = LoadedCase::new(&case);
        if let Resolution::Unsolvable { conflicts, .. } = requested.resolve() {
            for conflict in conflicts {
                let place = conflict.facts.first().and_then(|it| it.origin).map(|it| requested.sources.text(it));
                prop_assert!(place.is_some_and(|it| it.contains("name:")), "{:?}", conflict);
                let texts: BTreeSet<_> = conflict.facts.iter().map(|it| &it.text).collect();
                prop_assert_eq!(texts.len(), conflict.facts.len(), "no fact is reported twice");
            }
        }
    }

    #[test]
    fn unrelated_packages_do_not_change_the_resolution(case in case()) {
        let requested = LoadedCase::new(&case);
        let more = LoadedCase::new(&format!("e@1.0.0{{gvk:Other, req:[f \"1.0.0\"]}}\n{case}"));
        prop_assert_eq!(selection(&requested.resolve()), selection(&more.resolve()));
    }

    #[test]
    fn reported_moves_are_satisfiable(case in case(), package in 0..NAMES.len(), version in 1..4) {
        let requested = LoadedCase::new(&case);
        let name = (NAMES[package].to_owned(), format!("{version}.0.0"));
        let id = format!("catalog:{}:{}:stable", name.0, name.1);
        let moved = what_would_move(&requested.catalogs, &requested.request, &id, &mut (), &Budget::default());
        let world = World::new(&requested.catalogs);
        prop_assert_eq!(moved.is_some(), world.bundles.contains_key(&name));
        let required = world.required(&requested.request);
        let can_be = world.meeting(&required).iter().any(|it| it.contains(&name));
        let moved = moved.as_ref().and_then(selection);
        prop_assert_eq!(moved.is_some(), can_be);
        if let Some(moved) = moved {
            prop_assert!(moved.contains(&name) && world.can_be(&moved));
        }
    }
}
