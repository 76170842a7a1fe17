//! Policies of regions: the regions that resources below a resource may be in, and the copies that are made of them.

mod problem;
mod read;
mod sync_type;

use std::{collections::BTreeSet, sync::Arc};

pub use problem::{PolicyMistake, PolicyProblem};
use serde_json::Value;
pub use sync_type::SyncType;

/// The policy of regions that a resource, its *policy holder*, has for the resources below it; never for itself.
///
/// Goten's `goten.types.MultiRegionPolicy`. Its holders are the kinds that a specification declares so; Goten's guide names
/// `meta.goten.com/Service`, `iam.edgelq.com/Organization` and `iam.edgelq.com/Project`. The policy of the service's own record
/// governs what is below no holder, and therefore the holders, too: their names have no region, so that two regions could
/// otherwise both create the same one.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MultiRegionPolicy {
    /// The ids of the regions in which resources may be created. Without any, the policy is as if there were none.
    pub enabled_regions: BTreeSet<Arc<str>>,
    /// The region that owns resources whose names have no region; one of the enabled ones. Blank if there are none.
    pub default_control_region: Arc<str>,
    /// The copies that are not made.
    pub criteria_for_disabled_sync: Vec<CriteriaForDisabledSync>,
}

/// A rule that forbids copies. A blank is every one: every kind, every owner, every reader.
///
/// The comments on the fields of Goten's definition exchange source and destination; its examples and its code agree on what
/// is written here (`{sourceRegion: france}` keeps what France owns in France, `{destRegion: hongkong}` keeps copies out of
/// Hong Kong).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CriteriaForDisabledSync {
    /// The kind with its service: `devices.edgelq.com/Device`.
    pub resource_type_name: Option<Arc<str>>,
    /// The region that owns the resource.
    pub source_region: Option<Arc<str>>,
    /// The region that would have the copy.
    pub dest_region: Option<Arc<str>>,
}

impl MultiRegionPolicy {
    /// The field of a resource that has its policy.
    pub const FIELD: &str = "multiRegionPolicy";

    /// The policy of a resource; `None` if it has none.
    pub fn of(resource: &Value) -> Option<Self> {
        resource.get(Self::FIELD).map(|it| Self::read(it).0)
    }

    /// True if the policy has regions.
    pub fn has_regions(&self) -> bool {
        !self.enabled_regions.is_empty()
    }

    /// True if resources may be created in a region.
    pub fn enables(&self, region: &str) -> bool {
        self.enabled_regions.contains(region)
    }

    /// True if no rule forbids that a region has a copy of a resource that another one owns. The owner has its resources
    /// whatever the rules are (source: Goten's code of the policy).
    pub fn allows_copy(&self, kind: &str, owner: &str, reader: &str) -> bool {
        owner == reader || !self.criteria_for_disabled_sync.iter().any(|it| it.forbids(kind, owner, reader))
    }

    /// The enabled regions in which a service is not deployed, so that its resources can neither be there nor be copied
    /// there. "Regions projects can use are limited to those defined for a service" (source: Goten's guide).
    pub fn regions_beyond<'a>(&'a self, service: &'a Self) -> impl Iterator<Item = &'a Arc<str>> {
        self.enabled_regions.difference(&service.enabled_regions)
    }
}

impl CriteriaForDisabledSync {
    /// True if the rule forbids that `reader` has a copy of a resource of this kind that `owner` owns.
    fn forbids(&self, kind: &str, owner: &str, reader: &str) -> bool {
        let covers = |rule: &Option<Arc<str>>, value: &str| rule.as_deref().is_none_or(|it| it == value);
        covers(&self.resource_type_name, kind)
            && covers(&self.source_region, owner)
            && covers(&self.dest_region, reader)
    }
}
