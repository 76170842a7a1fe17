use std::collections::{BTreeMap, BTreeSet};

use regions::registration::{Dependencies, Registration};
use spec::{Services, compare_versions};

use crate::Name;

/// A server that registers what it serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installation {
    /// The region.
    pub region: Name,
    /// The number by which it recognises its own entries, which its store keeps.
    pub number: u64,
    /// The address at which others reach it.
    pub address: Name,
    /// The control regions that services had before, or are to have if they are new.
    pub control_regions: BTreeMap<Name, Name>,
}

/// The registrations of a server: one for each service that it serves, with its versions, the kinds of resources and the services
/// that it imports.
pub fn registrations(services: &Services, installation: &Installation) -> Vec<Registration<Name>> {
    let served = services.services.iter().filter(|it| !it.is_import);
    let names: BTreeSet<&Name> = served.map(|it| &it.name).collect();
    names.into_iter().map(|name| registration(services, name, installation)).collect()
}

fn registration(services: &Services, name: &Name, installation: &Installation) -> Registration<Name> {
    let Installation { region, number, address, control_regions } = installation.clone();
    let mut versions: BTreeMap<Name, Dependencies<Name>> = BTreeMap::new();
    let mut resources: BTreeMap<Name, BTreeSet<Name>> = BTreeMap::new();
    for service in services.services.iter().filter(|it| !it.is_import && it.name == *name) {
        let version: Name = service.version.clone();
        for kind in &service.kinds {
            resources.entry(kind.name.clone()).or_default().insert(version.clone());
        }
        let imports = service.imports.iter().filter_map(|it| services.services.get(*it));
        let imported = imports.filter(|it| it.name != *name).map(|it| (it.name.clone(), it.version.clone()));
        versions.insert(version, Dependencies { imported: imported.collect(), used: BTreeSet::new() });
    }
    let mut versions: Vec<_> = versions.into_iter().collect();
    versions.sort_by(|a, b| compare_versions(&a.0, &b.0));
    Registration {
        service: name.clone(),
        control_region: control_regions.get(name).unwrap_or(&region).clone(),
        region,
        instance: number,
        address,
        versions,
        resources,
        // A server has one store, in which all versions have the same resources.
        has_one_storage: true,
        creates_region: false,
    }
}
