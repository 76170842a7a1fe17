use std::collections::{BTreeMap, BTreeSet};

use crate::{Name, copies::Versioned};

use super::{Entry, EntryName, Reply, Request};

/// The entries of services and deployments, by name.
pub type Entries<N> = BTreeMap<EntryName<N>, Versioned<Entry<N>>>;

/// The surroundings of a deployment: the services and deployments of the registry that are relevant for one service.
///
/// Those are its own, those that it imports or uses, and those that import or use it; others, its neighbours, are not shown
/// (source: Goten's guide, "EnvRegistry as Service Discovery"). It is in memory only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Discovery<N: Ord> {
    service: N,
    /// The revision of the registry that `entries` are of; `None` before the first snapshot.
    at: Option<u64>,
    /// All that are watched, also those that are not relevant: they may become so by a change of another one.
    entries: Entries<N>,
    patience: i64,
    send_at: i64,
}

/// A change of the surroundings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event<N: Ord> {
    /// A service or a deployment was created or changed, or has become relevant.
    Set(EntryName<N>, Versioned<Entry<N>>),
    /// One was deleted, or is relevant no more.
    Removed(EntryName<N>),
    /// The events before are the surroundings at this revision; each subscriber gets it after its snapshot and after changes.
    Synced(u64),
}

impl<N: Name> Discovery<N> {
    /// The surroundings of a service, of which nothing is known. The registry is asked for changes after `patience`; times are in
    /// milliseconds.
    pub const fn new(service: N, patience: i64, now: i64) -> Self {
        Self { service, at: None, entries: BTreeMap::new(), patience, send_at: now }
    }

    /// The revision of the registry up to which everything is known; `None` before the first snapshot.
    pub const fn at(&self) -> Option<u64> {
        self.at
    }

    /// The request that is due, if any.
    pub fn request(&mut self, now: i64) -> Option<Request<N>> {
        let is_due = self.send_at <= now;
        if is_due {
            self.send_at = now.saturating_add(self.patience);
        }
        is_due.then_some(Request::Watch { after: self.at })
    }

    /// Takes a message of the registry, and returns the events for everyone who has subscribed. One that is late, or came before,
    /// does no harm: it is of a revision that is known.
    pub fn take(&mut self, reply: &Reply<N>) -> Vec<Event<N>> {
        let before = self.relevant();
        let known = self.at;
        match reply {
            Reply::Snapshot { at, entries } if known < Some(*at) => {
                self.entries = entries.clone();
                self.at = Some(*at);
            }
            Reply::Changes { after, upto, changes } if self.follows(*after, *upto) => {
                for (name, entry) in changes {
                    self.apply(name, entry.as_ref());
                }
                self.at = Some(*upto);
            }
            Reply::Snapshot { .. } | Reply::Changes { .. } | Reply::State(_) | Reply::Refused { .. } => {}
        }
        match self.at {
            Some(at) if known != self.at => events(&before, &self.relevant(), at),
            _ => Vec::new(),
        }
    }

    /// The relevant entries as events, for one who subscribes now; `None` before the first snapshot.
    pub fn subscribe(&self) -> Option<Vec<Event<N>>> {
        Some(events(&Entries::new(), &self.relevant(), self.at?))
    }

    /// The relevant services and deployments.
    pub fn relevant(&self) -> Entries<N> {
        let services = self.relevant_services();
        let is_relevant = |name: &EntryName<N>| name.service().is_some_and(|it| services.contains(it));
        let entries = self.entries.iter().filter(|(name, _)| is_relevant(name));
        entries.map(|(name, it)| (name.clone(), it.clone())).collect()
    }

    /// The relevant services, whether or not the registry has them.
    pub fn relevant_services(&self) -> BTreeSet<N> {
        let services =
            self.entries.iter().filter_map(|(name, it)| Some((name.service()?, it.value.service()?)));
        let mut relevant = BTreeSet::from([self.service.clone()]);
        for (name, service) in services {
            if *name == self.service {
                let all = service.versions.values().flat_map(|it| it.imported.keys().chain(&it.used));
                relevant.extend(all.cloned());
            }
            relevant.extend(service.depends_on(&self.service).then(|| name.clone()));
        }
        relevant
    }

    /// True if changes continue what is known without a gap, and say something new.
    fn follows(&self, after: u64, upto: u64) -> bool {
        self.at.is_some_and(|at| after <= at && at < upto)
    }

    fn apply(&mut self, name: &EntryName<N>, entry: Option<&Versioned<Entry<N>>>) {
        let _before = match entry {
            Some(entry) => self.entries.insert(name.clone(), entry.clone()),
            None => self.entries.remove(name),
        };
    }
}

/// The changes from some entries to others.
fn events<N: Name>(before: &Entries<N>, after: &Entries<N>, at: u64) -> Vec<Event<N>> {
    let removed = before.keys().filter(|it| !after.contains_key(it)).cloned().map(Event::Removed);
    let changed = after.iter().filter(|(name, it)| before.get(name) != Some(it));
    let set = changed.map(|(name, it)| Event::Set(name.clone(), it.clone()));
    removed.chain(set).chain([Event::Synced(at)]).collect()
}
