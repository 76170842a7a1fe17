//! Copies of resources that other regions own, which are stored beside the own resources.
//!
//! A copy is written as it comes: nothing of it is checked, it refers to nothing here and blocks nothing, because its owner keeps
//! its references. So it has one label only, that of its region, by which the copies of an owner are found.

use std::{collections::BTreeMap, sync::Arc};

use regions::{
    Deployment,
    copies::{Copies, Progress, Reader, Reply, Versioned},
};
use serde_json::Value;
use store::{
    Actor, Draft, Key, Kind, Labels, Op, Origin, Query, Resource, Spec, Term, Transaction, UpdateOptions,
    Writing,
};

use crate::{IntegrityError, ResourceChange, Rules, Submitted, Transactions};

/// The place of the records of what was copied.
const NAMESPACE: &str = crate::RECORDS;
const PROGRESS: &str = "CopyProgress";

impl Transactions {
    /// The record of what was copied from an owner.
    pub fn copy_progress(&self, owner: &Deployment) -> Progress<Key> {
        let record = self.store().get(&progress_key(owner)).ok();
        record.and_then(|it| it.read().ok()).unwrap_or_default()
    }

    /// Applies a message of an owner to the copies of its resources, in one transaction. `now` is in milliseconds.
    pub fn take_copies(
        &self,
        reader: &mut Reader<Deployment>,
        owner: &Deployment,
        reply: &Reply<Key, Value>,
        now: i64,
    ) -> Submitted<IntegrityError> {
        let mut changes = Vec::new();
        let submission = self.store().submit(&Actor::user(), |writing| {
            let mut copies = StoredCopies::new(writing, self.rules(), owner);
            reader.take(&mut copies, reply, now);
            let (transaction, changed) = copies.finish();
            changes = changed;
            Ok::<_, IntegrityError>(transaction)
        });
        self.submitted(submission, changes)
    }
}

/// The copies as they are stored, and as the transaction leaves them.
struct StoredCopies<'a> {
    writing: &'a Writing<'a>,
    /// The kinds of the service, in order.
    kinds: Vec<&'a Kind>,
    owner: &'a Deployment,
    changed: BTreeMap<Key, Option<Versioned<Value>>>,
    progress: Option<Progress<Key>>,
}

impl<'a> StoredCopies<'a> {
    fn new(writing: &'a Writing<'a>, rules: &'a Rules, owner: &'a Deployment) -> Self {
        let kinds = rules.model.kinds().map(|it| &it.kind).filter(|it| it.namespace == owner.service);
        Self { writing, kinds: kinds.collect(), owner, changed: BTreeMap::new(), progress: None }
    }

    /// The copy of a resource of the owner.
    fn copy(&self, key: &Key) -> Option<(Arc<Resource>, u64)> {
        let resource = self.writing.get(key)?;
        let origin = resource.metadata.origin.as_ref().filter(|it| it.region == self.owner.region)?;
        let revision = origin.revision;
        Some((resource, revision))
    }

    fn finish(self) -> (Transaction, Vec<ResourceChange>) {
        let (mut transaction, mut changes) = (Transaction::new(), Vec::new());
        for (key, copy) in &self.changed {
            let stored = self.writing.get(key);
            // What was written here is not overwritten, even if another region says that it owns it.
            if stored.as_ref().is_some_and(|it| it.metadata.origin.is_none()) {
                continue;
            }
            let value = |it: &Arc<Resource>| it.spec.shared_value().clone();
            let new = copy.as_ref().map(|it| Arc::new(it.value.clone()));
            changes.push(ResourceChange { key: key.clone(), old: stored.as_ref().map(value), new });
            transaction = self.write(transaction, key, stored, copy.as_ref());
        }
        let transaction = match &self.progress {
            Some(progress) => self.record(transaction, progress),
            None => transaction,
        };
        (transaction, changes)
    }

    fn write(
        &self,
        transaction: Transaction,
        key: &Key,
        stored: Option<Arc<Resource>>,
        copy: Option<&Versioned<Value>>,
    ) -> Transaction {
        let Some(copy) = copy else {
            return if stored.is_some() { transaction.destroy(key.clone()) } else { transaction };
        };
        let spec = Spec::from(copy.value.clone());
        let origin = Origin { region: self.owner.region.clone(), revision: copy.revision };
        let (labels, origin) = (labels(&self.owner.region), Some(Box::new(origin)));
        match stored {
            None => transaction.create(Draft { labels, origin, ..Draft::new(key.clone(), spec) }),
            Some(stored) => {
                let mut resource = (*stored).clone();
                resource.spec = spec;
                (resource.metadata.labels, resource.metadata.origin) = (labels, origin);
                transaction.update_with(resource, UpdateOptions::any_phase())
            }
        }
    }

    fn record(&self, transaction: Transaction, progress: &Progress<Key>) -> Transaction {
        let (key, spec) = (progress_key(self.owner), Spec::of(progress).unwrap_or_default());
        match self.writing.get(&key) {
            None => transaction.create(Draft::new(key, spec)),
            Some(there) => transaction.update(Resource { spec, ..(*there).clone() }),
        }
    }
}

impl Copies<Deployment, Key, Value> for StoredCopies<'_> {
    fn progress(&self, owner: &Deployment) -> Progress<Key> {
        let record = || self.writing.get(&progress_key(owner))?.read().ok();
        self.progress.clone().or_else(record).unwrap_or_default()
    }

    fn set_progress(&mut self, _: &Deployment, progress: Progress<Key>) {
        self.progress = Some(progress);
    }

    fn revision(&self, _: &Deployment, key: &Key) -> Option<u64> {
        match self.changed.get(key) {
            Some(changed) => changed.as_ref().map(|it| it.revision),
            None => self.copy(key).map(|(_, revision)| revision),
        }
    }

    fn range(
        &self,
        owner: &Deployment,
        after: Option<&Key>,
        upto: Option<&Key>,
        limit: usize,
    ) -> Vec<(Key, u64)> {
        let query = Query::term(Term::new(label(&owner.region), Op::Exists));
        let mut found = Vec::new();
        for kind in &self.kinds {
            let is_before = after.is_some_and(|it| **kind < it.kind);
            if is_before || upto.is_some_and(|it| **kind > it.kind) || found.len() >= limit {
                continue;
            }
            let all = self.writing.list(kind, &query);
            let within = all
                .iter()
                .map(|it| it.key())
                .filter(|key| after.is_none_or(|after| *key > after) && upto.is_none_or(|upto| *key <= upto));
            let left = limit.saturating_sub(found.len());
            let copies = within.filter_map(|key| Some((key.clone(), self.copy(key)?.1)));
            found.extend(copies.take(left));
        }
        found
    }

    fn save(&mut self, _: &Deployment, key: &Key, copy: Versioned<Value>) {
        self.changed.insert(key.clone(), Some(copy));
    }

    fn delete(&mut self, _: &Deployment, key: &Key) {
        if self.revision(self.owner, key).is_some() {
            self.changed.insert(key.clone(), None);
        }
    }
}

fn progress_key(owner: &Deployment) -> Key {
    Kind::new(NAMESPACE, PROGRESS).key(format!("{}/{}", owner.service, owner.region))
}

fn label(region: &str) -> String {
    format!("copy/{region}")
}

fn labels(region: &str) -> Labels {
    [(label(region).into(), "".into())].into()
}
