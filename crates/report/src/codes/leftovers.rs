//! The codes of what earlier runs left.

diag::codes! {
    /// The codes of what earlier runs left.
    pub const LEFTOVERS in "apply";

    /// Resources of this deployment that an adapter has and the state does not record.
    ///
    /// An earlier run may have created them and lost its state. `planloom apply --adopt` records them, and
    /// `--remove-orphans` destroys them.
    ORPHANS = "orphans": Warning;
}
