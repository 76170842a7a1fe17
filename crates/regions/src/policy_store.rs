use std::{collections::BTreeMap, sync::Arc};

use crate::MultiRegionPolicy;

/// The policies of holders, by their names, as far as a deployment knows them: a cache that a host fills.
///
/// Goten's `PolicyStore`. What it knows stays valid because the host watches the holders, and reports each change by
/// [`set`](Self::set), or by [`forget`](Self::forget) if it only knows that there was one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyStore {
    /// `None` if the holder does not exist or has no policy.
    policies: BTreeMap<Arc<str>, Option<MultiRegionPolicy>>,
}

/// The policy that governs a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Governing<'a> {
    /// That of the nearest holder above it that has a policy with regions.
    Holder {
        /// The name of the holder: `projects/p1`.
        name: &'a str,
        /// The policy.
        policy: &'a MultiRegionPolicy,
    },
    /// That of the service: it is *global*, no holder with regions is above it.
    Service,
    /// It is not known before this holder has been read.
    Unread(&'a str),
}

impl PolicyStore {
    /// Notes the policy of a holder, as it was created, changed or deleted. `None` if it does not exist or has none.
    pub fn set(&mut self, holder: &str, policy: Option<MultiRegionPolicy>) {
        self.policies.insert(holder.into(), policy);
    }

    /// Forgets a holder, so that it has to be read again.
    pub fn forget(&mut self, holder: &str) {
        self.policies.remove(holder);
    }

    /// Forgets all holders, as after a watch that has lost changes.
    pub fn clear(&mut self) {
        self.policies.clear();
    }

    /// The policy that governs a resource, from the names of the holders above it, the nearest first. A holder is not above
    /// itself. One without a policy, or whose policy has no regions, is passed over.
    pub fn governing<'a>(&'a self, above: impl IntoIterator<Item = &'a str>) -> Governing<'a> {
        above.into_iter().find_map(|it| self.found(it)).unwrap_or(Governing::Service)
    }

    fn found<'a>(&'a self, name: &'a str) -> Option<Governing<'a>> {
        match self.policies.get(name) {
            None => Some(Governing::Unread(name)),
            Some(None) => None,
            Some(Some(policy)) => policy.has_regions().then_some(Governing::Holder { name, policy }),
        }
    }
}

impl<'a> Governing<'a> {
    /// The policy of the holder; `None` if the service's one governs. A host reads what is unread before.
    pub const fn policy(&self) -> Option<&'a MultiRegionPolicy> {
        match self {
            Self::Holder { policy, .. } => Some(policy),
            Self::Service | Self::Unread(_) => None,
        }
    }
}
