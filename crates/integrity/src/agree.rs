//! What other deployments have to agree to before a transaction is committed.

use std::sync::Arc;

use serde_json::Value;
use store::{Key, Writing};

use crate::{
    Commit, Instances, IntegrityError, Link, RemoteReference, ResourceChange, lifecycle,
    records::StoredRecords,
};

impl<'a> Commit<'a> {
    pub(crate) fn writing(&self) -> &'a Writing<'a> {
        self.writing
    }

    pub(crate) fn now(&self) -> i64 {
        self.writing.now().0
    }

    pub(crate) fn records_mut(&mut self) -> &mut StoredRecords<'a> {
        &mut self.records
    }

    /// Checks that other deployments have agreed to the changes, and notes it.
    pub(crate) fn agree(&mut self, changes: &[ResourceChange]) -> Result<(), IntegrityError> {
        let new = changes.iter().flat_map(|it| self.new_remote_references(it));
        let references: Vec<_> = new.filter(|it| !self.agreements.has_established(&it.target)).collect();
        if !references.is_empty() {
            return Err(IntegrityError::Unestablished { references });
        }
        let keys = changes.iter().filter(|it| is_deletion(it)).map(|it| it.key.clone());
        let keys: Vec<Key> = keys.collect();
        let (agreements, records) = (self.agreements, &mut self.records);
        if let Err(missing) = agreements.checking.allows(records, &keys) {
            return Err(IntegrityError::Unchecked { keys, missing });
        }
        if let Some(saving) = &agreements.saving {
            saving.commit(records);
        }
        for key in &keys {
            agreements.checking.delete(records, key);
        }
        Ok(())
    }

    /// The references to resources of other deployments that a resource did not refer to before. Those that may dangle, and
    /// those to owners, are not established.
    fn new_remote_references(&self, change: &ResourceChange) -> Vec<RemoteReference> {
        let old = self.overlay().base().dependencies(&change.key);
        let new = self.overlay().dependencies(&change.key).into_iter();
        let new = new.filter(|link| !link.is_soft() && !old.iter().any(|it| it.target == link.target));
        let remote = |link: Link| {
            let owner = self.rules().names.owner_of(&link.target)?;
            let place = link.via.place().to_owned();
            Some(RemoteReference { referrer: link.referrer, place, target: link.target, owner })
        };
        new.filter_map(remote).collect()
    }
}

/// True if a change removes a resource, or begins to.
fn is_deletion(change: &ResourceChange) -> bool {
    let is_active = |it: &Option<Arc<Value>>| it.as_deref().is_some_and(|it| !lifecycle::is_deleting(it));
    is_active(&change.old) && !is_active(&change.new)
}
