//! The records of references between deployments, which are stored beside the resources.

use std::collections::BTreeMap;

use fields::schema::DeleteBehavior;
use regions::{
    Deployment,
    references::{BackReferences, Blocker, Dependents, Records, Remote},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use store::{Draft, Key, Kind, Spec, Transaction, UpdateOptions};

use crate::{Instances, stored, stored::Stored};

/// The namespace and the kinds of the records.
const NAMESPACE: &str = crate::RECORDS;
const BACK_REFERENCES: &str = "BackReferences";
const REMOTES: &str = "Remote";

/// The label of a record that demands requests.
const OWED: &str = "owed";

/// A record, with the resource that it is about.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Recorded<T> {
    key: Key,
    record: T,
}

/// The records as they are stored, and as the transaction leaves them. Of resources it sees those before the transaction.
pub(crate) struct StoredRecords<'a> {
    stored: &'a Stored<'a>,
    back_references: BTreeMap<Key, Option<BackReferences<Deployment>>>,
    remotes: BTreeMap<Key, Option<Remote<Deployment>>>,
}

impl<'a> StoredRecords<'a> {
    pub(crate) fn new(stored: &'a Stored<'a>) -> Self {
        Self { stored, back_references: BTreeMap::new(), remotes: BTreeMap::new() }
    }

    /// Adds the changes of the records to those of the resources.
    pub(crate) fn write(&self, mut transaction: Transaction) -> Transaction {
        for (key, record) in &self.back_references {
            let owed = record.as_ref().is_some_and(|it| !it.tentative.is_empty() || it.deleted.is_some());
            transaction = self.put(transaction, place(BACK_REFERENCES, key), key, record, owed);
        }
        for (key, remote) in &self.remotes {
            let owed = remote.as_ref().is_some_and(|it| !it.unconfirmed.is_empty());
            transaction = self.put(transaction, place(REMOTES, key), key, remote, owed);
            // What depends on a resource that is gone is the work of those deletions that are made here.
            let is_deleted = remote.as_ref().is_some_and(|it| it.deleted);
            if is_deleted && self.stored.writing.get(&stored::gone_key(key)).is_none() {
                transaction = transaction.create(stored::gone_draft(key));
            }
        }
        transaction
    }

    /// A record as the transaction leaves it.
    fn current<T: Clone + DeserializeOwned>(
        &self,
        changed: &BTreeMap<Key, Option<T>>,
        kind: &str,
        key: &Key,
    ) -> Option<T> {
        changed.get(key).cloned().unwrap_or_else(|| read(self.stored, &place(kind, key)))
    }

    fn put<T: Clone + Serialize>(
        &self,
        transaction: Transaction,
        place: Key,
        key: &Key,
        record: &Option<T>,
        owed: bool,
    ) -> Transaction {
        let there = self.stored.writing.get(&place);
        let Some(record) = record else {
            return if there.is_some() { transaction.destroy(place) } else { transaction };
        };
        let spec = Spec::of(&Recorded { key: key.clone(), record: record.clone() }).unwrap_or_default();
        let labels = owed.then(|| (OWED.into(), "".into())).into_iter().collect();
        match there {
            None => transaction.create(Draft { labels, ..Draft::new(place, spec) }),
            Some(there) => {
                let mut resource = (*there).clone();
                (resource.spec, resource.metadata.labels) = (spec, labels);
                transaction.update_with(resource, UpdateOptions::any_phase())
            }
        }
    }
}

impl Records<Deployment, Key> for StoredRecords<'_> {
    fn incarnation(&self, key: &Key) -> Option<u64> {
        let resource = self.stored.writing.get(key).filter(|_| self.stored.is_active(key))?;
        Some(resource.metadata.uid.get())
    }

    fn back_references(&self, key: &Key) -> Option<BackReferences<Deployment>> {
        self.current(&self.back_references, BACK_REFERENCES, key)
    }

    fn set_back_references(&mut self, key: &Key, record: Option<BackReferences<Deployment>>) {
        self.back_references.insert(key.clone(), record);
    }

    fn remote(&self, key: &Key) -> Option<Remote<Deployment>> {
        self.current(&self.remotes, REMOTES, key)
    }

    fn set_remote(&mut self, key: &Key, record: Option<Remote<Deployment>>) {
        self.remotes.insert(key.clone(), record);
    }

    fn dependents(&self, key: &Key) -> Dependents<Key> {
        let links = self.stored.referrers(key).into_iter();
        let links = links.filter(|link| !link.is_soft() && self.stored.is_active(&link.referrer));
        let mut dependents = Dependents { blockers: Vec::new(), any: false };
        for link in links {
            dependents.any = true;
            if link.behavior == DeleteBehavior::Block {
                let place = link.via.place().to_owned();
                dependents.blockers.push(Blocker { referrer: link.referrer, place });
            }
        }
        dependents
    }
}

/// The records of other deployments' references that demand requests.
pub(crate) fn owed_back_references(stored: &Stored<'_>) -> Vec<(Key, BackReferences<Deployment>)> {
    owed(stored, BACK_REFERENCES)
}

/// The records of own references that demand requests.
pub(crate) fn owed_remotes(stored: &Stored<'_>) -> Vec<(Key, Remote<Deployment>)> {
    owed(stored, REMOTES)
}

fn owed<T: DeserializeOwned>(stored: &Stored<'_>, kind: &str) -> Vec<(Key, T)> {
    let found = stored.labelled(&Kind::new(NAMESPACE, kind), OWED);
    let read = found.iter().filter_map(|it| it.read::<Recorded<T>>().ok());
    read.map(|it| (it.key, it.record)).collect()
}

/// True if others depend on a resource that was deleted, or is being deleted.
pub(crate) fn is_held(stored: &Stored<'_>, key: &Key) -> bool {
    let record = read::<BackReferences<Deployment>>(stored, &place(BACK_REFERENCES, key));
    record.is_some_and(|it| it.deleted.is_some())
}

fn read<T: DeserializeOwned>(stored: &Stored<'_>, place: &Key) -> Option<T> {
    stored.writing.get(place)?.read::<Recorded<T>>().ok().map(|it| it.record)
}

/// The place of the record about a resource.
fn place(kind: &str, key: &Key) -> Key {
    Key::new(NAMESPACE, kind, key.to_string())
}
