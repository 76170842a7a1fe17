use std::sync::Arc;

use crate::{
    Key, Kind, Resource, Revision,
    log::{Entry, Step},
    state::State,
};

/// The changes of some kinds after a revision, as far as the logs of the store hold them.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeLog {
    /// The revision after which the logs have every change of these kinds. If it is greater than the one that was requested,
    /// changes are missing.
    pub start: Revision,
    /// The revision up to which the changes are listed.
    pub upto: Revision,
    /// The changes, in the order of their revisions: whole commits, and one for each resource and commit.
    pub changes: Vec<LoggedChange>,
}

/// The effect of one commit on one resource.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedChange {
    /// The commit.
    pub revision: Revision,
    /// The resource.
    pub key: Key,
    /// Before; `None` if it was created.
    pub old: Option<Arc<Resource>>,
    /// After; `None` if it was destroyed.
    pub new: Option<Arc<Resource>>,
}

impl ChangeLog {
    /// Reads whole commits until there are `limit` changes.
    pub(crate) fn read(state: &State, kinds: &[Kind], after: Revision, limit: usize) -> Self {
        let logs = || kinds.iter().filter_map(|kind| state.kind(kind)).map(|it| &it.log);
        let start = logs().map(|it| it.start()).fold(state.loaded, Ord::max);
        // A kind with more changes than the limit says where to stop: what comes after that cannot be used.
        let cut =
            logs().filter_map(|it| it.after_revision(after).nth(limit.max(1))).map(|it| it.revision).min();
        let upto = cut.unwrap_or_else(|| state.revision());
        let entries = logs().flat_map(|log| log.after_revision(after).take_while(|it| it.revision <= upto));
        let mut entries: Vec<&Arc<Entry>> = entries.collect();
        entries.sort_unstable_by_key(|it| it.sequence);
        let mut log = Self { start, upto, changes: Vec::new() };
        for entry in entries {
            let is_next = log.changes.last().is_some_and(|it| it.revision < entry.revision);
            if is_next && log.changes.len() >= limit.max(1) {
                log.upto = log.changes.last().map_or(log.upto, |it| it.revision);
                break;
            }
            log.add(entry);
        }
        log
    }

    /// Adds an entry. A resource that a commit destroyed and created again has two, one after the other.
    fn add(&mut self, entry: &Entry) {
        let (key, revision) = (entry.step.key(), entry.revision);
        let (old, new) = match &entry.step {
            Step::Created(new) => (None, Some(new.clone())),
            Step::Updated { old, new } => (Some(old.clone()), Some(new.clone())),
            Step::Destroyed(old) => (Some(old.clone()), None),
        };
        match self.changes.last_mut().filter(|it| it.revision == revision && it.key == *key) {
            Some(last) => last.new = new,
            None => self.changes.push(LoggedChange { revision, key: key.clone(), old, new }),
        }
    }
}
