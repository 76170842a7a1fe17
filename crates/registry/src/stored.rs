use std::{collections::BTreeMap, sync::Arc};

use integrity::{Commit, IntegrityError};
use regions::{
    copies::Versioned,
    registration::{NamedEntry, Registry},
};
use serde_json::{Value, json};
use store::{Key, Query, Resource, Spec, Writing};

use crate::{
    Entry, EntryName, Name, deployment,
    entry_key::{KINDS, entry_name, key, kind},
    service, services_info,
};

/// The record whose revision is that of the last deletion.
const LAST_DELETION: (&str, &str, &str) = (crate::RECORDS, "LastDeletion", "last");

/// The registry as it is stored, and as a transaction leaves it.
///
/// The revisions are those of the store. Which entries have changed is known by the revisions of those that exist; so after a
/// deletion it is not known any more, and who follows the registry reads all of it.
pub(crate) struct StoredRegistry<'a> {
    writing: &'a Writing<'a>,
    changed: BTreeMap<EntryName, Option<Entry>>,
    /// True if an entry was deleted, even one that does not exist.
    is_deletion: bool,
}

impl<'a> StoredRegistry<'a> {
    pub(crate) fn new(writing: &'a Writing<'a>) -> Self {
        Self { writing, changed: BTreeMap::new(), is_deletion: false }
    }

    /// The revision of what this transaction writes.
    fn next(&self) -> u64 {
        self.writing.revision().get() + 1
    }

    fn is_changed(&self) -> bool {
        self.is_deletion || !self.changed.is_empty()
    }

    fn stored(&self, name: &EntryName) -> Option<Versioned<Entry>> {
        self.writing.get(&key(name)).and_then(|it| Some(versioned(&it)?.1))
    }

    /// Makes the changes in a transaction.
    pub(crate) fn write_to(self, commit: &mut Commit<'_>) -> Result<(), IntegrityError> {
        if !self.is_changed() {
            return Ok(());
        }
        if self.is_deletion {
            let deletions = commit.store().revision().get();
            commit.record(last_deletion(), Spec::from(json!({ "after": deletions })));
        }
        let deleted = self.changed.iter().filter(|(_, entry)| entry.is_none()).map(|(name, _)| key(name));
        let deleted: Vec<Key> = deleted.filter(|it| commit.get(it).is_some()).collect();
        let infos = services_info::all(self.entries());
        for (name, it) in self.entries() {
            let key = key(&name);
            let old = commit.get(&key);
            let mut new = match self.changed.get(&name) {
                Some(Some(entry)) => resource(&name, entry, old.as_deref()),
                _ => old.as_deref().cloned().unwrap_or_default(),
            };
            if let Some(info) = name.service().and_then(|it| infos.get(it)) {
                merge(&mut new, json!({"metadata": {"services": info}}));
            }
            match old {
                None => commit.create(&key, new)?,
                Some(old) if *old != new || it.revision == self.next() => commit.update(&key, new)?,
                Some(_) => {}
            }
        }
        commit.delete(deleted)
    }
}

impl Registry<Name> for StoredRegistry<'_> {
    fn revision(&self) -> u64 {
        if self.is_changed() { self.next() } else { self.writing.revision().get() }
    }

    fn last_deletion(&self) -> u64 {
        if self.is_deletion {
            return self.next();
        }
        self.writing.get(&last_deletion()).map_or(0, |it| it.metadata.revision.get())
    }

    fn log_start(&self) -> u64 {
        self.last_deletion()
    }

    fn changed(&self, after: u64) -> Vec<EntryName> {
        self.entries().filter(|(_, it)| it.revision > after).map(|(name, _)| name).collect()
    }

    fn entry(&self, name: &EntryName) -> Option<Versioned<Entry>> {
        match self.changed.get(name) {
            Some(entry) => entry.clone().map(|value| Versioned { revision: self.next(), value }),
            None => self.stored(name),
        }
    }

    fn entries<'a>(&'a self) -> Box<dyn Iterator<Item = NamedEntry<Name>> + 'a> {
        let all = KINDS.into_iter().flat_map(|it| {
            let list = self.writing.list(&kind(it), &Query::all());
            list.iter().filter_map(versioned).collect::<Vec<_>>()
        });
        let mut all: BTreeMap<EntryName, Versioned<Entry>> = all.collect();
        for (name, entry) in &self.changed {
            all.remove(name);
            let new = entry.clone().map(|value| Versioned { revision: self.next(), value });
            all.extend(new.map(|it| (name.clone(), it)));
        }
        Box::new(all.into_iter())
    }

    fn write(&mut self, name: &EntryName, entry: Option<Entry>) {
        self.is_deletion |= entry.is_none();
        self.changed.insert(name.clone(), entry);
    }
}

fn last_deletion() -> Key {
    let (namespace, kind, id) = LAST_DELETION;
    Key::new(namespace, kind, id)
}

/// The entry of a stored resource.
fn versioned(stored: &Arc<Resource>) -> Option<NamedEntry<Name>> {
    let (name, value) = (entry_name(stored.key())?, stored.spec.shared_value());
    let entry = match &name {
        EntryName::Region { .. } => Entry::Region,
        EntryName::Service { .. } => Entry::Service(service::entry(value)),
        EntryName::Resource { .. } => {
            Entry::Resource { versions: service::texts(value, "versions").map(Name::from).collect() }
        }
        EntryName::Deployment { .. } => Entry::Deployment(deployment::entry(value)?),
    };
    Some((name, Versioned { revision: stored.metadata.revision.get(), value: entry }))
}

/// The resource of an entry: the fields of the entry are set, and others stay as they are.
fn resource(name: &EntryName, entry: &Entry, old: Option<&Value>) -> Value {
    let mut resource = old.cloned().unwrap_or_else(|| json!({ "name": key(name).id }));
    let fields = match (name, entry) {
        (_, Entry::Service(entry)) => service::fields(entry),
        (EntryName::Resource { service, kind }, Entry::Resource { versions }) => {
            let fields = [("fqn", json!(format!("{service}/{kind}"))), ("versions", json!(versions))];
            fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
        }
        (EntryName::Deployment { region, .. }, Entry::Deployment(entry)) => deployment::fields(entry, region),
        (_, Entry::Region | Entry::Resource { .. } | Entry::Deployment(_)) => serde_json::Map::new(),
    };
    merge(&mut resource, Value::Object(fields));
    resource
}

/// Sets fields; those of `metadata` one by one.
fn merge(resource: &mut Value, fields: Value) {
    let (Value::Object(there), Value::Object(fields)) = (resource, fields) else { return };
    for (name, value) in fields {
        let is_kept = matches!(&*name, "metadata" | "annotations");
        match (there.get_mut(&name), value) {
            (_, Value::Null) => drop(there.shift_remove(&name)),
            (Some(there), value @ Value::Object(_)) if is_kept => merge(there, value),
            (_, value) => drop(there.insert(name, value)),
        }
    }
}
