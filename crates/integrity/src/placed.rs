use regions::{Ownership, Unowned};
use store::Key;

/// The regions of a resource, as its name and the policies of regions say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The resource whose policy governs it; `None` if that of the service does.
    pub holder: Option<Key>,
    /// Its regions if it is created.
    pub new: Result<Ownership, Unowned>,
    /// Its regions if it exists.
    pub existing: Result<Ownership, Unowned>,
}
