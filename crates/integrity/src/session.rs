use std::{collections::BTreeMap, fmt, sync::Arc};

use serde_json::Value;
use store::{Key, Kind, Query, Resource, Uid, View};

use crate::{IntegrityError, Transactions};

/// The guarantee of a transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// Nothing: reads see the latest state, each write is a commit of its own.
    None,
    /// Reads come from one state, and the commit is refused if anything that was read has changed, also if a resource
    /// that a list would have had was added: transactions have the effect of having run one after the other.
    #[default]
    Snapshot,
    /// As many transactions as the caller opens with [`Session::begin`], each as [`Snapshot`](Self::Snapshot).
    Manual,
}

/// Reads and writes that belong together. Writes are kept until the commit, so nobody sees them before.
pub struct Session {
    transactions: Transactions,
    level: Level,
    read_only: bool,
    view: Option<View>,
    pub(crate) reads: Reads,
    pub(crate) writes: Vec<(Key, Write)>,
}

/// The reads of a session.
#[derive(Default)]
pub(crate) struct Reads {
    pub(crate) keys: BTreeMap<Key, Option<Read>>,
    pub(crate) lists: Vec<ListRead>,
}

/// The version of a resource that was read.
pub(crate) type Read = (Uid, u64);

/// A list that was read: the predicate, and the resources that met it.
pub(crate) struct ListRead {
    pub(crate) list: List,
    pub(crate) found: Vec<(Arc<str>, Read)>,
}

/// The selection of the resources of a kind that are listed.
#[derive(Clone)]
pub struct List {
    /// The kind.
    pub kind: Kind,
    /// Only those that this resource contains, directly.
    pub parent: Option<Key>,
    filter: Option<Filter>,
}

/// A predicate that is true for the values of listed resources.
type Filter = Arc<dyn Fn(&Value) -> bool + Send + Sync>;

/// A change that a session has in mind for a resource.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Write {
    Create(Value),
    Update(Value),
    Save(Value),
    Delete,
}

impl List {
    /// All of a kind.
    pub fn all(kind: Kind) -> Self {
        Self { kind, parent: None, filter: None }
    }

    /// Those that a resource contains, directly.
    #[must_use]
    pub fn within(mut self, parent: Key) -> Self {
        self.parent = Some(parent);
        self
    }

    /// Those that a condition accepts. It has to depend on its argument only, and must not use the store: it runs again
    /// during the commit.
    #[must_use]
    pub fn matching(mut self, filter: impl Fn(&Value) -> bool + Send + Sync + 'static) -> Self {
        self.filter = Some(Arc::new(filter));
        self
    }

    pub(crate) fn accepts(&self, transactions: &Transactions, resource: &Resource) -> bool {
        let parent = self.parent.as_ref();
        let within =
            parent.is_none_or(|it| transactions.rules().names.parent_of(resource.key()).as_ref() == Some(it));
        within && self.filter.as_ref().is_none_or(|filter| filter(resource.spec.shared_value()))
    }

    /// The resources of `all` that are listed, with their versions.
    pub(crate) fn found(&self, transactions: &Transactions, all: &store::Snapshot) -> Vec<Arc<Resource>> {
        all.iter().filter(|resource| self.accepts(transactions, resource)).cloned().collect()
    }
}

impl Session {
    pub(crate) fn new(transactions: Transactions, level: Level, read_only: bool) -> Self {
        let view = (level == Level::Snapshot).then(|| transactions.store().view());
        Self { transactions, level, read_only, view, reads: Reads::default(), writes: Vec::new() }
    }

    /// Opens a transaction, if the level is [`Level::Manual`]. Writes that an open one had not committed are dropped.
    pub fn begin(&mut self) {
        if self.level != Level::None {
            self.view = Some(self.transactions.store().view());
            (self.reads, self.writes) = (Reads::default(), Vec::new());
        }
    }

    /// A resource; `None` if it does not exist.
    ///
    /// # Errors
    /// [`IntegrityError::ReadAfterWrite`], [`IntegrityError::NotBegun`].
    pub fn get(&mut self, key: &Key) -> Result<Option<Value>, IntegrityError> {
        if self.level == Level::None {
            return Ok(self.transactions.store().get(key).ok().map(|resource| resource.spec.value()));
        }
        let found = self.readable(|| key.to_string())?.get(key).cloned();
        self.reads.keys.insert(key.clone(), found.as_deref().map(read));
        Ok(found.map(|resource| resource.spec.value()))
    }

    /// Resources of a kind, in order of names.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn list(&mut self, list: List) -> Result<Vec<(Key, Value)>, IntegrityError> {
        let all = match self.level {
            Level::None => self.transactions.store().list(&list.kind, &Query::all()),
            Level::Snapshot | Level::Manual => {
                self.readable(|| list.kind.to_string())?.list(&list.kind, &Query::all())
            }
        };
        let found = list.found(&self.transactions, &all);
        if self.level != Level::None {
            let versions = found.iter().map(|it| (it.id().clone(), read(it))).collect();
            self.reads.lists.push(ListRead { list, found: versions });
        }
        Ok(found.iter().map(|resource| (resource.key().clone(), resource.spec.value())).collect())
    }

    fn readable(&self, what: impl Fn() -> String) -> Result<&View, IntegrityError> {
        match &self.view {
            None => Err(IntegrityError::NotBegun),
            Some(_) if !self.writes.is_empty() => Err(IntegrityError::ReadAfterWrite { what: what() }),
            Some(view) => Ok(view),
        }
    }

    /// Creates a resource, at the commit.
    ///
    /// # Errors
    /// [`IntegrityError::ReadOnly`], [`IntegrityError::NotBegun`]; at the level [`Level::None`] those of
    /// [`commit`](Self::commit).
    pub fn create(&mut self, key: Key, value: Value) -> Result<(), IntegrityError> {
        self.write(key, Write::Create(value))
    }

    /// Replaces a resource that exists, at the commit.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub fn update(&mut self, key: Key, value: Value) -> Result<(), IntegrityError> {
        self.write(key, Write::Update(value))
    }

    /// Creates or replaces a resource, at the commit.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub fn save(&mut self, key: Key, value: Value) -> Result<(), IntegrityError> {
        self.write(key, Write::Save(value))
    }

    /// Deletes a resource, at the commit, with everything that this entails. Resources that one transaction deletes do
    /// not block each other. One that is being deleted already is left alone.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub fn delete(&mut self, key: Key) -> Result<(), IntegrityError> {
        self.write(key, Write::Delete)
    }

    fn write(&mut self, key: Key, write: Write) -> Result<(), IntegrityError> {
        if self.read_only {
            return Err(IntegrityError::ReadOnly);
        }
        if self.level == Level::None {
            return self.transactions.commit(&Reads::default(), &[(key, write)]);
        }
        if self.view.is_none() {
            return Err(IntegrityError::NotBegun);
        }
        self.writes.push((key, write));
        Ok(())
    }

    /// Commits the writes, all of them or nothing; afterwards no transaction is open.
    ///
    /// # Errors
    /// [`IntegrityError::Aborted`] if something that was read has changed; [`IntegrityError::NotBegun`]; all problems of
    /// the changes.
    pub fn commit(&mut self) -> Result<(), IntegrityError> {
        if self.level == Level::None {
            return Ok(());
        }
        self.view.take().ok_or(IntegrityError::NotBegun)?;
        let (reads, writes) = (std::mem::take(&mut self.reads), std::mem::take(&mut self.writes));
        self.transactions.commit(&reads, &writes)
    }

    /// True if a transaction is open that has not been committed.
    pub(crate) fn is_open(&self) -> bool {
        self.view.is_some()
    }
}

pub(crate) fn read(resource: &Resource) -> Read {
    (resource.metadata.uid, resource.metadata.version)
}

impl fmt::Debug for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("List").field("kind", &self.kind).field("parent", &self.parent).finish_non_exhaustive()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("level", &self.level)
            .field("writes", &self.writes)
            .finish_non_exhaustive()
    }
}
