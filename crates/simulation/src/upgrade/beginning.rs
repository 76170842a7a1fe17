//! The registry in the beginning, and what users ask of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroU16,
};

use regions::{
    registration::{Dependencies, DeploymentEntry, Entry, EntryName, Registry, ServiceEntry},
    upgrade::{ActiveVersion, Change},
};

use super::Scenario;
use crate::registry::{Id, MemoryRegistry};

/// The number of the service.
const SERVICE: Id = 1;

/// The name of a deployment's entry.
pub(super) const fn deployment(region: Id) -> EntryName<Id> {
    EntryName::Deployment { service: SERVICE, region }
}

/// The change with which a user begins an upgrade.
pub(super) fn begin(target: Id, shards: u16) -> Change<Id> {
    Change::Begin { target, shards: NonZeroU16::new(shards).unwrap_or(NonZeroU16::MIN) }
}

/// A registry with the deployments of a scenario.
pub(super) fn registry(scenario: &Scenario) -> MemoryRegistry {
    let regions: BTreeSet<Id> = scenario.regions.keys().copied().collect();
    let mut registry = MemoryRegistry::with_regions(&regions);
    let service = ServiceEntry {
        default_control_region: regions.first().copied().unwrap_or_default(),
        enabled_regions: regions,
        versions: BTreeMap::from([(1, Dependencies::default())]),
    };
    registry.write(&EntryName::Service { service: SERVICE }, Some(Entry::Service(service)));
    for (region, versions) in &scenario.regions {
        let version = ActiveVersion {
            supported_versions: versions.clone(),
            current_version: versions.first().copied().unwrap_or_default(),
            upgrade_state: None,
            generation: 0,
            nodes: BTreeMap::new(),
            departures: 0,
            freeze: None,
        };
        let entry =
            DeploymentEntry { instance: u64::from(*region), registrations: 1, address: *region, version };
        registry.write(&deployment(*region), Some(Entry::Deployment(entry)));
    }
    registry
}
