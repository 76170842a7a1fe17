use serde::{Deserialize, Serialize};

/// The name of an entry of the registry. Names of services, regions and kinds are of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EntryName<N> {
    /// `regions/{region}`.
    Region {
        /// The region.
        region: N,
    },
    /// `services/{service}`.
    Service {
        /// The service.
        service: N,
    },
    /// `services/{service}/resources/{kind}`.
    Resource {
        /// The service.
        service: N,
        /// The kind of resource.
        kind: N,
    },
    /// `services/{service}/deployments/{region}`.
    Deployment {
        /// The service.
        service: N,
        /// The region.
        region: N,
    },
}

impl<N: PartialEq> EntryName<N> {
    /// The service of the entry; `None` for a region.
    pub const fn service(&self) -> Option<&N> {
        match self {
            Self::Region { .. } => None,
            Self::Service { service } | Self::Resource { service, .. } | Self::Deployment { service, .. } => {
                Some(service)
            }
        }
    }

    /// True for the kinds of entries whose changes deployments follow: services and their deployments (source: Goten's guide,
    /// "EnvRegistry as Service Discovery").
    pub const fn is_watched(&self) -> bool {
        match self {
            Self::Service { .. } | Self::Deployment { .. } => true,
            Self::Region { .. } | Self::Resource { .. } => false,
        }
    }
}
