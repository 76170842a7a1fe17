//! The records of references between deployments, which are stored beside the resources.

use std::collections::BTreeMap;

use fields::schema::DeleteBehavior;
use regions::{
    Deployment,
    references::{BackReferences, Blocker, Dependents, Records, Remote},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use store::{Draft, Key, Kind, Op, Query, Spec, Term, Transaction, UpdateOptions, Writing};

use crate::{Instances, stored, stored::Stored};

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
    writing: &'a Writing<'a>,
    stored: &'a Stored<'a>,
    back_references: BTreeMap<Key, Option<BackReferences<Deployment>>>,
    remotes: BTreeMap<Key, Option<Remote<Deployment>>>,
}

impl<'a> StoredRecords<'a> {
    pub(crate) fn new(writing: &'a Writing<'a>, stored: &'a Stored<'a>) -> Self {
        Self { writing, stored, back_references: BTreeMap::new(), remotes: BTreeMap::new() }
    }

    /// Adds the changes of the records to those of the resources.
    pub(crate) fn write(&self, mut transaction: Transaction) -> Transaction {
        for (key, record) in &self.back_references {
            let owed = record.as_ref().is_some_and(|it| !it.tentative.is_empty() || it.deleted.is_some());
            transaction =
                self.put(transaction, back_references_kind().key(key.to_string()), key, record, owed);
        }
        for (key, remote) in &self.remotes {
            let owed = remote.as_ref().is_some_and(|it| !it.unconfirmed.is_empty());
            transaction = self.put(transaction, remote_kind().key(key.to_string()), key, remote, owed);
            // What depends on a resource that is gone is the work of those deletions that are made here.
            let is_deleted = remote.as_ref().is_some_and(|it| it.deleted);
            if is_deleted && self.writing.get(&stored::gone_key(key)).is_none() {
                transaction = transaction.create(stored::gone_draft(key));
            }
        }
        transaction
    }

    fn put<T: Clone + Serialize>(
        &self,
        transaction: Transaction,
        place: Key,
        key: &Key,
        record: &Option<T>,
        owed: bool,
    ) -> Transaction {
        let there = self.writing.get(&place);
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
        let resource = self.writing.get(key).filter(|_| self.stored.is_active(key))?;
        Some(resource.metadata.uid.get())
    }

    fn back_references(&self, key: &Key) -> Option<BackReferences<Deployment>> {
        match self.back_references.get(key) {
            Some(changed) => changed.clone(),
            None => read(self.writing, &back_references_kind().key(key.to_string())),
        }
    }

    fn set_back_references(&mut self, key: &Key, record: Option<BackReferences<Deployment>>) {
        self.back_references.insert(key.clone(), record);
    }

    fn remote(&self, key: &Key) -> Option<Remote<Deployment>> {
        match self.remotes.get(key) {
            Some(changed) => changed.clone(),
            None => read(self.writing, &remote_kind().key(key.to_string())),
        }
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
pub(crate) fn owed_back_references(writing: &Writing<'_>) -> Vec<(Key, BackReferences<Deployment>)> {
    owed(writing, &back_references_kind())
}

/// The records of own references that demand requests.
pub(crate) fn owed_remotes(writing: &Writing<'_>) -> Vec<(Key, Remote<Deployment>)> {
    owed(writing, &remote_kind())
}

fn owed<T: DeserializeOwned>(writing: &Writing<'_>, kind: &Kind) -> Vec<(Key, T)> {
    let found = writing.list(kind, &Query::term(Term::new(OWED, Op::Exists)));
    let read = found.iter().filter_map(|it| it.read::<Recorded<T>>().ok());
    read.map(|it| (it.key, it.record)).collect()
}

/// True if others depend on a resource that was deleted, or is being deleted.
pub(crate) fn is_held(writing: &Writing<'_>, key: &Key) -> bool {
    let record = read::<BackReferences<Deployment>>(writing, &back_references_kind().key(key.to_string()));
    record.is_some_and(|it| it.deleted.is_some())
}

fn read<T: DeserializeOwned>(writing: &Writing<'_>, place: &Key) -> Option<T> {
    writing.get(place)?.read::<Recorded<T>>().ok().map(|it| it.record)
}

fn back_references_kind() -> Kind {
    Kind::new("integrity", "BackReferences")
}

fn remote_kind() -> Kind {
    Kind::new("integrity", "Remote")
}
