use regions::{
    Deployment,
    references::{Checking, Saving},
};
use store::Key;

/// What other deployments have agreed to for one transaction: that resources of theirs can be referred to, and that resources of
/// ours can be deleted. See [`regions::references`].
#[derive(Clone, Debug, Default)]
pub struct Agreements {
    /// The references that are established for it.
    pub saving: Option<Saving<Deployment, Key>>,
    /// The deletions that the sources of references were asked about.
    pub checking: Checking<Deployment, Key>,
}

impl Agreements {
    /// The resources that other deployments depend on without blocking their deletion.
    pub(crate) fn held(&self) -> impl Iterator<Item = &Key> {
        self.checking.depended_on()
    }

    #[cfg(feature = "deployments")]
    pub(crate) fn has_established(&self, key: &Key) -> bool {
        self.saving.as_ref().is_some_and(|it| it.has_established(key))
    }
}
