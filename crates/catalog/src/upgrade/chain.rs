use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use diag::Diagnostic;

use super::edge::{heads, skipped};
use crate::{Channel, Entry, codes, quote::quote};

/// The entries of a channel in the order in which they replace each other, without those that are skipped.
#[derive(Clone, Debug)]
pub struct Chain<'a> {
    /// The entries, the head first.
    pub entries: Vec<&'a Entry>,
}

impl Chain<'_> {
    /// The distance of an entry from the head.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.entries.iter().position(|entry| &*entry.name == name)
    }
}

/// The chain of a channel as OLM 0 sees it.
///
/// # Errors
/// If there is no head, several chains or a cycle; with OLM 0's message.
pub fn chain<'a>(package: &str, channel: &'a Channel) -> Result<Chain<'a>, Diagnostic> {
    let heads = heads(channel);
    let place = format!("in channel {} of package {}", quote(&channel.name), quote(package));
    if heads.is_empty() {
        let message = format!("no channel heads (entries not replaced by another entry) found {place}");
        return Err(Diagnostic::error(codes::CHANNEL_HEAD, channel.origin, message));
    }
    let entries = diag::order::map(channel.entries.iter().map(|entry| (&entry.name, entry)));
    let skipped = skipped(channel);
    let mut chains = Vec::new();
    for head in heads {
        let chain = walk(head, &entries, &skipped).ok_or_else(|| cycle(head, &place))?;
        chains.push((head, chain));
    }
    match chains.pop() {
        Some((_, entries)) if chains.is_empty() => Ok(Chain { entries }),
        last => {
            chains.extend(last);
            Err(several(channel, &chains, &place))
        }
    }
}

/// Walks from a head along the replaced entries; `None` if there is a cycle.
fn walk<'a>(
    head: &'a Entry,
    entries: &BTreeMap<&Arc<str>, &'a Entry>,
    skipped: &BTreeSet<&Arc<str>>,
) -> Option<Vec<&'a Entry>> {
    let (mut chain, mut visited, mut current) = (Vec::new(), BTreeSet::new(), head);
    loop {
        if !visited.insert(&current.name) {
            return None;
        }
        if !skipped.contains(&current.name) {
            chain.push(current);
        }
        match current.replaces.as_ref().and_then(|name| entries.get(name)) {
            Some(next) => current = next,
            None => return Some(chain),
        }
    }
}

fn cycle(head: &Entry, place: &str) -> Diagnostic {
    let name = quote(&head.name);
    let message = format!("a cycle exists in the chain of replacement beginning with {name} {place}");
    Diagnostic::error(codes::REPLACES_CYCLE, head.origin, message)
}

fn several(channel: &Channel, chains: &[(&Entry, Vec<&Entry>)], place: &str) -> Diagnostic {
    let shown = |(_, chain): &(&Entry, Vec<&Entry>)| match chain.as_slice() {
        [] => "[]".to_owned(),
        [only] => only.name.to_string(),
        [first, .., last] => format!("{}...{}", first.name, last.name),
    };
    let shown: Vec<_> = chains.iter().map(shown).collect();
    let message = format!(
        "a unique replacement chain within a channel is required to determine the relative order between channel \
         entries, but {} replacement chains were found {place}: {}",
        chains.len(),
        shown.join(", ")
    );
    let found = Diagnostic::error(codes::CHANNEL_HEAD, channel.origin, message);
    chains.iter().fold(found, |found, (head, _)| found.related(head.origin, "a chain starts here"))
}
