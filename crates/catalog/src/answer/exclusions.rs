use resolve::RuleKind;

use super::{Premise, listing, words};
use crate::{
    Fact, Profile, Requirement,
    problem::{Candidate, Exclusion, Formulation},
};

/// The highest number of versions that a fact lists.
const MOST: usize = 6;

/// The bundles of one package that a requirement excludes for the same reason.
pub(crate) fn fact(
    of: &Formulation<'_>,
    requirement: &Requirement,
    numbers: &[u32],
    why: &Exclusion,
) -> Fact {
    let candidates: Vec<&Candidate<'_>> = numbers.iter().map(|it| of.universe.candidate(*it)).collect();
    let versions: Vec<String> = candidates.iter().map(|it| it.version()).collect();
    let shown = listing::some(&versions, MOST);
    let (is, whole) = (if versions.len() == 1 { "is" } else { "are" }, requirement.origin.whole);
    let installed = |at: u32| of.universe.request.installed.get(at as usize);
    let (text, origin) = match why {
        Exclusion::Catalog => (
            format!("{shown} {is} not in catalog {}", requirement.catalog.as_deref().unwrap_or_default()),
            whole,
        ),
        Exclusion::Channel => {
            let text = format!("{shown} {is} not in channel {}", listing::any(&requirement.channels));
            (text, requirement.origin.channel.or(whole))
        }
        Exclusion::Range => {
            let range = requirement.range.as_ref().map(ToString::to_string).unwrap_or_default();
            (format!("{shown} {is} not in {range}"), requirement.origin.range.or(whole))
        }
        Exclusion::NoUpgrade(at) => {
            let from = installed(*at).map(|it| it.version.to_string()).unwrap_or_default();
            let text = format!("no upgrade leads from {from}, which is installed, to {shown}");
            (text, installed(*at).and_then(|it| it.origin))
        }
        Exclusion::Start => (
            format!(
                "{} is the only version to start with",
                requirement.starting.as_deref().unwrap_or_default()
            ),
            whole,
        ),
        Exclusion::Gone => (format!("no channel has {shown}"), candidates.first().and_then(|it| it.origin())),
    };
    let subject = candidates.first().map(|it| it.id.clone()).unwrap_or_default();
    Fact { text: text.into(), subject, kind: RuleKind::Dependency, origin }
}

/// The reasons why nothing meets a requirement, the preferred bundles first.
pub(crate) fn nothing(of: &Formulation<'_>, premise: &Premise, at: u32) -> Vec<Fact> {
    let Some((requirement, offer)) = of.universe.request.requirements.get(at as usize).zip(of.offer(at))
    else {
        return Vec::new();
    };
    if !offer.ambiguous.is_empty() {
        return offers(of, premise, at);
    }
    let mut reasons: Vec<(&Exclusion, Vec<u32>)> = Vec::new();
    for (number, why) in &offer.left_out {
        match reasons.iter_mut().find(|(it, _)| *it == why) {
            Some((_, numbers)) => numbers.push(*number),
            None => reasons.push((why, vec![*number])),
        }
    }
    let mut facts: Vec<Fact> =
        reasons.iter().map(|(why, numbers)| fact(of, requirement, numbers, why)).collect();
    let unread = words::unread(of, &requirement.package);
    let unread = unread.map(|bundles| premise.say(format!("of package {}, {bundles}", requirement.package)));
    if !facts.is_empty() {
        // Among them may be what is required.
        facts.extend(unread);
        return facts;
    }
    if of.universe.request.profile == Profile::V0
        && let Some(error) = words::broken_chain(of, requirement)
    {
        return vec![Fact { origin: error.span, ..premise.say(error.message) }];
    }
    let is_there = of.universe.named(&requirement.package).next().is_some();
    vec![unread.unwrap_or_else(|| {
        premise.say(match is_there {
            true => format!("package {} has no bundle in a channel", requirement.package),
            false => format!("no catalog has a package {}", requirement.package),
        })
    })]
}

/// The reason why a requirement excludes a candidate.
pub(crate) fn of_candidate(of: &Formulation<'_>, at: u32, candidate: u32) -> Option<Fact> {
    let requirement = of.universe.request.requirements.get(at as usize)?;
    let why = of.candidate_filter(at)?.excludes(of.universe.candidate(candidate))?;
    let is_of_package = of.universe.candidate(candidate).package == requirement.package;
    is_of_package.then(|| fact(of, requirement, &[candidate], &why))
}

/// The preferred bundle of each catalog of several with equal priority.
fn offers(of: &Formulation<'_>, premise: &Premise, at: u32) -> Vec<Fact> {
    let Some(offer) = of.offer(at) else { return Vec::new() };
    let best = offer.ambiguous.iter().filter_map(|name| {
        let candidates = offer.candidates.iter().map(|it| of.universe.candidate(*it));
        candidates.into_iter().find(|it| it.catalog == *name)
    });
    best.map(|it| Fact {
        origin: it.origin(),
        ..premise.say(format!("catalog {} has {}", it.catalog, words::named(it)))
    })
    .collect()
}
