use serde::Serialize;

use crate::{BackendError, Commit, Snapshot, checksum::with_checksum, read};

impl Snapshot {
    /// The snapshot as text on one line: its [checksum](crate::checksum), then the other keys sorted, so that
    /// the same snapshot always has the same bytes.
    pub fn to_text(&self) -> String {
        with_checksum(&canonical(self)) + "\n"
    }

    /// The lineage and serial that a commit has to [follow](Commit::follows).
    pub fn place(&self) -> (&str, u64) {
        (&self.lineage, self.serial)
    }
}

impl Commit {
    /// The commit as text on one line without its end: its [checksum](crate::checksum), then the other keys
    /// sorted.
    pub fn to_line(&self) -> String {
        with_checksum(&canonical(self))
    }

    /// The same, with the lineage that it belongs to.
    pub fn to_line_of(&self, lineage: &str) -> String {
        let mut json = serde_json::to_value(self).unwrap_or_default();
        if let Some(object) = json.as_object_mut() {
            object.insert("lineage".into(), lineage.into());
        }
        with_checksum(&canonical(&json))
    }

    /// Checks that it comes directly after the state with that lineage and serial, with `after` as its
    /// result.
    ///
    /// # Errors
    /// [`BackendError::Stale`] if its serial is not the next one, [`BackendError::Invalid`] if the state is
    /// of another deployment, or if [it cannot be read back](Self::check).
    pub fn follows(&self, kept: Option<(&str, u64)>, after: &Snapshot) -> Result<(), BackendError> {
        self.check()?;
        if kept.is_some_and(|(lineage, _)| lineage != after.lineage) {
            let why = "the state of another deployment is kept here: its lineage differs".to_owned();
            return Err(BackendError::Invalid(why));
        }
        match kept.map_or(0, |(_, serial)| serial) {
            kept if kept + 1 == self.serial && after.serial == self.serial => Ok(()),
            kept => Err(BackendError::Stale { requested: self.serial, kept }),
        }
    }

    /// Checks that reading it back will give the same: a state that cannot be read is lost.
    ///
    /// # Errors
    /// [`BackendError::Invalid`], which names the change at fault.
    pub fn check(&self) -> Result<(), BackendError> {
        if self.serial > read::GREATEST {
            return Err(BackendError::Invalid(format!("the serial {} is too great", self.serial)));
        }
        self.changes.iter().find_map(read::misfit).map_or(Ok(()), |why| Err(BackendError::Invalid(why)))
    }
}

/// JSON with sorted keys. All keys are strings, so writing cannot fail.
pub(crate) fn canonical(what: &impl Serialize) -> String {
    let mut json = serde_json::to_value(what).unwrap_or_default();
    json.sort_all_objects();
    json.to_string()
}
