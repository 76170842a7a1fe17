use serde::Serialize;

use crate::{BackendError, Commit, Snapshot, checksum::with_checksum, read};

impl Snapshot {
    /// As text, on one line: its [checksum](crate::checksum), then the other keys sorted, so that the same snapshot is
    /// always the same bytes.
    pub fn to_text(&self) -> String {
        with_checksum(&canonical(self)) + "\n"
    }

    /// What a commit has to [follow](Commit::follows).
    pub fn place(&self) -> (&str, u64) {
        (&self.lineage, self.serial)
    }
}

impl Commit {
    /// As text, on one line without its end: its [checksum](crate::checksum), then the other keys sorted.
    pub fn to_line(&self) -> String {
        with_checksum(&canonical(self))
    }

    /// The same, which also says whose commit it is.
    pub fn to_line_of(&self, lineage: &str) -> String {
        let mut json = serde_json::to_value(self).unwrap_or_default();
        if let Some(object) = json.as_object_mut() {
            object.insert("lineage".into(), lineage.into());
        }
        with_checksum(&canonical(&json))
    }

    /// Whether it comes right after what is kept, of which lineage and serial are given, with `after` as its result.
    ///
    /// # Errors
    /// [`BackendError::Stale`] where its serial is not the next one, [`BackendError::Invalid`] where the state of another
    /// deployment is kept, or [it cannot be read back](Self::check).
    pub fn follows(&self, kept: Option<(&str, u64)>, after: &Snapshot) -> Result<(), BackendError> {
        self.check()?;
        if kept.is_some_and(|(lineage, _)| lineage != after.lineage) {
            let why = "the state of another deployment is kept here: its lineage differs".to_owned();
            return Err(BackendError::Invalid(why));
        }
        match kept.map_or(0, |(_, serial)| serial) {
            kept if kept + 1 == self.serial && after.serial == self.serial => Ok(()),
            kept => Err(BackendError::Stale { wanted: self.serial, kept }),
        }
    }

    /// Whether what is read back will be this: a state that cannot be read is lost.
    ///
    /// # Errors
    /// [`BackendError::Invalid`]: the change that is to blame.
    pub fn check(&self) -> Result<(), BackendError> {
        if self.serial > read::GREATEST {
            return Err(BackendError::Invalid(format!("the serial {} is too great", self.serial)));
        }
        self.changes.iter().find_map(read::misfit).map_or(Ok(()), |why| Err(BackendError::Invalid(why)))
    }
}

/// JSON with its keys sorted. Strings are keys everywhere, so there is nothing that could not be written.
pub(crate) fn canonical(what: &impl Serialize) -> String {
    let mut json = serde_json::to_value(what).unwrap_or_default();
    json.sort_all_objects();
    json.to_string()
}
