use serde_json::Value;
use store::Key;

use crate::{IntegrityError, Level, List, Session, Transactions};

/// Transactions that only read.
#[derive(Clone, Debug)]
pub struct ReadOnly(Transactions);

/// Single operations, each in a transaction of its own.
#[derive(Clone, Debug)]
pub struct Automatic(Transactions);

impl ReadOnly {
    /// Over these.
    pub fn new(transactions: Transactions) -> Self {
        Self(transactions)
    }

    /// Reads from one state.
    ///
    /// # Errors
    /// Those of `body`; [`IntegrityError::ReadOnly`] from every write.
    pub fn run<T, E: From<IntegrityError>>(
        &self,
        body: impl FnOnce(&mut Session) -> Result<T, E>,
    ) -> Result<T, E> {
        body(&mut self.0.begin_read_only())
    }

    /// A resource.
    ///
    /// # Errors
    /// None: nothing was written before. The type is that of [`Session::get`].
    pub fn get(&self, key: &Key) -> Result<Option<Value>, IntegrityError> {
        self.run(|session| session.get(key))
    }

    /// Resources of a kind.
    ///
    /// # Errors
    /// None: nothing was written before. The type is that of [`Session::get`].
    pub fn list(&self, list: List) -> Result<Vec<(Key, Value)>, IntegrityError> {
        self.run(|session| session.list(list))
    }
}

impl Automatic {
    /// Over these.
    pub fn new(transactions: Transactions) -> Self {
        Self(transactions)
    }

    /// The same, for reading only.
    pub fn reads(&self) -> ReadOnly {
        ReadOnly(self.0.clone())
    }

    /// Creates a resource.
    ///
    /// # Errors
    /// Those of [`Session::commit`].
    pub fn create(&self, key: &Key, value: &Value) -> Result<(), IntegrityError> {
        self.0.run(Level::Snapshot, |session| session.create(key.clone(), value.clone()))
    }

    /// Replaces a resource.
    ///
    /// # Errors
    /// Those of [`Session::commit`].
    pub fn update(&self, key: &Key, value: &Value) -> Result<(), IntegrityError> {
        self.0.run(Level::Snapshot, |session| session.update(key.clone(), value.clone()))
    }

    /// Reads a resource, changes it and writes it; again, if others are faster.
    ///
    /// # Errors
    /// [`IntegrityError::NotFound`]; those of `change` and of [`Session::commit`].
    pub fn modify<E: From<IntegrityError>>(
        &self,
        key: &Key,
        mut change: impl FnMut(&mut Value) -> Result<(), E>,
    ) -> Result<(), E> {
        self.0.run(Level::Snapshot, |session| {
            let found = session.get(key)?;
            let mut value = found.ok_or_else(|| IntegrityError::NotFound { key: key.clone() })?;
            change(&mut value)?;
            Ok(session.update(key.clone(), value)?)
        })
    }

    /// Deletes a resource.
    ///
    /// # Errors
    /// Those of [`Session::commit`].
    pub fn delete(&self, key: &Key) -> Result<(), IntegrityError> {
        self.0.run(Level::Snapshot, |session| session.delete(key.clone()))
    }
}
