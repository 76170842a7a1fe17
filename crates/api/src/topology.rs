use std::{collections::BTreeMap, fmt, sync::Arc};

use regions::MultiRegionPolicy;
use store::Key;

/// The policy of regions that a stored resource has; `None` if it does not exist, or has none.
pub type PolicyReader = Arc<dyn Fn(&Key) -> Option<MultiRegionPolicy> + Send + Sync>;

/// The deployments of services: of those that are served here, if they are in several regions, and of those that are imported.
#[derive(Clone)]
pub struct Topology {
    /// The region of this deployment.
    pub own: Arc<str>,
    /// For each service the regions that it is deployed in, and the one that owns what has no region and no other policy.
    pub services: BTreeMap<Arc<str>, MultiRegionPolicy>,
    /// The policies of resources.
    pub policies: PolicyReader,
}

impl fmt::Debug for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Topology")
            .field("own", &self.own)
            .field("services", &self.services)
            .finish_non_exhaustive()
    }
}
