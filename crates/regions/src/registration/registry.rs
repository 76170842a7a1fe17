use std::collections::BTreeMap;

use crate::{Name, copies::Versioned};

use super::{Entry, EntryName, Reply, Request, State, rules};

/// An entry with its name.
pub type NamedEntry<N> = (EntryName<N>, Versioned<Entry<N>>);

/// The entries of a registry, as one transaction reads and changes them.
///
/// # Guarantees
/// All entries share one sequence of revisions. Each write has one of its own, greater than those of all writes before it, also
/// after a restart.
pub trait Registry<N: Ord> {
    /// The revision of the last write.
    fn revision(&self) -> u64;

    /// The revision of the last write that deleted an entry; 0 if there was none.
    fn last_deletion(&self) -> u64;

    /// The revision after which it is known which entries have changed.
    fn log_start(&self) -> u64;

    /// The entries that were written or deleted after a revision, which is not before [`log_start`](Self::log_start).
    fn changed(&self, after: u64) -> Vec<EntryName<N>>;

    /// An entry.
    fn entry(&self, name: &EntryName<N>) -> Option<Versioned<Entry<N>>>;

    /// All entries, in the order of their names.
    fn entries<'a>(&'a self) -> Box<dyn Iterator<Item = NamedEntry<N>> + 'a>;

    /// Writes an entry, or deletes it. The deletion of what does not exist is a deletion, too.
    fn write(&mut self, name: &EntryName<N>, entry: Option<Entry<N>>);
}

/// The reply to a request, in one transaction.
pub fn answer<N: Name>(registry: &mut dyn Registry<N>, request: &Request<N>) -> Reply<N> {
    match request {
        Request::Read { name } => Reply::State(state(registry, name)),
        Request::Write { name, seen, entry } => write(registry, name, *seen, entry.as_ref()),
        Request::Watch { after } => watch(registry, *after),
    }
}

/// The state of an entry now.
pub fn state<N: Name>(registry: &dyn Registry<N>, name: &EntryName<N>) -> State<N> {
    let (at, last_deletion) = (registry.revision(), registry.last_deletion());
    State { name: name.clone(), at, last_deletion, entry: registry.entry(name) }
}

/// Compares and sets. The last deletion of any entry counts, too: so a request that was sent before a deletion and arrives
/// after it is never executed, although what does not exist has no revision.
fn write<N: Name>(
    registry: &mut dyn Registry<N>,
    name: &EntryName<N>,
    seen: u64,
    entry: Option<&Entry<N>>,
) -> Reply<N> {
    let there = registry.entry(name);
    let changed = there.as_ref().map_or(0, |it| it.revision).max(registry.last_deletion());
    let is_same = entry.is_some() && there.as_ref().map(|it| &it.value) == entry;
    if changed > seen || is_same {
        return Reply::State(state(registry, name));
    }
    if let Err(refusal) = rules::check(registry, name, entry) {
        return Reply::Refused { name: name.clone(), refusal };
    }
    if entry.is_none() {
        delete_children(registry, name);
    }
    registry.write(name, entry.cloned());
    Reply::State(state(registry, name))
}

/// Deletes the kinds of resources of a service that is deleted: so the first deployment of a later one creates them.
fn delete_children<N: Name>(registry: &mut dyn Registry<N>, name: &EntryName<N>) {
    let EntryName::Service { service } = name else { return };
    let names = registry.entries().map(|(it, _)| it);
    let is_kind = |it: &EntryName<N>| matches!(it, EntryName::Resource { service: of, .. } if of == service);
    let kinds: Vec<_> = names.filter(is_kind).collect();
    kinds.iter().for_each(|it| registry.write(it, None));
}

fn watch<N: Name>(registry: &dyn Registry<N>, after: Option<u64>) -> Reply<N> {
    let upto = registry.revision();
    let known = after.filter(|it| *it >= registry.log_start() && *it <= upto);
    let Some(after) = known else {
        let entries: BTreeMap<_, _> = registry.entries().filter(|(name, _)| name.is_watched()).collect();
        return Reply::Snapshot { at: upto, entries };
    };
    let names = registry.changed(after).into_iter().filter(EntryName::is_watched);
    let changes = names.map(|name| (name.clone(), registry.entry(&name))).collect();
    Reply::Changes { after, upto, changes }
}
