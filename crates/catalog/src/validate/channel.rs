use std::{collections::BTreeSet, sync::Arc};

use diag::{Diagnostic, order};

use crate::{
    Channel, Entry, Package, codes,
    findings::Findings,
    quote::quote,
    upgrade::{heads, skipped},
};

/// Checks that there is one head, and a chain from it that contains all entries that are not skipped.
pub(super) fn channel(package: &Package, channel: &Channel, findings: &mut Findings) {
    if channel.entries.is_empty() {
        let message = "channel must contain at least one bundle";
        return findings.push(Diagnostic::error(codes::EMPTY, channel.origin, message));
    }
    match heads(channel).as_slice() {
        [] => {
            let found =
                Diagnostic::error(codes::CHANNEL_HEAD, channel.origin, "no channel head found in graph");
            findings
                .push(found.help("each entry is replaced or skipped by another one; leave one that is not"));
        }
        [head] => chain(channel, head, findings),
        heads => findings.push(several(channel, heads)),
    }
    channel.entries.iter().for_each(|entry| skip_range(package, entry, findings));
}

fn several(channel: &Channel, heads: &[&Entry]) -> Diagnostic {
    let mut names: Vec<&str> = heads.iter().map(|entry| &*entry.name).collect();
    order::by(&mut names, |a, b| a.cmp(b));
    let message = format!("multiple channel heads found in graph: {}", names.join(", "));
    let found = Diagnostic::error(codes::CHANNEL_HEAD, channel.origin, message);
    let found =
        heads.iter().fold(found, |found, head| found.related(head.origin, "nothing replaces or skips this"));
    found.help("all but one must be replaced or skipped by another entry; `skipRange` is not considered")
}

/// Walks from the head along the replaced entries, up to an entry that is skipped.
fn chain(channel: &Channel, head: &Entry, findings: &mut Findings) {
    let entries = diag::order::map(channel.entries.iter().map(|entry| (&entry.name, entry)));
    let skipped = skipped(channel);
    let (mut chain, mut seen) = (vec![head], BTreeSet::from([&head.name]));
    while let Some(next) = chain.last().and_then(|it| it.replaces.as_ref()).filter(|it| !skipped.contains(it))
    {
        if !seen.insert(next) {
            return findings.push(cycle(&chain, next));
        }
        match entries.get(next) {
            Some(entry) => chain.push(entry),
            // The last entry may replace one that does not exist.
            None => break,
        }
    }
    let stranded = |entry: &&Entry| !seen.contains(&entry.name) && !skipped.contains(&entry.name);
    let stranded: Vec<&Entry> = channel.entries.iter().filter(stranded).collect();
    if !stranded.is_empty() {
        findings.push(stray(channel, &stranded));
    }
}

fn cycle(chain: &[&Entry], again: &Arc<str>) -> Diagnostic {
    let circle: Vec<&Entry> = chain.iter().copied().skip_while(|entry| entry.name != *again).collect();
    let names: Vec<&str> = circle.iter().map(|entry| &*entry.name).chain([&**again]).collect();
    let message = format!("detected cycle in replaces chain of upgrade graph: {}", names.join(" -> "));
    let at = circle.last().map(|entry| entry.origin);
    Diagnostic::error(codes::REPLACES_CYCLE, at, message)
}

fn stray(channel: &Channel, stranded: &[&Entry]) -> Diagnostic {
    let mut names: Vec<&str> = stranded.iter().map(|entry| &*entry.name).collect();
    order::by(&mut names, |a, b| a.cmp(b));
    let message = format!("channel contains one or more stranded bundles: {}", names.join(", "));
    let found = Diagnostic::error(codes::STRANDED, channel.origin, message);
    let found =
        stranded.iter().fold(found, |found, entry| found.related(entry.origin, "no upgrade leads from this"));
    found.help("let an entry on the chain from the head replace it, or let any entry skip it")
}

/// Warns of a range that skips too much.
fn skip_range(package: &Package, entry: &Entry, findings: &mut Findings) {
    let bundle = package.bundles.get(&entry.name);
    let Some((range, bundle)) = entry.skip_range.as_ref().zip(bundle) else { return };
    let message = if range.is_unbounded() {
        format!("the skipRange {} also includes everything newer", quote(&range.text))
    } else if range.contains(&bundle.version) {
        format!("the skipRange {} includes the version of its own bundle", quote(&range.text))
    } else {
        return;
    };
    let help = format!("end it with `<{}`", bundle.version);
    findings.push(Diagnostic::warning(codes::WIDE_SKIP_RANGE, entry.origin, message).help(help));
}

/// Checks that every entry has a bundle, and every bundle an entry.
pub(super) fn entries(package: &Package, findings: &mut Findings) {
    let mut named = BTreeSet::new();
    let mut missing: Vec<&Entry> = Vec::new();
    for entry in package.channels.values().flat_map(|channel| &channel.entries) {
        let is_there = package.bundles.contains_key(&entry.name) || package.unread.contains(&entry.name);
        if named.insert(&entry.name) && !is_there {
            missing.push(entry);
        }
    }
    if !missing.is_empty() {
        findings.push(without_bundle(package, &mut missing));
    }
    for bundle in package.bundles.values().filter(|bundle| !named.contains(&bundle.name)) {
        let (package, name) = (quote(&package.name), quote(&bundle.name));
        let message = format!("package {package}, bundle {name} not found in any channel entries");
        let found = Diagnostic::error(codes::UNUSED_BUNDLE, bundle.origin, message);
        findings.push(found.help("add it to the entries of a channel, or remove it"));
    }
}

fn without_bundle(package: &Package, missing: &mut [&Entry]) -> Diagnostic {
    order::by(missing, |a, b| a.name.cmp(&b.name));
    let names: Vec<&str> = missing.iter().map(|entry| &*entry.name).collect();
    let (package, names) = (quote(&package.name), names.join(" "));
    let message = format!("no olm.bundle blobs found in package {package} for olm.channel entries [{names}]");
    let found = Diagnostic::error(codes::MISSING_BUNDLE, missing.first().map(|entry| entry.origin), message);
    missing.iter().skip(1).fold(found, |found, entry| found.related(entry.origin, "and for this"))
}
