use std::{collections::VecDeque, sync::Arc};

use crate::{Key, Resource, Revision};

/// The effect of a commit on one resource.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Created(Arc<Resource>),
    Updated { old: Arc<Resource>, new: Arc<Resource> },
    Destroyed(Arc<Resource>),
}

/// A step and its number among all events of the store, of all kinds.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) sequence: u64,
    /// The commit that it is of.
    pub(crate) revision: Revision,
    pub(crate) step: Step,
    bytes: usize,
}

/// The last events of one kind, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Log {
    entries: VecDeque<Arc<Entry>>,
    /// The number of the newest event that was dropped, 0 for none.
    dropped: u64,
    /// The commit of that event.
    dropped_revision: Revision,
    bytes: usize,
}

impl Step {
    /// The resource in its current or last state.
    pub(crate) fn resource(&self) -> &Arc<Resource> {
        match self {
            Self::Created(resource) | Self::Updated { new: resource, .. } | Self::Destroyed(resource) => {
                resource
            }
        }
    }

    pub(crate) fn key(&self) -> &Key {
        self.resource().key()
    }

    /// The memory that an entry of it may keep in use by itself.
    fn bytes(&self) -> usize {
        let old = match self {
            Self::Updated { old, .. } => bytes(old),
            Self::Created(_) | Self::Destroyed(_) => 0,
        };
        size_of::<Entry>() + old + bytes(self.resource())
    }
}

/// The approximate size of a resource; shared names are not counted.
fn bytes(resource: &Resource) -> usize {
    let metadata = &resource.metadata;
    let texts = metadata.labels.iter().chain(&metadata.annotations);
    let texts: usize = texts.map(|(name, value)| name.len() + value.len() + 64).sum();
    size_of::<Resource>() + resource.spec.text().len() + metadata.key.id.len() + texts
}

impl Log {
    pub(crate) fn push(&mut self, sequence: u64, revision: Revision, step: Step) {
        let bytes = step.bytes();
        self.bytes += bytes;
        self.entries.push_back(Arc::new(Entry { sequence, revision, step, bytes }));
    }

    /// Drops the oldest entry; returns the memory that this frees.
    pub(crate) fn drop_oldest(&mut self) -> usize {
        let Some(entry) = self.entries.pop_front() else { return 0 };
        self.dropped = entry.sequence;
        self.dropped_revision = entry.revision;
        self.bytes -= entry.bytes;
        entry.bytes
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// True if it holds everything after `sequence`.
    pub(crate) fn reaches(&self, sequence: u64) -> bool {
        sequence >= self.dropped
    }

    /// The revision after which it holds everything of this process.
    pub(crate) fn start(&self) -> Revision {
        self.dropped_revision
    }

    /// The entries of the commits after a revision.
    pub(crate) fn after_revision(&self, revision: Revision) -> impl Iterator<Item = &Arc<Entry>> {
        let first = self.entries.partition_point(|entry| entry.revision <= revision);
        self.entries.range(first..)
    }

    /// True if it is in its initial state.
    pub(crate) fn is_fresh(&self) -> bool {
        self.entries.is_empty() && self.dropped == 0
    }

    /// The entries after `sequence`.
    pub(crate) fn after(&self, sequence: u64) -> impl DoubleEndedIterator<Item = &Arc<Entry>> {
        let first = self.entries.partition_point(|entry| entry.sequence <= sequence);
        self.entries.range(first..)
    }

    pub(crate) fn get(&self, sequence: u64) -> Option<&Arc<Entry>> {
        self.after(sequence.checked_sub(1)?).next().filter(|entry| entry.sequence == sequence)
    }
}
