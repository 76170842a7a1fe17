use crate::{BackendError, Change, Commit, Snapshot};

impl Snapshot {
    /// The commit after which this one's resources are those of an older version. It is a commit like any other: what
    /// was there before stays in the history.
    ///
    /// # Errors
    /// [`BackendError::Invalid`] while the journal says that something is being done, or where the other is of another
    /// deployment.
    pub fn restore(&self, old: &Self) -> Result<Commit, BackendError> {
        if old.lineage != self.lineage {
            let why = "that version is of another deployment: its lineage is another".to_owned();
            return Err(BackendError::Invalid(why));
        }
        if let Some(intent) = self.journal.first() {
            let why = format!("`{}` may be half done: apply or destroy first, then restore", intent.address);
            return Err(BackendError::Invalid(why));
        }
        let gone = self.resources.keys().filter(|it| !old.resources.contains_key(*it));
        let gone = gone.map(|it| Change::Remove(it.clone()));
        let other = old.resources.iter().filter(|(address, it)| self.resources.get(*address) != Some(it));
        let put = other.map(|(address, it)| Change::Put(address.clone(), Box::new(it.clone())));
        Ok(Commit { serial: self.serial + 1, changes: gone.chain(put).collect() })
    }
}
