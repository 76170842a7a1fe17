use std::{collections::BTreeSet, fmt, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Ownership;

/// The field `metadata.syncing` of a resource, which its owner keeps.
///
/// The owner is among the regions, as Goten's code computes them (`ComputeSyncingRegions`), although an example of its guide
/// leaves it out. So a filter `metadata.syncing.regions CONTAINS r` selects what `r` can see, which is what the guide promises;
/// for copying there is no difference, because a region copies only from others. All regions are listed: `*`, which Goten's
/// definition allows for "all", is never written, because filters do not know it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Syncing {
    /// The region that writes the resource.
    pub owning_region: Arc<str>,
    /// The regions that have the resource, in order.
    pub regions: BTreeSet<Arc<str>>,
}

impl From<Ownership> for Syncing {
    fn from(ownership: Ownership) -> Self {
        Self { regions: ownership.regions(), owning_region: ownership.owner }
    }
}

/// A condition on `metadata.syncing`, which selects resources by their regions. Both parts have to hold; one that is absent
/// always does.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SyncingFilter {
    /// The region that owns the resource.
    pub owning_region: Option<Arc<str>>,
    /// A region that has it.
    pub regions_contain: Option<Arc<str>>,
}

impl SyncingFilter {
    /// The condition that a region owns the resource.
    pub fn owned_by(region: Arc<str>) -> Self {
        Self { owning_region: Some(region), regions_contain: None }
    }

    /// True if it selects a resource.
    pub fn selects(&self, syncing: &Syncing) -> bool {
        self.owning_region.as_ref().is_none_or(|it| *it == syncing.owning_region)
            && self.regions_contain.as_ref().is_none_or(|it| syncing.regions.contains(it))
    }

    /// The filter that selects what another filter selects, and this condition, too. The other filter has to be valid, or
    /// empty; it may contain comments.
    pub fn restrict(&self, filter: &str) -> String {
        match (filter.trim().is_empty(), self == &Self::default()) {
            (true, _) => self.to_string(),
            (false, true) => filter.to_owned(),
            // A comment ends with its line, and must not hide the parenthesis.
            (false, false) if filter.contains("--") => format!("({filter}\n) AND {self}"),
            (false, false) => format!("({filter}) AND {self}"),
        }
    }
}

/// The condition in Goten's language of filters; empty if it selects everything.
impl fmt::Display for SyncingFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(region) = &self.owning_region {
            write!(f, "metadata.syncing.owningRegion = {}", quoted(region))?;
        }
        if self.owning_region.is_some() && self.regions_contain.is_some() {
            f.write_str(" AND ")?;
        }
        match &self.regions_contain {
            Some(region) => write!(f, "metadata.syncing.regions CONTAINS {}", quoted(region)),
            None => Ok(()),
        }
    }
}

/// A text in a filter, whose strings are those of JSON.
fn quoted(text: &str) -> Value {
    Value::from(text)
}

/// The watches by which a deployment keeps its copies: one on each other region of its service, for what that one owns and
/// this one has. All deployments together watch each other (source: Goten's guide, "Multi-Region Sync Flow").
pub fn replication_watches(own: &str, regions: &BTreeSet<Arc<str>>) -> Vec<(Arc<str>, SyncingFilter)> {
    let filter =
        |it: &Arc<str>| SyncingFilter { owning_region: Some(it.clone()), regions_contain: Some(own.into()) };
    regions.iter().filter(|it| ***it != *own).map(|it| (it.clone(), filter(it))).collect()
}
