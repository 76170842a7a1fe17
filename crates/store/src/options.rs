use crate::StoreError;

/// The options of a store. [`Default`] suits most uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// True if a resource must be tearing down before it can be destroyed. If not, as in COSI, its owner may
    /// destroy any resource without finalizers.
    pub strict_destroy: bool,
    /// The size of past events that are kept, in bytes. Beyond it, the oldest of the kind that takes most are
    /// dropped, so that a kind with few events keeps its past while another has many.
    pub log_bytes: usize,
    /// The number of past events that are kept for each kind, at least 1: how far a watch may be behind, and
    /// what [`From::Tail`](crate::From::Tail) and [`From::Revision`](crate::From::Revision) can send.
    pub log_entries: usize,
    /// The number of the store in bookmarks. By default it differs for each store; a fixed one makes bookmarks of the same
    /// changes the same, and those of other stores with it are then not refused.
    pub number: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self { strict_destroy: false, log_bytes: 16 << 20, log_entries: 4096, number: None }
    }
}

impl Options {
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        match self.log_entries {
            0 => Err(StoreError::InvalidOptions { why: "a log of no entries".to_owned() }),
            _ => Ok(()),
        }
    }
}
