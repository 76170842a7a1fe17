use std::{collections::BTreeSet, error::Error, fmt, sync::Arc};

use crate::{MultiRegionPolicy, SyncType};

/// The facts that decide the regions of a resource. None of them is a field of the resource: regions are derived from its name
/// only (source: Goten's guide).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement<'a> {
    /// The segment `regions/{region}` of the name, which the resource has of its own or of a parent. `None` if it has none,
    /// also for resources of the kind `Region` themselves, which are in none.
    pub region: Option<&'a str>,
    /// The policy of the nearest holder above the resource, as [`PolicyStore`](crate::PolicyStore) finds it. `None` if there is
    /// none; a holder is not above itself.
    pub holder: Option<&'a MultiRegionPolicy>,
    /// The policy of the service's own record: the regions in which it is deployed, and its primary one.
    pub service: &'a MultiRegionPolicy,
    /// The kind with its service: `devices.edgelq.com/Device`.
    pub kind: &'a str,
    /// The regions that get copies, as the specification says.
    pub sync: SyncType,
}

/// The regions of a resource.
///
/// The owner is not among the copies, as in the tables of Goten's guide ("its read-only copy will go to"). In
/// [`Syncing`](crate::Syncing), which is stored with the resource, it is among the regions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ownership {
    /// The only region that writes it.
    pub owner: Arc<str>,
    /// The other regions, which have a copy that is read only.
    pub copies: BTreeSet<Arc<str>>,
}

/// The reason why a resource has no owner.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unowned {
    /// The region of the name, or the default control region of the policy, is not among the regions that the policy enables
    /// and the service is deployed in.
    NotEnabled {
        /// The region.
        region: Arc<str>,
        /// The regions that could be used instead.
        enabled: BTreeSet<Arc<str>>,
    },
    /// There are no such regions at all.
    NoRegions,
}

impl Placement<'_> {
    /// The regions of a resource that is to be created.
    ///
    /// # Errors
    /// As [`Unowned`] says: "It is forbidden to create resource within given scope outside allowed regions" (source: Goten's
    /// definition of the policy).
    pub fn ownership(&self) -> Result<Ownership, Unowned> {
        self.owned_in(&self.enabled())
    }

    /// The regions of a resource that may exist already. A policy that has changed since does not move it: the region of its
    /// name owns it still, also if the policy does not enable that any more.
    ///
    /// # Errors
    /// As [`Unowned`] says, if the service is not in the region.
    pub fn existing(&self) -> Result<Ownership, Unowned> {
        self.owned_in(&self.service.enabled_regions)
    }

    /// The regions in which the resource may be created: those that its policy enables, and the service is deployed in.
    pub fn enabled(&self) -> BTreeSet<Arc<str>> {
        let service = &self.service.enabled_regions;
        match self.policy() {
            Some(policy) => policy.enabled_regions.intersection(service).cloned().collect(),
            None => service.clone(),
        }
    }

    /// The region that owns the resource if its name has none.
    pub fn default_owner(&self) -> &Arc<str> {
        &self.policy().unwrap_or(self.service).default_control_region
    }

    /// The policy that it is subject to.
    fn policy(&self) -> Option<&MultiRegionPolicy> {
        self.holder.filter(|it| it.has_regions())
    }

    fn owned_in(&self, regions: &BTreeSet<Arc<str>>) -> Result<Ownership, Unowned> {
        if regions.is_empty() {
            return Err(Unowned::NoRegions);
        }
        let owner = self.region.map_or_else(|| self.default_owner().clone(), Into::into);
        if !regions.contains(&owner) {
            return Err(Unowned::NotEnabled { region: owner, enabled: self.enabled() });
        }
        let mut copies = self.readers(&owner);
        copies.remove(&owner);
        Ok(Ownership { owner, copies })
    }

    /// The regions that may read the resource if this one owns it.
    fn readers(&self, owner: &str) -> BTreeSet<Arc<str>> {
        let Some(policy) = self.policy() else { return self.service.enabled_regions.clone() };
        match self.sync {
            SyncType::Default => {
                let allows = |it: &Arc<str>| policy.allows_copy(self.kind, owner, it);
                self.enabled().into_iter().filter(allows).collect()
            }
            SyncType::AlwaysInScope => self.enabled(),
            SyncType::Never => BTreeSet::new(),
            SyncType::AlwaysGlobally => self.service.enabled_regions.clone(),
        }
    }
}

impl Ownership {
    /// True if a region has the resource, as its owner or as a copy.
    pub fn is_in(&self, region: &str) -> bool {
        *self.owner == *region || self.copies.contains(region)
    }

    /// All regions that have the resource, its owner among them, in order.
    pub fn regions(&self) -> BTreeSet<Arc<str>> {
        self.copies.iter().chain([&self.owner]).cloned().collect()
    }
}

impl fmt::Display for Unowned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotEnabled { region, enabled } => {
                let enabled: Vec<_> = enabled.iter().map(|it| &**it).collect();
                write!(f, "region `{region}` is not enabled; enabled are {}", enabled.join(", "))
            }
            Self::NoRegions => f.write_str("no region is enabled"),
        }
    }
}

impl Error for Unowned {}
