use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{Name, upgrade::ActiveVersion};

/// An entry of the registry: a resource of Goten's meta service.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[serde(bound(deserialize = "N: Ord + serde::Deserialize<'de>"))]
pub enum Entry<N: Ord> {
    /// A region in which services can be deployed.
    Region,
    /// A service.
    Service(ServiceEntry<N>),
    /// A kind of resource of a service.
    Resource {
        /// The versions that have it.
        versions: BTreeSet<N>,
    },
    /// A service in a region.
    Deployment(DeploymentEntry<N>),
}

/// A service in the registry. All its deployments write it together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(bound(deserialize = "N: Ord + serde::Deserialize<'de>"))]
pub struct ServiceEntry<N: Ord> {
    /// The region that owns what is not regional: that of the first deployment.
    pub default_control_region: N,
    /// The regions that it is deployed in, or about to be.
    pub enabled_regions: BTreeSet<N>,
    /// Its versions, with the services that each depends on.
    pub versions: BTreeMap<N, Dependencies<N>>,
}

/// The services that a version of a service depends on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(bound(deserialize = "N: Ord + serde::Deserialize<'de>"))]
pub struct Dependencies<N: Ord> {
    /// Those whose resources its own refer to, each with its version. They have to be deployed in each of its regions.
    pub imported: BTreeMap<N, N>,
    /// Those that it calls as a client.
    pub used: BTreeSet<N>,
}

/// A deployment in the registry, which it writes itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(bound(deserialize = "N: Ord + serde::Deserialize<'de>"))]
pub struct DeploymentEntry<N: Ord> {
    /// The number of the installation, which all its processes share and keep. By it a deployment recognises its own entry.
    pub instance: u64,
    /// The number of times that a process of the deployment has registered it.
    pub registrations: u64,
    /// The address at which others reach it.
    pub address: N,
    /// The version that it operates on.
    pub version: ActiveVersion<N>,
}

impl<N: Ord> Default for Dependencies<N> {
    fn default() -> Self {
        Self { imported: BTreeMap::new(), used: BTreeSet::new() }
    }
}

impl<N: Name> ServiceEntry<N> {
    /// The services whose resources its own refer to, in any version.
    pub fn imported(&self) -> impl Iterator<Item = &N> {
        self.versions.values().flat_map(|it| it.imported.keys())
    }

    /// True if any version of it imports or uses another service.
    pub fn depends_on(&self, service: &N) -> bool {
        self.versions.values().any(|it| it.imported.contains_key(service) || it.used.contains(service))
    }
}

impl<N: Ord> Entry<N> {
    /// The service, if it is one.
    pub const fn service(&self) -> Option<&ServiceEntry<N>> {
        match self {
            Self::Service(service) => Some(service),
            Self::Region | Self::Resource { .. } | Self::Deployment(_) => None,
        }
    }

    /// The deployment, if it is one.
    pub const fn deployment(&self) -> Option<&DeploymentEntry<N>> {
        match self {
            Self::Deployment(deployment) => Some(deployment),
            Self::Region | Self::Resource { .. } | Self::Service(_) => None,
        }
    }
}
