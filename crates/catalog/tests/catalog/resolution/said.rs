//! Explanations are true: each sentence is taken apart and compared with the catalogs, the request and the selection.

use planloom_catalog::{Conflict, ConsideredCandidate, Fact, PropertyData, Requirement, Resolution};
use proptest::prelude::*;

use super::{
    check::LoadedCase,
    laws::{Name, Set, World, case, name_of, selection},
};

/// The facts that sentences are compared with.
struct Truth<'t> {
    loaded: &'t LoadedCase,
    world: World,
    /// Empty where nothing can be selected.
    selected: Set,
}

impl<'t> Truth<'t> {
    fn of(loaded: &'t LoadedCase, resolution: &Resolution) -> Self {
        let selected = selection(resolution).unwrap_or_default();
        Self { loaded, world: World::new(&loaded.catalogs), selected }
    }

    /// True if a sentence is one that is known here, and all that it says is so.
    fn holds(&self, fact: &Fact) -> bool {
        let text = &*fact.text;
        let either = |one: &str, other: &str| text.split_once(one).or_else(|| text.split_once(other));
        if let Some((versions, range)) = either(" is not in ", " are not in ") {
            return self.are_outside(&name_of(&fact.subject).0, versions, range);
        }
        if let Some((bundles, need)) = either(" needs ", " need ") {
            return several(bundles).iter().all(|it| self.needs(it).any(|has| has == need));
        }
        if let Some(name) = text.strip_suffix(" is chosen already") {
            return several(name).iter().all(|it| self.selected.contains(it));
        }
        if let Some(required) = text.strip_suffix(" is required") {
            return self.requirements().iter().any(|it| described(it) == required);
        }
        if let Some(rest) = text.strip_prefix("only one version of package ") {
            return rest.strip_suffix(" can be installed").is_some_and(|it| self.has_package(it));
        }
        if let Some(rest) = text.strip_prefix("only one bundle can provide ") {
            return self.world.bundles.keys().any(|it| self.provides(it, rest));
        }
        if let Some((bundles, api)) = either(" both provide ", " all provide ") {
            let api = api.strip_suffix(", and only one bundle can").expect("it is a limit");
            return listed(bundles).iter().all(|it| several(it).iter().all(|it| self.provides(it, api)));
        }
        text.strip_prefix("no catalog has a package ").is_some_and(|it| !self.has_package(it))
    }

    /// `1.0.0 and 2.0.0` are not in `<1.0.0`, or in `<1.0.0, which a 2.0.0 needs`.
    fn are_outside(&self, package: &str, versions: &str, range: &str) -> bool {
        let (range, is_said) = match range.split_once(", which ") {
            Some((range, who)) => {
                let who = several(who.strip_suffix(" needs").expect("a need"));
                let need = format!("{package} {range}");
                (
                    range,
                    who.iter().all(|it| self.selected.contains(it) && self.needs(it).any(|has| has == need)),
                )
            }
            None => (range, self.requirements().iter().any(|it| is_in(it, package, range))),
        };
        is_said && !self.has_any(package, range, &listed(versions))
    }

    /// True if one of these versions of a package, or any if there are none, is in a range that is written somewhere.
    fn has_any(&self, package: &str, range: &str, versions: &[&str]) -> bool {
        let is_one = |it: &Name| it.0 == package && (versions.is_empty() || versions.contains(&&*it.1));
        let mut bundles = self.world.bundles.iter().filter(|(name, _)| is_one(name)).map(|(_, it)| it);
        bundles.any(|bundle| {
            let own = self
                .requirements()
                .iter()
                .filter(|it| is_in(it, package, range))
                .filter_map(|it| it.range.as_ref());
            let all = self.world.bundles.values().flat_map(|it| &it.properties);
            let others = all.filter_map(|it| match &it.data {
                PropertyData::PackageRequired(of) if *of.package == *package && *of.range.text == *range => {
                    Some(&of.range)
                }
                _ => None,
            });
            own.chain(others).next().expect("somebody wrote it").contains(&bundle.version)
        })
    }

    fn requirements(&self) -> &[Requirement] {
        &self.loaded.request.requirements
    }

    fn has_package(&self, name: &str) -> bool {
        self.world.bundles.keys().any(|it| it.0 == name)
    }

    fn provides(&self, bundle: &Name, api: &str) -> bool {
        let properties = self.world.bundles.get(bundle).map(|it| &it.properties);
        properties
            .into_iter()
            .flatten()
            .any(|it| matches!(&it.data, PropertyData::Gvk(gvk) if gvk.to_string() == api))
    }

    /// The needs of a bundle, as sentences express them.
    fn needs(&self, bundle: &Name) -> impl Iterator<Item = String> {
        let properties = self.world.bundles.get(bundle).map(|it| &it.properties);
        properties.into_iter().flatten().filter_map(|it| match &it.data {
            PropertyData::PackageRequired(of) => Some(format!("{} {}", of.package, of.range)),
            PropertyData::GvkRequired(gvk) => Some(format!("an API {gvk}")),
            _ => None,
        })
    }

    /// True if nothing meets a need.
    fn is_unmet(&self, need: &str) -> bool {
        match need.strip_prefix("an API ") {
            Some(api) => !self.world.bundles.keys().any(|it| self.provides(it, api)),
            None => need.split_once(' ').is_some_and(|(package, range)| !self.has_any(package, range, &[])),
        }
    }

    /// True if a candidate cannot be selected with what was chosen before, as far as that is said.
    fn is_ruled_out(&self, considered: &ConsideredCandidate) -> bool {
        let facts = &considered.ruled_out_by;
        let is_outside = |it: &Fact| it.text.contains(" is not in ");
        let chosen =
            facts.iter().filter_map(|it| it.text.strip_suffix(" is chosen already")).flat_map(several);
        let all: Set = chosen.chain([name_of(&considered.id)]).collect();
        let required = self.world.required(&self.loaded.request);
        facts.iter().any(is_outside) || !self.world.meeting(&required).iter().any(|it| all.is_subset(it))
    }

    /// True if the sentence about a whole conflict is so.
    fn sums_up(&self, conflict: &Conflict) -> bool {
        let text = &conflict.summary;
        if let Some(rest) = text.strip_prefix("no package \"") {
            let (package, rest) = rest.split_once('"').expect("a name");
            let range = rest.strip_prefix(" matching version \"").and_then(|it| it.strip_suffix("\" found"));
            return range.map_or(!self.has_package(package), |range| !self.has_any(package, range, &[]));
        }
        let (who, why) = text.split_once(": ").unwrap_or((text, ""));
        let who = who
            .strip_suffix(" cannot be satisfied")
            .or_else(|| who.strip_suffix(" cannot both be satisfied"));
        let are_required = who.is_some_and(|who| {
            listed(who).iter().all(|name| self.requirements().iter().any(|it| *it.name == **name))
        });
        are_required && self.is_the_reason(why)
    }

    fn is_the_reason(&self, why: &str) -> bool {
        let different = ["it needs different ", "they need different "];
        if let Some(limits) = different.iter().find_map(|it| why.strip_prefix(it)) {
            let is_one = |it: &&str| match it.strip_prefix("versions of ") {
                Some(package) => self.has_package(package),
                None => it
                    .strip_prefix("providers of ")
                    .is_some_and(|api| !self.is_unmet(&format!("an API {api}"))),
            };
            return listed(limits).iter().all(is_one);
        }
        why.is_empty()
            || why
                .strip_prefix("no catalog has ")
                .is_some_and(|it| listed(it).iter().all(|it| self.is_unmet(it)))
    }
}

/// `package a in >=1.0.0`
fn described(of: &Requirement) -> String {
    let range = of.range.as_ref().map(|it| format!(" in {it}")).unwrap_or_default();
    format!("package {}{range}", of.package)
}

fn is_in(of: &Requirement, package: &str, range: &str) -> bool {
    *of.package == *package && of.range.as_ref().is_some_and(|it| *it.text == *range)
}

/// The items of `x`, `x and y`, `x, y and z`.
fn listed(text: &str) -> Vec<&str> {
    text.split(", ").flat_map(|it| it.split(" and ")).collect()
}

/// The bundles of `a 1.0.0 and 2.0.0`.
fn several(text: &str) -> Vec<Name> {
    let (package, versions) = text.split_once(' ').unwrap_or((text, ""));
    listed(versions).into_iter().map(|it| (package.to_owned(), it.to_owned())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn reasons_for_a_selection_are_true(case in case()) {
        let loaded = LoadedCase::new(&case);
        let resolution = loaded.resolve();
        let truth = Truth::of(&loaded, &resolution);
        let Resolution::Solved(selected) = resolution else { return Ok(()) };
        for considered in selected.iter().flat_map(|it| &it.considered) {
            for fact in &considered.ruled_out_by {
                prop_assert!(truth.holds(fact), "{}: {} in {case}", considered.id, fact.text);
            }
            let is_chosen = truth.selected.contains(&name_of(&considered.id));
            prop_assert_eq!(considered.ruled_out_by.is_empty(), is_chosen, "{} in {}", considered.id, case);
            prop_assert!(is_chosen || truth.is_ruled_out(considered), "{considered:?} in {case}");
        }
    }

    #[test]
    fn what_conflicts_say_is_true(case in case()) {
        let loaded = LoadedCase::new(&case);
        let resolution = loaded.resolve();
        let truth = Truth::of(&loaded, &resolution);
        let Resolution::Unsolvable { conflicts, .. } = &resolution else { return Ok(()) };
        for conflict in conflicts {
            prop_assert!(truth.sums_up(conflict), "{} in {case}", conflict.summary);
            for fact in &conflict.facts {
                prop_assert!(truth.holds(fact), "{} in {case}", fact.text);
            }
        }
    }
}
