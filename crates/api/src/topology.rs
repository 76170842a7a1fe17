use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, PoisonError, RwLock},
};

use regions::MultiRegionPolicy;
use store::Key;

/// The policy of regions that a stored resource has; `None` if it does not exist, or has none.
pub type PolicyReader = Arc<dyn Fn(&Key) -> Option<MultiRegionPolicy> + Send + Sync>;

/// For each service the regions that it is deployed in, and the one that owns what has no region and no other policy.
pub type ServiceRegions = BTreeMap<Arc<str>, MultiRegionPolicy>;

/// The deployments of services: of those that are served here, if they are in several regions, and of those that are imported.
/// Copies of it change together.
#[derive(Clone)]
pub struct Topology {
    /// The region of this deployment.
    pub own: Arc<str>,
    /// The policies of resources.
    pub policies: PolicyReader,
    services: Arc<RwLock<Arc<ServiceRegions>>>,
}

impl Topology {
    /// The deployments as they are now.
    pub fn new(own: Arc<str>, services: ServiceRegions, policies: PolicyReader) -> Self {
        Self { own, policies, services: Arc::new(RwLock::new(Arc::new(services))) }
    }

    /// The regions of services.
    pub fn services(&self) -> Arc<ServiceRegions> {
        self.services.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the regions of services; false if nothing has changed.
    #[cfg(feature = "neighbors")]
    pub(crate) fn set_services(&self, services: ServiceRegions) -> bool {
        let mut known = self.services.write().unwrap_or_else(PoisonError::into_inner);
        let is_changed = **known != services;
        if is_changed {
            *known = Arc::new(services);
        }
        is_changed
    }
}

impl fmt::Debug for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Topology")
            .field("own", &self.own)
            .field("services", &self.services())
            .finish_non_exhaustive()
    }
}
