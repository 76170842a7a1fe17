//! What other deployments have to agree to before a transaction is committed.

use std::sync::Arc;

use serde_json::Value;
use store::Key;

use crate::{Commit, IntegrityError, Link, RemoteReference, ResourceChange, checks::new_links, lifecycle};

impl Commit<'_> {
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

    /// The new references of a resource to resources of other deployments. Those that may dangle, and those to owners, are not
    /// established.
    fn new_remote_references(&self, change: &ResourceChange) -> Vec<RemoteReference> {
        let new = new_links(self.overlay(), change).filter(|link| !link.is_soft());
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
