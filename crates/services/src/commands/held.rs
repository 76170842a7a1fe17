use std::{cell::RefCell, collections::BTreeMap};

use api::ApiTransaction;
use workspace::view::ServiceError;

use super::{cache::CacheRead, transactions::not_open, watchers::OpenWatcher};

/// The transactions, watchers and readers that stay open between the commands of a session, by the names that users gave.
#[derive(Debug, Default)]
pub(crate) struct Held {
    transactions: RefCell<BTreeMap<String, ApiTransaction>>,
    watchers: RefCell<BTreeMap<String, OpenWatcher>>,
    readers: RefCell<BTreeMap<String, CacheRead>>,
}

impl Held {
    /// Keeps a transaction; one of the same name is dropped.
    pub(super) fn begin(&self, name: &str, transaction: ApiTransaction) {
        self.transactions.borrow_mut().insert(name.to_owned(), transaction);
    }

    /// Does something in an open transaction.
    pub(super) fn in_transaction<T>(
        &self,
        name: &str,
        body: impl FnOnce(&mut ApiTransaction) -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        let mut open = self.transactions.borrow_mut();
        body(open.get_mut(name).ok_or_else(|| not_open(name))?)
    }

    /// Takes a transaction out, to end it.
    pub(super) fn end(&self, name: &str) -> Result<ApiTransaction, ServiceError> {
        self.transactions.borrow_mut().remove(name).ok_or_else(|| not_open(name))
    }

    /// The watchers, to be changed.
    pub(super) fn with_watchers<T>(&self, body: impl FnOnce(&mut BTreeMap<String, OpenWatcher>) -> T) -> T {
        body(&mut self.watchers.borrow_mut())
    }

    /// Keeps the value that a reader has read.
    pub(super) fn read(&self, reader: &str, read: CacheRead) {
        self.readers.borrow_mut().insert(reader.to_owned(), read);
    }

    /// Takes out the value that a reader has read.
    pub(super) fn take_read(&self, reader: &str) -> Option<CacheRead> {
        self.readers.borrow_mut().remove(reader)
    }
}
