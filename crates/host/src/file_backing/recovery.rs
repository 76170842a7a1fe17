use std::sync::{Arc, OnceLock};

use store::Counters;

use super::seal::{Acknowledged, SealState};

/// The losses of a store's file when it was read, and its incomplete end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// The bytes at the end of the file that are not a complete write. The next write replaces them.
    pub incomplete: u64,
    /// The knowledge about acknowledged writes.
    pub lost: LostWrites,
}

/// The acknowledged writes that are missing from a store's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LostWrites {
    /// None is missing: the dropped part was never acknowledged.
    Nothing,
    /// Not known, because the file has no seal: it was written by a version without seals, or copied without it.
    NoSeal,
    /// Not known, because the seal cannot be read.
    UnreadableSeal,
    /// Some are missing: the file was cut short, or replaced by an older one.
    Missing {
        /// The number of transactions that are missing.
        transactions: u64,
        /// The number of bytes that are missing or incomplete; 0 if the file is longer than it was.
        bytes: u64,
    },
}

/// The place of the [`Recovery`] of a store's file once the store was opened, or refused to be; empty if the file was
/// as it was left.
pub type RecoveryReport = Arc<OnceLock<Recovery>>;

impl Recovery {
    /// The report about a file whose complete writes end with these counters at `end`; `None` if there is nothing to report.
    pub(super) fn of(seal: SealState, counters: Counters, end: u64, incomplete: u64) -> Option<Self> {
        let lost = match seal {
            SealState::Absent => LostWrites::NoSeal,
            SealState::Unreadable => LostWrites::UnreadableSeal,
            SealState::Sealed(Acknowledged { revision, length }) => {
                match revision.saturating_sub(counters.revision.get()) {
                    0 => LostWrites::Nothing,
                    transactions => LostWrites::Missing { transactions, bytes: length.saturating_sub(end) },
                }
            }
        };
        let is_known = matches!(lost, LostWrites::Nothing | LostWrites::NoSeal);
        (incomplete > 0 || !is_known).then_some(Self { incomplete, lost })
    }
}
