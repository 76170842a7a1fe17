use std::{cmp::Ordering, collections::BTreeMap, sync::Arc};

use diag::Span;

use super::{EdgeKind, Mode, chain};
use crate::{Bundle, Channel, Entry, Installed, Package};

/// A bundle that an installed one can be upgraded to, or that bundle itself.
#[derive(Clone, Debug)]
pub struct Successor<'a> {
    /// The bundle.
    pub bundle: &'a Bundle,
    /// The upgrade that leads to it; none for the installed bundle itself.
    pub step: Option<Step<'a>>,
}

/// The upgrade from an installed bundle to another one.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The reason why it is possible.
    pub kind: EdgeKind<'a>,
    /// The channel that declares it.
    pub channel: &'a Channel,
    /// The place of the entry that declares it.
    pub origin: Span,
}

/// The bundles that an installed bundle can be upgraded to, the preferred one first, and the bundle itself if
/// the package has it.
///
/// With [`Mode::V0`]: channel by channel (the default channel first, then by name), those closer to the head
/// first, the installed bundle last; a channel that is not a chain has none (source: OLM 0's resolver). With
/// [`Mode::V1`]: the upgrades by any entry of any channel, bundles that are not deprecated first, then by
/// version and release (source: OLM 1's operator-controller).
pub fn successors<'a>(package: &'a Package, installed: &Installed, mode: Mode) -> Vec<Successor<'a>> {
    let names = names(package, installed);
    match mode {
        Mode::V0 => closest(package, installed, &names),
        Mode::V1 => highest(package, installed, &names),
    }
}

/// The names that the installed bundle may have in the package.
fn names<'a>(package: &'a Package, installed: &'a Installed) -> Vec<&'a Arc<str>> {
    match &installed.bundle {
        Some(name) => vec![name],
        None => {
            package.bundles.values().filter(|it| it.version == installed.version).map(|it| &it.name).collect()
        }
    }
}

fn closest<'a>(package: &'a Package, installed: &Installed, names: &[&Arc<str>]) -> Vec<Successor<'a>> {
    let mut found = Vec::new();
    for channel in package.channels_by_preference() {
        let Ok(chain) = chain(&package.name, channel) else { continue };
        for entry in chain.entries {
            let kind = entry.follows(names, &installed.version);
            found.extend(kind.and_then(|kind| successor(package, channel, entry, kind)));
        }
    }
    let itself = names.iter().filter_map(|name| package.bundles.get(*name));
    found.extend(itself.map(|bundle| Successor { bundle, step: None }));
    found
}

fn highest<'a>(package: &'a Package, installed: &Installed, names: &[&Arc<str>]) -> Vec<Successor<'a>> {
    let mut found: BTreeMap<&Arc<str>, Successor<'a>> = BTreeMap::new();
    for channel in package.channels_by_preference() {
        for entry in &channel.entries {
            let kind = entry.follows(names, &installed.version);
            if let Some(successor) = kind.and_then(|kind| successor(package, channel, entry, kind)) {
                found.entry(&entry.name).or_insert(successor);
            }
        }
    }
    let is_it =
        |it: &&Bundle| names.contains(&&it.name) || (it.release.is_none() && it.version == installed.version);
    for bundle in package.bundles.values().filter(is_it) {
        found.insert(&bundle.name, Successor { bundle, step: None });
    }
    let mut found: Vec<_> = found.into_values().collect();
    diag::order::by(&mut found, |a, b| preference(a.bundle, b.bundle));
    found
}

/// Bundles that are not deprecated come first, then later ones.
fn preference(a: &Bundle, b: &Bundle) -> Ordering {
    a.deprecated
        .is_some()
        .cmp(&b.deprecated.is_some())
        .then_with(|| b.precedence(a))
        .then_with(|| a.name.cmp(&b.name))
}

/// `None` if the catalog has no such bundle.
fn successor<'a>(
    package: &'a Package,
    channel: &'a Channel,
    entry: &'a Entry,
    kind: EdgeKind<'a>,
) -> Option<Successor<'a>> {
    let bundle = package.bundles.get(&entry.name)?;
    Some(Successor { bundle, step: Some(Step { kind, channel, origin: entry.origin }) })
}
