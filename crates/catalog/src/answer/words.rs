//! Constraints as sentences for users; with upstream's wording if the profile has one
//! (source: OLM 0's resolver, OLM 1's operator-controller).

use std::sync::Arc;

use diag::Diagnostic;

use super::{Premise, listing};
use crate::{
    Bundle, Package, Profile, PropertyData, Requirement, Runtime,
    constraint::Predicate,
    problem::{Candidate, Cause, Formulation, RequirementCandidates},
    quote::quote,
    upgrade,
};

/// The highest number of names that a sentence lists.
const MOST: usize = 6;

/// The sentence for a cause.
pub(crate) fn sentence(of: &Formulation<'_>, cause: &Cause) -> String {
    let universe = &of.universe;
    let request = universe.request;
    let name = |it: u32| named(universe.candidate(it));
    match cause {
        Cause::Required(at) => requirement(of, *at, requested),
        Cause::Offers(at) => requirement(of, *at, |it, profile| offered(of, *at, it, profile)),
        Cause::Refused(at) => requirement(of, *at, |it, _| refused(of, *at, it)),
        Cause::RequiredBundle(it) => format!("{} is required", name(*it)),
        Cause::Installed(at) => installed(of, *at),
        Cause::Upgrades(at) => upgrades(of, *at),
        Cause::Needs { candidate, property } => needs(of, &[*candidate], *property),
        Cause::Withdrawn(it) => format!("bundle {} is deprecated", universe.candidate(*it).bundle.name),
        Cause::Replaces(new, old) => format!("{} replaces {}", name(*new), name(*old)),
        Cause::Cluster => cluster(&request.runtime),
        Cause::Unfit { candidate, property } => unfit(of, &[*candidate], *property),
        Cause::OnePackage(package) => format!("only one version of package {package} can be installed"),
        Cause::OneProvider(gvk) => format!("only one bundle can provide {gvk}"),
    }
}

/// The name of a bundle in a sentence.
pub(crate) fn named(it: &Candidate<'_>) -> String {
    format!("{} {}", it.package, it.version())
}

fn requirement(of: &Formulation<'_>, at: u32, say: impl FnOnce(&Requirement, Profile) -> String) -> String {
    let request = of.universe.request;
    request.requirements.get(at as usize).map(|it| say(it, request.profile)).unwrap_or_default()
}

fn requested(it: &Requirement, profile: Profile) -> String {
    if profile == Profile::V0 {
        return format!("subscription {} exists", it.name);
    }
    let what = requirement_text(it);
    if it.name == it.package { format!("{what} is required") } else { format!("{} requires {what}", it.name) }
}

/// `package a in >=1.0.0 from channel stable of catalog c`
pub(crate) fn requirement_text(it: &Requirement) -> String {
    let mut text = format!("package {}", it.package);
    if let Some(range) = &it.range {
        text.push_str(&format!(" in {range}"));
    }
    if !it.channels.is_empty() {
        let word = if it.channels.len() == 1 { "channel" } else { "channels" };
        text.push_str(&format!(" from {word} {}", listing::any(&it.channels)));
    }
    if let Some(catalog) = &it.catalog {
        text.push_str(&format!(" of catalog {catalog}"));
    }
    text
}

fn offered(of: &Formulation<'_>, at: u32, it: &Requirement, profile: Profile) -> String {
    let candidates = of.offer(at).map_or(&[][..], |it| &it.candidates);
    match profile {
        _ if candidates.is_empty() => refused(of, at, it),
        Profile::V0 => {
            let names: Vec<&Arc<str>> =
                candidates.iter().map(|it| &of.universe.candidate(*it).bundle.name).collect();
            match &*names {
                [one] => format!("subscription {} requires {one}", it.name),
                _ => format!("subscription {} requires at least one of {}", it.name, listing::any(&names)),
            }
        }
        Profile::V1 | Profile::Phase0 => requested(it, profile),
    }
}

/// The reason why nothing meets a requirement, in the wording of the profile.
fn refused(of: &Formulation<'_>, at: u32, it: &Requirement) -> String {
    match of.universe.request.profile {
        Profile::V0 => no_operators(of, it),
        Profile::V1 => no_bundles(of, at, it),
        Profile::Phase0 => no_package(it),
    }
}

fn no_operators(of: &Formulation<'_>, it: &Requirement) -> String {
    let universe = &of.universe;
    let from = |name: &str| it.catalog.as_ref().is_none_or(|of| **of == *name);
    let name = &it.name;
    let (package, channel) = (&it.package, listing::any(&it.channels));
    let mut catalogs = universe.catalogs().filter(|of| from(&of.name));
    if !catalogs.any(|it| !it.packages.is_empty()) {
        let catalog = it.catalog.as_deref().unwrap_or_default();
        let namespace = universe.request.namespace();
        return format!(
            "no operators found from catalog {catalog} in namespace {namespace} referenced by subscription {name}"
        );
    }
    let packages: Vec<_> =
        universe.named(package).filter(|(of, _)| from(&of.name)).map(|(_, it)| it).collect();
    if !packages.iter().any(|it| !it.bundles.is_empty()) {
        return format!(
            "no operators found in package {package} in the catalog referenced by subscription {name}"
        );
    }
    let is_requested = |of: &Arc<str>| it.channels.is_empty() || it.channels.contains(of);
    let channels = packages.iter().flat_map(|it| it.channels.values()).filter(|it| is_requested(&it.name));
    let entries: Vec<&Arc<str>> = channels.flat_map(|it| &it.entries).map(|it| &it.name).collect();
    if entries.is_empty() {
        return format!(
            "no operators found in channel {channel} of package {package} in the catalog referenced by subscription {name}"
        );
    }
    if let Some(error) = broken_chain(of, it) {
        return error.message;
    }
    match &it.starting {
        Some(start) if !entries.contains(&start) => format!(
            "no operators found with name {start} in channel {channel} of package {package} in the catalog referenced by \
             subscription {name}"
        ),
        _ => format!("no operators found matching the criteria of subscription {name}"),
    }
}

/// OLM 0's error for the first channel that is not a chain.
pub(crate) fn broken_chain(of: &Formulation<'_>, it: &Requirement) -> Option<Diagnostic> {
    let is_requested = |name: &Arc<str>| it.channels.is_empty() || it.channels.contains(name);
    let from = |name: &str| it.catalog.as_ref().is_none_or(|of| **of == *name);
    of.universe.named(&it.package).filter(|(catalog, _)| from(&catalog.name)).find_map(|(_, package)| {
        let mut channels = package.channels_by_preference().filter(|it| is_requested(&it.name));
        channels.find_map(|channel| upgrade::chain(&package.name, channel).err())
    })
}

/// The resolution error of OLM 1.
fn no_bundles(of: &Formulation<'_>, at: u32, it: &Requirement) -> String {
    let ambiguous = of.offer(at).map_or(&[][..], |it: &RequirementCandidates| &it.ambiguous);
    let mut text = String::new();
    let request = of.universe.request;
    let installed = request.installed.iter().find(|of| of.package == it.package);
    if let Some(installed) = installed {
        let version = quote(&installed.version.to_string());
        text.push_str(&format!("error upgrading from currently installed version {version}: "));
    }
    let found = if ambiguous.is_empty() { "no bundles found" } else { "found bundles" };
    text.push_str(&format!("{found} for package {}", quote(&it.package)));
    if let Some(range) = &it.range {
        text.push_str(&format!(" matching version {}", quote(&range.text)));
    }
    if !it.channels.is_empty() {
        text.push_str(&format!(" in channels [{}]", it.channels.join(" ")));
    }
    if !ambiguous.is_empty() {
        text.push_str(&format!(" in multiple catalogs with the same priority [{}]", ambiguous.join(" ")));
    }
    text
}

/// The resolution error of the first proposal's implementation.
fn no_package(it: &Requirement) -> String {
    let mut text = format!("no package {}", quote(&it.package));
    if let Some(range) = &it.range {
        text.push_str(&format!(" matching version {}", quote(&range.text)));
    }
    text.push_str(" found");
    if !it.channels.is_empty() {
        text.push_str(&format!(" in channel {}", quote(&it.channels.join(", "))));
    }
    text
}

fn installed(of: &Formulation<'_>, at: u32) -> String {
    let request = of.universe.request;
    let Some(it) = request.installed.get(at as usize) else { return String::new() };
    match request.profile {
        Profile::V0 => {
            let name = of.universe.is_installed(at).map(|it| it.bundle.name.clone());
            let name = name.or_else(|| it.bundle.clone()).unwrap_or_default();
            format!("clusterserviceversion {name} exists and is not referenced by a subscription")
        }
        Profile::V1 | Profile::Phase0 => format!("{} {} is installed", it.package, it.version),
    }
}

fn upgrades(of: &Formulation<'_>, at: u32) -> String {
    let Some(it) = of.universe.request.installed.get(at as usize) else { return String::new() };
    if of.universe.request.profile == Profile::V0 {
        return installed(of, at);
    }
    let next: Vec<String> = of.next_of(at).iter().map(|it| of.universe.candidate(*it).version()).collect();
    match &*next {
        [] => format!("{} {} cannot be upgraded to anything", it.package, it.version),
        _ => format!("{} {} can be upgraded to {} only", it.package, it.version, listing::some(&next, MOST)),
    }
}

/// A uniqueness limit, with the candidates that violate it in a conflict.
pub(crate) fn limit(of: &Formulation<'_>, cause: &Cause, premises: &[Premise]) -> String {
    let universe = &of.universe;
    let is_limited = |it: &u32| match cause {
        Cause::OnePackage(package) => universe.candidate(*it).package == *package,
        Cause::OneProvider(gvk) => universe.candidate(*it).provides(gvk),
        _ => false,
    };
    let mut members: Vec<u32> =
        premises.iter().flat_map(|it| &it.candidates).copied().filter(is_limited).collect();
    members.sort_unstable();
    members.dedup();
    let is_v0 = universe.request.profile == Profile::V0;
    let names = members.iter().map(|it| universe.candidate(*it));
    let names: Vec<String> =
        names.map(|it| if is_v0 { it.bundle.name.to_string() } else { named(it) }).collect();
    match cause {
        Cause::OnePackage(package) if is_v0 => {
            format!("{} originate from package {package}", listing::some(&names, MOST))
        }
        Cause::OneProvider(gvk) if is_v0 => format!("{} provide {gvk}", listing::some(&names, MOST)),
        Cause::OneProvider(gvk) if members.len() > 1 => {
            let both = if members.len() == 2 { "both " } else { "all " };
            format!("{} {both}provide {gvk}, and only one bundle can", listing::some(&names, MOST))
        }
        _ => sentence(of, cause),
    }
}

/// The missing dependency, if nothing provides it.
pub(crate) fn needed(of: &Formulation<'_>, cause: &Cause) -> Option<String> {
    let Cause::Needs { candidate, property } = cause else { return None };
    let property = of.universe.candidate(*candidate).bundle.properties.get(*property as usize)?;
    Some(need(&property.data))
}

/// The unreadable part of a dependency that nothing provides: its range, or all bundles of the package.
pub(crate) fn unreadable(of: &Formulation<'_>, cause: &Cause) -> Option<String> {
    let Cause::Needs { candidate, property } = cause else { return None };
    let needing = of.universe.candidate(*candidate);
    let PropertyData::PackageRequired(required) = &needing.bundle.properties.get(*property as usize)?.data
    else {
        return None;
    };
    let (needing, package) = (named(needing), &required.package);
    match required.range.error() {
        Some(error) if required.range.text.is_empty() => {
            Some(format!("{needing} needs {package} in a range that cannot be read: {error}"))
        }
        Some(error) => {
            let text = &required.range.text;
            Some(format!("{needing} needs {package} in the range `{text}`, which cannot be read: {error}"))
        }
        None => {
            let bundles = unread(of, package)?;
            let has_others = of.universe.named(package).any(|(_, it)| !it.bundles.is_empty());
            Some(match has_others {
                false => format!("{needing} needs {package}, of which {bundles}"),
                true => format!(
                    "{needing} needs {package} {}: no bundle that can be read is in this range, and {bundles}",
                    required.range
                ),
            })
        }
    }
}

/// The bundles of a package that could not be read, if there are any.
pub(crate) fn unread(of: &Formulation<'_>, package: &str) -> Option<String> {
    let packages: Vec<&Package> = of.universe.named(package).map(|(_, it)| it).collect();
    let names: Vec<&str> = packages.iter().flat_map(|it| &it.unread).map(|it| &**it).collect();
    (!names.is_empty()).then(|| format!("{} cannot be read", listing::some(&names, MOST)))
}

/// The common need of bundles of one package.
pub(crate) fn needs(of: &Formulation<'_>, candidates: &[u32], property: u32) -> String {
    let Some(first) = candidates.first().map(|it| of.universe.candidate(*it)) else { return String::new() };
    let Some(property) = first.bundle.properties.get(property as usize) else { return String::new() };
    if of.universe.request.profile == Profile::V0 {
        let names: Vec<&str> = candidates.iter().map(|it| &*of.universe.candidate(*it).bundle.name).collect();
        let (bundle, requires) =
            if names.len() == 1 { ("bundle", "requires") } else { ("bundles", "require") };
        return format!(
            "{bundle} {} {requires} an operator {}",
            listing::some(&names, MOST),
            predicate(&property.data)
        );
    }
    let verb = if candidates.len() == 1 { "needs" } else { "need" };
    format!("{} {verb} {}", several(of, candidates), need(&property.data))
}

/// Bundles of one package in a sentence.
fn several(of: &Formulation<'_>, candidates: &[u32]) -> String {
    let Some(first) = candidates.first().map(|it| of.universe.candidate(*it)) else { return String::new() };
    let versions: Vec<String> = candidates.iter().map(|it| of.universe.candidate(*it).version()).collect();
    format!("{} {}", first.package, listing::some(&versions, MOST))
}

/// The dependency that a property states.
pub(crate) fn need(data: &PropertyData) -> String {
    match data {
        PropertyData::PackageRequired(it) if it.range.error().is_some() => {
            format!("{} in a range that cannot be read", it.package)
        }
        PropertyData::PackageRequired(it) => format!("{} {}", it.package, it.range),
        PropertyData::GvkRequired(gvk) => format!("an API {gvk}"),
        PropertyData::LabelRequired(label) => format!("a bundle with label {label}"),
        PropertyData::Constraint(it) => match &**it {
            // The message of an expression is part of its text.
            Predicate::Explained(message, inner) if !matches!(**inner, Predicate::Cel(_)) => {
                format!("a bundle {inner} ({message})")
            }
            predicate => format!("a bundle {predicate}"),
        },
        _ => String::new(),
    }
}

/// The dependency that a property states, in the wording of OLM 0.
fn predicate(data: &PropertyData) -> String {
    data.predicate().map(|it| it.to_string()).unwrap_or_default()
}

fn cluster(runtime: &Runtime) -> String {
    let openshift = runtime.openshift.map(|(major, minor)| format!("OpenShift {major}.{minor}"));
    let kubernetes = runtime.kubernetes.as_ref().map(|it| format!("Kubernetes {it}"));
    let what: Vec<String> = openshift.into_iter().chain(kubernetes).collect();
    format!("the cluster has {}", listing::all(&what))
}

/// The common reason why bundles of one package do not run on the cluster.
pub(crate) fn unfit(of: &Formulation<'_>, candidates: &[u32], property: u32) -> String {
    let Some(first) = candidates.first().map(|it| of.universe.candidate(*it)) else { return String::new() };
    let (run, need) = if candidates.len() == 1 { ("runs", "needs") } else { ("run", "need") };
    let names = several(of, candidates);
    match first.bundle.properties.get(property as usize).map(|it| &it.data) {
        Some(PropertyData::MaxOpenShift(major, minor)) => {
            format!("{names} {run} on OpenShift up to {major}.{minor}")
        }
        Some(PropertyData::MinKube(least)) => format!("{names} {need} Kubernetes {least} or later"),
        _ => String::new(),
    }
}

/// True if bundles have the same need by a property.
pub(crate) fn is_same_need(a: (&Bundle, u32), b: (&Bundle, u32)) -> bool {
    let data = |(bundle, at): (&Bundle, u32)| bundle.properties.get(at as usize).map(|it| need_key(&it.data));
    data(a) == data(b)
}

fn need_key(data: &PropertyData) -> String {
    match data {
        PropertyData::MaxOpenShift(major, minor) => format!("OpenShift {major}.{minor}"),
        PropertyData::MinKube(least) => format!("Kubernetes {least}"),
        _ => need(data),
    }
}
