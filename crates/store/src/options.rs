use crate::StoreError;

/// How a store behaves. [`Default`] is what most need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether a resource must be tearing down before it can be destroyed. Off, as in COSI: its owner may destroy
    /// what nobody holds.
    pub strict_destroy: bool,
    /// How many bytes of past events are kept in all. Beyond it the oldest of the kind that takes most go, so that
    /// a quiet kind keeps its past while another is noisy.
    pub log_bytes: usize,
    /// How many past events are kept for each kind, at least 1: how far a watch may be behind, and what
    /// [`From::Tail`](crate::From::Tail) and [`From::Revision`](crate::From::Revision) can show.
    pub log_entries: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { strict_destroy: false, log_bytes: 16 << 20, log_entries: 4096 }
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
