//! The resources that this region owns, for the regions that have copies of them.

use std::{collections::BTreeSet, sync::Arc};

use regions::{
    Deployment, Syncing,
    copies::{Entry, Reply, Request, Resource, Source, Watches, page},
};
use serde::Deserialize as _;
use serde_json::Value;
use store::{ChangeLog, Key, Kind, Query, Revision, View};

use crate::{IntegrityError, Submitted, Transactions, regional};

impl Transactions {
    /// The message to a region that has copies of resources of a service. `limit` is the number of resources in it; those of
    /// one transaction stay together. Only if there are none for the region, it has no changes.
    pub fn reply_to_reader(
        &self,
        reader: &Deployment,
        request: &Request<Key>,
        limit: usize,
    ) -> Reply<Key, Value> {
        match request {
            Request::Watch { after } => self.changes_for(reader, *after, limit),
            Request::Page { after } => {
                page(&OwnResources::new(self, &reader.service), reader, after.as_ref(), limit)
            }
        }
    }

    /// The first changes that concern a region: others, of which there may be any number, are passed over.
    fn changes_for(&self, reader: &Deployment, after: u64, limit: usize) -> Reply<Key, Value> {
        let mut first = self.some_changes(reader, after, limit);
        while let Reply::Changes(changes) = &mut first
            && changes.changes.is_empty()
            && changes.upto < self.store().revision().get()
        {
            let Reply::Changes(next) = self.some_changes(reader, changes.upto, limit) else { break };
            (changes.upto, changes.changes) = (next.upto, next.changes);
        }
        first
    }

    fn some_changes(&self, reader: &Deployment, after: u64, limit: usize) -> Reply<Key, Value> {
        let mut source = OwnResources::new(self, &reader.service);
        source.log = self.store().changes(&source.kinds, Revision::from(after), limit);
        Watches::new(limit).watch(&source, reader, after)
    }

    /// The first own resources after a key that were written under another policy: which other regions have them is not what it
    /// is now.
    pub fn misplaced(&self, after: Option<&Key>, limit: usize) -> Vec<Key> {
        let (view, names) = (self.store().view(), &self.rules().names);
        let is_misplaced = |it: &&Arc<store::Resource>| {
            let placed = names.placed(it.key()).filter(|_| it.metadata.origin.is_none());
            placed.and_then(|placed| regional::syncing(it.spec.shared_value(), placed)).is_some()
        };
        let mut keys = Vec::new();
        let kinds = self.rules().model.kinds().map(|it| &it.kind);
        for kind in kinds.filter(|kind| after.is_none_or(|it| **kind >= it.kind)) {
            let all = view.list(kind, &Query::all());
            let first = after.filter(|it| it.kind == *kind).map_or("", |it| &it.id);
            let left = limit.saturating_sub(keys.len());
            keys.extend(all.after(first).filter(is_misplaced).take(left).map(|it| it.key().clone()));
        }
        keys
    }

    /// Writes resources again with the regions that have them under the policy of now.
    pub fn place_again(&self, keys: &[Key]) -> Submitted<IntegrityError> {
        self.submit(|commit| {
            for key in keys {
                if let Some(value) = commit.get(key).filter(|_| commit.owns(key)) {
                    commit.overlay_mut().save(key.clone(), (*value).clone());
                }
            }
            Ok(())
        })
    }
}

/// The resources of a service that this region owns, at one moment.
struct OwnResources {
    /// The kinds of the service, in order.
    kinds: Vec<Kind>,
    view: View,
    log: ChangeLog,
}

impl OwnResources {
    fn new(transactions: &Transactions, service: &str) -> Self {
        let kinds = transactions.rules().model.kinds().map(|it| it.kind.clone());
        let view = transactions.store().view();
        let log = ChangeLog { start: view.revision(), upto: view.revision(), changes: Vec::new() };
        Self { kinds: kinds.filter(|it| *it.namespace == *service).collect(), view, log }
    }
}

impl Source<Deployment, Key, Value> for OwnResources {
    fn revision(&self) -> u64 {
        self.log.upto.get()
    }

    fn log_start(&self) -> u64 {
        self.log.start.get()
    }

    fn log<'a>(&'a self, after: u64) -> Box<dyn Iterator<Item = Entry<Deployment, Key, Value>> + 'a> {
        let changes = self.log.changes.iter().filter(move |it| it.revision.get() > after);
        Box::new(changes.filter_map(|it| {
            let revision = it.revision.get();
            let (old, new) = (own(it.old.as_ref()), own(it.new.as_ref()));
            let old_regions = old.map(|it| regions(&it.key().kind, it.spec.shared_value()));
            let new = new.map(|it| resource(it, revision));
            let is_own = old_regions.is_some() || new.is_some();
            let old_regions = old_regions.unwrap_or_default();
            is_own.then(|| Entry { key: it.key.clone(), revision, old_regions, new })
        }))
    }

    fn resources<'a>(
        &'a self,
        after: Option<&Key>,
    ) -> Box<dyn Iterator<Item = (Key, Resource<Deployment, Value>)> + 'a> {
        let after = after.cloned();
        let is_reached = |kind: &&Kind| after.as_ref().is_none_or(|it| **kind >= it.kind);
        let kinds: Vec<Kind> = self.kinds.iter().filter(is_reached).cloned().collect();
        let all = kinds.into_iter().flat_map(move |kind| {
            let list = self.view.list(&kind, &Query::all());
            let mut last =
                after.as_ref().filter(|it| it.kind == kind).map_or_else(|| "".into(), |it| it.id.clone());
            std::iter::from_fn(move || {
                let next = list.after(&last).next()?.clone();
                last = next.id().clone();
                Some(next)
            })
        });
        Box::new(all.filter(|it| it.metadata.origin.is_none()).map(|it| {
            let revision = it.metadata.revision.get();
            (it.key().clone(), resource(&it, revision))
        }))
    }
}

fn own(resource: Option<&Arc<store::Resource>>) -> Option<&Arc<store::Resource>> {
    resource.filter(|it| it.metadata.origin.is_none())
}

fn resource(of: &store::Resource, revision: u64) -> Resource<Deployment, Value> {
    let value = of.spec.shared_value();
    Resource { revision, regions: regions(&of.key().kind, value), value: (**value).clone() }
}

/// The deployments that have a resource, as it says itself; none if that was never written.
fn regions(kind: &Kind, value: &Value) -> BTreeSet<Deployment> {
    let syncing = value.pointer("/metadata/syncing").and_then(|it| Syncing::deserialize(it).ok());
    let regions = syncing.map(|it| it.regions).unwrap_or_default();
    let deployment = |region| Deployment { service: kind.namespace.clone(), region };
    regions.into_iter().map(deployment).collect()
}
