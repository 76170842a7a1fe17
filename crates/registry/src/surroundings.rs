use std::collections::BTreeMap;

use regions::{Deployment, MultiRegionPolicy, registration::Entries};

use crate::{Name, entry_key::deployment_of};

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
            let policy = entry.value.service().map(|it| MultiRegionPolicy {
                enabled_regions: it.enabled_regions.clone(),
                default_control_region: it.default_control_region.clone(),
                criteria_for_disabled_sync: Vec::new(),
            });
            self.services.extend(name.service().cloned().zip(policy));
            let address = entry.value.deployment().map(|it| it.address.clone());
            self.addresses.extend(deployment_of(name).zip(address));
        }
    }
}
