use std::collections::BTreeSet;

use diag::order;

use super::{Premise, chain, exclusions, listing, words};
use crate::{
    Conflict,
    problem::{Cause, Formulation},
};

/// A conflict as it is shown to users.
pub(crate) fn conflict(of: &Formulation<'_>, premises: &[Premise]) -> Conflict {
    Conflict { summary: summary(of, premises), facts: chain::facts(of, premises) }
}

/// The requirements that a conflict is about.
pub(crate) fn requirements(premises: &[Premise]) -> BTreeSet<u32> {
    let requested = premises.iter().filter_map(|it| match it.cause {
        Cause::Required(at) | Cause::Offers(at) | Cause::Refused(at) => Some(at),
        _ => None,
    });
    order::set(requested)
}

/// The installed bundles that a conflict is about.
pub(crate) fn installed(premises: &[Premise]) -> BTreeSet<u32> {
    let there = premises.iter().filter_map(|it| match it.cause {
        Cause::Installed(at) | Cause::Upgrades(at) => Some(at),
        _ => None,
    });
    order::set(there)
}

fn summary(of: &Formulation<'_>, premises: &[Premise]) -> String {
    let is_of_requirement = |it: &&Premise| matches!(it.cause, Cause::Offers(_) | Cause::Refused(_));
    if let Some(premise) = premises.iter().filter(is_of_requirement).find(|it| it.is_dead_end()) {
        return words::sentence(of, &premise.cause);
    }
    if let Some(goal) = goal(premises) {
        return not_chosen(of, premises, goal);
    }
    let mut who = who(of, premises);
    if who.is_empty() {
        who.push("what is installed".to_owned());
    }
    let both = if who.len() == 2 { "both " } else { "" };
    let cannot = match &*who {
        [one] => format!("{one} cannot be satisfied"),
        _ => format!("{} cannot {both}be satisfied", listing::all(&who)),
    };
    match why(of, premises, who.len()) {
        Some(why) => format!("{cannot}: {why}"),
        None => cannot,
    }
}

/// The bundle that has to be chosen, if there is one.
fn goal(premises: &[Premise]) -> Option<u32> {
    premises.iter().find_map(|it| match it.cause {
        Cause::RequiredBundle(number) => Some(number),
        _ => None,
    })
}

fn not_chosen(of: &Formulation<'_>, premises: &[Premise], goal: u32) -> String {
    let who = words::named(of.universe.candidate(goal));
    let required = requirements(premises);
    let excluded = required.iter().find_map(|at| exclusions::of_candidate(of, *at, goal));
    match excluded.map(|it| it.text.to_string()).or_else(|| why(of, premises, required.len())) {
        Some(why) => format!("{who} cannot be chosen: {why}"),
        None => format!("{who} cannot be chosen"),
    }
}

/// The names of requirements and installed bundles.
fn who(of: &Formulation<'_>, premises: &[Premise]) -> Vec<String> {
    let request = of.universe.request;
    let required = requirements(premises).into_iter().filter_map(|it| request.requirements.get(it as usize));
    let installed = installed(premises).into_iter().filter_map(|it| request.installed.get(it as usize));
    let there = installed.map(|it| format!("{} {}, which is installed,", it.package, it.version));
    required.map(|it| it.name.to_string()).chain(there).collect()
}

fn why(of: &Formulation<'_>, premises: &[Premise], count: usize) -> Option<String> {
    let limits = premises.iter().filter_map(|it| match &it.cause {
        Cause::OnePackage(package) => Some(format!("versions of {package}")),
        Cause::OneProvider(gvk) => Some(format!("providers of {gvk}")),
        _ => None,
    });
    let limits: Vec<String> = limits.collect();
    if !limits.is_empty() {
        let need = if count == 1 { "it needs" } else { "they need" };
        return Some(format!("{need} different {}", listing::some(&limits, 3)));
    }
    if premises.iter().any(|it| it.cause == Cause::Cluster) {
        return Some(format!("{}, and no candidate runs there", words::sentence(of, &Cause::Cluster)));
    }
    if let Some(premise) = premises.iter().find(|it| matches!(it.cause, Cause::Withdrawn(_))) {
        return Some(words::sentence(of, &premise.cause));
    }
    let dead_ends = || premises.iter().filter(|it| it.is_dead_end());
    if let Some(why) = dead_ends().find_map(|it| words::unreadable(of, &it.cause)) {
        return Some(why);
    }
    let needed = dead_ends().filter_map(|it| words::needed(of, &it.cause));
    let needed: BTreeSet<String> = order::set(needed);
    let needed: Vec<String> = needed.into_iter().collect();
    (!needed.is_empty()).then(|| format!("no catalog has {}", listing::some(&needed, 3)))
}
