//! Diagnostics for a request and its outcome.

use std::{collections::BTreeSet, sync::Arc};

use diag::{Diagnostic, Diagnostics, Span, Speller};

use super::listing;
use crate::{
    Conflict, Deprecation, Fix, Package, Request, Requirement, Resolution, Selected, codes,
    problem::Universe, quote::quote,
};

/// The highest number of names that a message lists.
const MOST: usize = 8;

/// All diagnostics. `about` are the names of the requirements that each conflict is about; a conflict is not
/// reported if one of these has a diagnostic that explains it.
pub(crate) fn notices(
    of: &Universe<'_>,
    resolution: &Resolution,
    about: &[BTreeSet<Arc<str>>],
) -> Diagnostics {
    let mut notices =
        Notices { of, speller: Speller::default(), found: Diagnostics::new(), said: BTreeSet::new() };
    notices.sources();
    of.request.requirements.iter().for_each(|it| notices.requirement(it));
    match resolution {
        Resolution::Solved(selected) => selected.iter().for_each(|it| notices.selected(it)),
        Resolution::Unsolvable { conflicts, fixes } => {
            for (at, conflict) in conflicts.iter().enumerate() {
                let is_said = about.get(at).is_some_and(|names| !names.is_disjoint(&notices.said));
                let fixes: Vec<&Fix> = fixes.iter().filter(|it| it.conflict == at).collect();
                notices.found.extend((!is_said).then(|| unsolvable(conflict, &fixes)));
            }
        }
        Resolution::Stopped => {
            let place = of.request.requirements.first().and_then(|it| it.origin.whole);
            let stopped = Diagnostic::error(
                codes::STOPPED,
                place,
                "no versions were chosen: the search ended without a result",
            );
            let help = "request less: fewer packages at once, or a catalog, a channel or a range of \
                        versions for them";
            notices.found.push(stopped.help(help));
        }
    }
    notices.found
}

struct Notices<'n, 'a> {
    of: &'n Universe<'a>,
    speller: Speller,
    found: Diagnostics,
    /// The requirements with a diagnostic that explains why they cannot be met.
    said: BTreeSet<Arc<str>>,
}

impl<'a> Notices<'_, 'a> {
    fn sources(&mut self) {
        let request: &Request = self.of.request;
        for name in &request.sources {
            if !self.of.catalogs().any(|it| it.name == *name) {
                let place = request.requirements.first().and_then(|it| it.origin.whole);
                let message = format!("there is no catalog `{name}` to choose from");
                self.found.push(Diagnostic::error(codes::UNKNOWN_CATALOG, place, message));
            }
        }
    }

    fn requirement(&mut self, it: &Requirement) {
        let from = |name: &str| it.catalog.as_ref().is_none_or(|of| **of == *name);
        let named = self.of.named(&it.package).filter(|(catalog, _)| from(&catalog.name));
        let packages: Vec<&Package> = named.map(|(_, package)| package).collect();
        if let Some(name) = it.catalog.as_ref().filter(|name| !self.of.catalogs().any(|it| it.name == **name))
        {
            let message = format!("there is no catalog `{name}` to take {} from", it.package);
            self.say(it, Diagnostic::error(codes::UNKNOWN_CATALOG, it.origin.whole, message));
        } else if packages.is_empty() {
            self.unknown_package(it);
        } else {
            it.channels.iter().for_each(|channel| self.channel(it, channel, &packages));
        }
    }

    fn say(&mut self, about: &Requirement, it: Diagnostic) {
        self.said.insert(about.name.clone());
        self.found.push(it);
    }

    fn unknown_package(&mut self, it: &Requirement) {
        let place = it.origin.package.or(it.origin.whole);
        let of = match &it.catalog {
            Some(catalog) => format!("catalog `{catalog}` has no package `{}`", it.package),
            None => format!("no catalog has a package `{}`", it.package),
        };
        let found = Diagnostic::error(codes::UNKNOWN_PACKAGE, place, of);
        let names = self.of.catalogs().flat_map(|it| it.packages.keys()).map(|it| &**it);
        let near = self.speller.nearest(&it.package, names).map(str::to_owned);
        let found = match (near, it.origin.package) {
            (Some(near), Some(span)) => found.help(format!("did you mean `{near}`?")).replace(
                format!("Change to `{near}`"),
                span,
                quote(&near),
            ),
            (Some(near), None) => found.help(format!("did you mean `{near}`?")),
            (None, _) => found,
        };
        self.say(it, found);
    }

    fn channel(&mut self, it: &Requirement, channel: &Arc<str>, packages: &[&'a Package]) {
        if packages.iter().any(|package| package.channels.contains_key(channel)) {
            return;
        }
        let message = format!("package `{}` has no channel `{channel}`", it.package);
        let found = Diagnostic::error(codes::UNKNOWN_CHANNEL, it.origin.channel.or(it.origin.whole), message);
        let mut names: Vec<&str> =
            packages.iter().flat_map(|it| it.channels.keys()).map(|it| &**it).collect();
        names.dedup();
        let near = self.speller.nearest(channel, names.iter().copied());
        let found = match (near, it.origin.channel) {
            (Some(near), Some(span)) => found.help(format!("did you mean `{near}`?")).replace(
                format!("Take it from `{near}`"),
                span,
                quote(near),
            ),
            _ => found.help(format!("it has {}", listing::some(&names, MOST))),
        };
        self.say(it, found);
    }

    /// Reports the use of a deprecated package, channel or bundle.
    fn selected(&mut self, it: &Selected) {
        let Some((_, package)) = self.of.named(&it.package).find(|(catalog, _)| catalog.name == it.catalog)
        else {
            return;
        };
        let channel = package.channels.get(&it.channel);
        let bundle = package.bundles.get(&it.bundle);
        let requires = |of: &&Requirement| it.wanted_by.contains(&of.name);
        let place =
            self.of.request.requirements.iter().find(requires).and_then(|it| it.origin.whole).or(it.origin);
        let mut say = |what: String, why: Option<&Deprecation>| {
            let Some(why) = why else { return };
            let message = format!("{what} is deprecated: {}", why.message);
            let found = Diagnostic::warning(codes::DEPRECATED, place, message);
            self.found.push(found.related(why.origin, "stated here"));
        };
        say(format!("package {}", it.package), package.deprecated.as_ref());
        say(
            format!("channel {} of {}", it.channel, it.package),
            channel.and_then(|it| it.deprecated.as_ref()),
        );
        say(format!("{} {}", it.package, it.version), bundle.and_then(|it| it.deprecated.as_ref()));
    }
}

fn unsolvable(conflict: &Conflict, fixes: &[&Fix]) -> Diagnostic {
    let places: Vec<(Span, &str)> =
        conflict.facts.iter().filter_map(|it| Some((it.origin?, &*it.text))).collect();
    let place = places.first().map(|(span, _)| *span);
    let found = Diagnostic::error(codes::UNSOLVABLE, place, &conflict.summary);
    let found = places.iter().fold(found, |it, (span, text)| it.related(*span, *text));
    let help = fixes.first().map(|it| it.title.clone());
    let found = help.into_iter().fold(found, Diagnostic::help);
    let edits = fixes.iter().filter(|it| !it.edits.is_empty());
    edits.fold(found, |found, it| found.fix(it.title.clone(), it.edits.clone()))
}
