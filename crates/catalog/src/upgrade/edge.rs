use std::{collections::BTreeSet, sync::Arc};

use diag::Span;

use crate::{Channel, Entry, Package, range::Range, version::Version};

/// A possible upgrade from one bundle to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge<'a> {
    /// The name of the old bundle. It need not exist.
    pub from: &'a Arc<str>,
    /// The name of the new bundle.
    pub to: &'a Arc<str>,
    /// The reason.
    pub kind: EdgeKind<'a>,
    /// The channel that declares it.
    pub channel: &'a Arc<str>,
    /// The place of the entry that declares it.
    pub origin: Span,
}

/// The reason why a bundle can be upgraded to another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EdgeKind<'a> {
    /// The new one replaces it.
    Replace,
    /// The new one skips it.
    Skip,
    /// The new one skips a range of versions that contains its version.
    SkipRange(&'a Range),
}

/// All upgrades between the bundles of a package, channel by channel, entry by entry.
pub fn edges(package: &Package) -> Vec<Edge<'_>> {
    package.channels.values().flat_map(|channel| edges_in(package, channel)).collect()
}

/// The upgrades of [`edges`], with at most so many from ranges of skipped versions: in a channel of many
/// entries each may skip all others.
pub fn edges_within(package: &Package, most_in_ranges: usize) -> Vec<Edge<'_>> {
    let mut left = most_in_ranges;
    let all = package
        .channels
        .values()
        .flat_map(|channel| channel.entries.iter().map(move |entry| (channel, entry)));
    let mut found = Vec::new();
    for (channel, entry) in all {
        for edge in edges_of(package, channel, entry) {
            match edge.kind {
                EdgeKind::SkipRange(_) if left == 0 => break,
                EdgeKind::SkipRange(_) => left -= 1,
                EdgeKind::Replace | EdgeKind::Skip => {}
            }
            found.push(edge);
        }
    }
    found
}

fn edges_in<'a>(package: &'a Package, channel: &'a Channel) -> impl Iterator<Item = Edge<'a>> {
    channel.entries.iter().flat_map(move |entry| edges_of(package, channel, entry))
}

/// The upgrades to an entry: those it replaces, those it skips, and last those in its range.
fn edges_of<'a>(
    package: &'a Package,
    channel: &'a Channel,
    entry: &'a Entry,
) -> impl Iterator<Item = Edge<'a>> {
    let edge =
        move |from, kind| Edge { from, to: &entry.name, kind, channel: &channel.name, origin: entry.origin };
    let replaced = entry.replaces.iter().map(move |from| edge(from, EdgeKind::Replace));
    let skipped = entry.skips.iter().map(move |from| edge(from, EdgeKind::Skip));
    let in_range =
        in_range(package, channel, entry).map(move |(from, range)| edge(from, EdgeKind::SkipRange(range)));
    replaced.chain(skipped).chain(in_range)
}

/// The other entries of a channel whose versions an entry skips.
pub(super) fn in_range<'a>(
    package: &'a Package,
    channel: &'a Channel,
    entry: &'a Entry,
) -> impl Iterator<Item = (&'a Arc<str>, &'a Range)> {
    let others =
        entry.skip_range.iter().flat_map(move |range| channel.entries.iter().map(move |it| (it, range)));
    others.filter_map(move |(other, range)| {
        let bundle = package.bundles.get(&other.name)?;
        range.contains(&bundle.version).then_some((&other.name, range))
    })
}

/// The entries of a channel that no other entry replaces or skips, in the order in which they are written. A valid
/// channel has one. Ranges of skipped versions do not count.
pub fn heads(channel: &Channel) -> Vec<&Entry> {
    let passed = passed(channel);
    channel.entries.iter().filter(|entry| !passed.contains(&entry.name)).collect()
}

/// The names that any entry replaces or skips.
fn passed(channel: &Channel) -> BTreeSet<&Arc<str>> {
    diag::order::set(channel.entries.iter().flat_map(|entry| entry.replaces.iter().chain(&entry.skips)))
}

/// The names that any entry skips.
pub(crate) fn skipped(channel: &Channel) -> BTreeSet<&Arc<str>> {
    diag::order::set(channel.entries.iter().flat_map(|entry| &entry.skips))
}

impl Entry {
    /// The reason why a bundle of this name and version can be upgraded to this entry; `names` are its
    /// possible names.
    pub(crate) fn follows<'a>(&'a self, names: &[&Arc<str>], version: &Version) -> Option<EdgeKind<'a>> {
        let is = |name: &Arc<str>| names.contains(&name);
        if self.replaces.as_ref().is_some_and(is) {
            return Some(EdgeKind::Replace);
        }
        if self.skips.iter().any(is) {
            return Some(EdgeKind::Skip);
        }
        self.skip_range.as_ref().filter(|range| range.contains(version)).map(EdgeKind::SkipRange)
    }
}
