use std::collections::BTreeMap;

use regions::{Deployment, MultiRegionPolicy, registration::Entries};

use crate::{EntryName, Name};

/// What a server knows of the services that concern it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// For each service the regions that it is in, and the one that owns what has no region and no other policy.
    pub services: BTreeMap<Name, MultiRegionPolicy>,
    /// The addresses of deployments.
    pub addresses: BTreeMap<Deployment, Name>,
}

impl Surroundings {
    /// Adds services and deployments of the registry.
    pub fn add(&mut self, entries: &Entries<Name>) {
        for (name, entry) in entries {
            match name {
                EntryName::Service { service } => {
                    let policy = entry.value.service().map(|it| MultiRegionPolicy {
                        enabled_regions: it.enabled_regions.clone(),
                        default_control_region: it.default_control_region.clone(),
                        criteria_for_disabled_sync: Vec::new(),
                    });
                    self.services.extend(policy.map(|it| (service.clone(), it)));
                }
                EntryName::Deployment { service, region } => {
                    let deployment = Deployment { service: service.clone(), region: region.clone() };
                    let address = entry.value.deployment().map(|it| it.address.clone());
                    self.addresses.extend(address.map(|it| (deployment, it)));
                }
                EntryName::Region { .. } | EntryName::Resource { .. } => {}
            }
        }
    }
}
