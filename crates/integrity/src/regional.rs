//! The regions of what a transaction writes.

use regions::{Ownership, Syncing, Unowned};
use serde_json::{Value, json};
use store::Key;

use crate::{Commit, IntegrityError, Placed};

impl Commit<'_> {
    /// Notes that a resource is to be written.
    ///
    /// # Errors
    /// [`IntegrityError::NotPlaced`] and [`IntegrityError::NotOwner`], if this region does not own it.
    pub(crate) fn own(
        &mut self,
        key: &Key,
        of: impl FnOnce(Placed) -> Result<Ownership, Unowned>,
    ) -> Result<(), IntegrityError> {
        let names = &self.rules().names;
        let Some((placed, own)) = names.placed(key).zip(names.own_region()) else { return Ok(()) };
        self.holders.extend(placed.holder.iter().map(|it| it.id.clone()));
        let owner = of(placed).map_err(|why| IntegrityError::NotPlaced { key: key.clone(), why })?.owner;
        if *owner == *own { Ok(()) } else { Err(IntegrityError::NotOwner { key: key.clone(), owner }) }
    }

    /// True if this region owns a resource, which exists.
    pub(crate) fn owns(&self, key: &Key) -> bool {
        let names = &self.rules().names;
        let placed = names.placed(key).and_then(|it| it.existing.ok());
        placed.is_none_or(|it| names.own_region().is_some_and(|own| *it.owner == *own))
    }

    /// Writes into each changed resource which regions have it.
    ///
    /// # Errors
    /// [`IntegrityError::SeveralHolders`]: "a transaction may have resources under one policy holder, and global ones" (source:
    /// Goten's guide). Resources that are deleted because of others do not count: each holder's deletions would otherwise be
    /// impossible if they have an effect below another one.
    pub(crate) fn place(&mut self) -> Result<(), IntegrityError> {
        if self.holders.len() > 1 {
            return Err(IntegrityError::SeveralHolders { holders: self.holders.iter().cloned().collect() });
        }
        if self.rules().names.own_region().is_none() {
            return Ok(());
        }
        for change in self.changes() {
            let Some(value) = change.new.as_deref() else { continue };
            if let Some(placed) = self.rules().names.placed(&change.key).and_then(|it| syncing(value, it)) {
                self.overlay_mut().save(change.key, placed);
            }
        }
        Ok(())
    }
}

/// A resource with the regions that have it; `None` if it has them already.
pub(crate) fn syncing(value: &Value, placed: Placed) -> Option<Value> {
    let syncing = json!(Syncing::from(placed.existing.ok()?));
    if value.pointer("/metadata/syncing") == Some(&syncing) {
        return None;
    }
    let mut value = value.clone();
    let metadata = value.as_object_mut()?.entry("metadata").or_insert_with(|| json!({}));
    metadata.as_object_mut()?.insert("syncing".to_owned(), syncing);
    Some(value)
}
