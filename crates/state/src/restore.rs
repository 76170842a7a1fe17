use crate::{BackendError, Change, Commit, Snapshot};

impl Snapshot {
    /// The commit that replaces the resources by those of an older version. It is a commit like any other:
    /// the state before stays in the history.
    ///
    /// # Errors
    /// [`BackendError::Invalid`] while there are writes in the journal, or if the other version is of another
    /// deployment.
    pub fn restore(&self, old: &Self) -> Result<Commit, BackendError> {
        if old.lineage != self.lineage {
            let why = "that version belongs to another deployment: its lineage differs".to_owned();
            return Err(BackendError::Invalid(why));
        }
        if let Some(intent) = self.journal.first() {
            let why = format!("`{}` may be incomplete: apply or destroy first, then restore", intent.address);
            return Err(BackendError::Invalid(why));
        }
        let gone = self.resources.keys().filter(|it| !old.resources.contains_key(*it));
        let gone = gone.map(|it| Change::Remove(it.clone()));
        let other = old.resources.iter().filter(|(address, it)| self.resources.get(*address) != Some(it));
        let put = other.map(|(address, it)| Change::Put(address.clone(), Box::new(it.clone())));
        Ok(Commit { serial: self.serial + 1, changes: gone.chain(put).collect() })
    }

    /// The addresses of resources that may exist and would not be known any more after
    /// [`restore`](Self::restore): they are recorded here, and not as the same resource there.
    pub fn lost_by_restoring(&self, old: &Self) -> Vec<&str> {
        let is_known =
            |address: &String, id: &String| old.resources.get(address).is_some_and(|it| it.id == *id);
        let exists = self.resources.iter().filter(|(_, it)| !it.id.is_empty() && it.phase != "terminated");
        exists.filter(|(address, it)| !is_known(address, &it.id)).map(|(address, _)| &**address).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entry, testing::entry};

    #[test]
    fn restoring_forgets_resources_missing_in_the_older_version() {
        let of = |entries: &[(&str, Entry)]| {
            let mut snapshot = Snapshot::new("shop", "l");
            snapshot
                .resources
                .extend(entries.iter().map(|(address, it)| ((*address).to_owned(), it.clone())));
            snapshot
        };
        let now = of(&[
            ("services.a", entry("same")),
            ("services.b", entry("recreated")),
            ("services.c", entry("new")),
            ("services.d", Entry { phase: "terminated".into(), ..entry("gone") }),
            ("services.e", Entry { id: String::new(), ..entry("never made") }),
        ]);
        let old = of(&[("services.a", entry("same")), ("services.b", entry("old"))]);
        assert_eq!(now.lost_by_restoring(&old), ["services.b", "services.c"]);
        assert_eq!(now.lost_by_restoring(&now), [""; 0]);
    }
}
