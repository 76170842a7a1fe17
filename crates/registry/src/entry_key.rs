use regions::Deployment;
use store::{Key, Kind};

use crate::{EntryName, Name, SERVICE};

/// The kinds of the meta service whose resources are entries.
pub(crate) const KINDS: [&str; 4] = ["Region", "Service", "Resource", "Deployment"];

pub(crate) fn kind(name: &str) -> Kind {
    Kind::new(SERVICE, name)
}

/// The resource of an entry.
pub(crate) fn key(name: &EntryName) -> Key {
    match name {
        EntryName::Region { region } => kind("Region").key(region_name(region)),
        EntryName::Service { service } => kind("Service").key(service_name(service)),
        EntryName::Resource { service, kind: of } => {
            kind("Resource").key(format!("{}/resources/{of}", service_name(service)))
        }
        EntryName::Deployment { service, region } => {
            kind("Deployment").key(format!("{}/deployments/{region}", service_name(service)))
        }
    }
}

/// The entry of a resource; `None` if it is none.
pub(crate) fn entry_name(key: &Key) -> Option<EntryName> {
    let segments: Vec<&str> = key.id.split('/').collect();
    match (&*key.kind.name, segments.as_slice()) {
        ("Region", ["regions", region]) => Some(EntryName::Region { region: (*region).into() }),
        ("Service", ["services", service]) => Some(EntryName::Service { service: (*service).into() }),
        ("Resource", ["services", service, "resources", kind]) => {
            Some(EntryName::Resource { service: (*service).into(), kind: (*kind).into() })
        }
        ("Deployment", ["services", service, "deployments", region]) => {
            Some(EntryName::Deployment { service: (*service).into(), region: (*region).into() })
        }
        _ => None,
    }
}

/// The deployment that an entry is of; `None` for entries of other types.
pub fn deployment_of(name: &EntryName) -> Option<Deployment> {
    match name {
        EntryName::Deployment { service, region } => {
            Some(Deployment { service: service.clone(), region: region.clone() })
        }
        EntryName::Region { .. } | EntryName::Service { .. } | EntryName::Resource { .. } => None,
    }
}

/// The name of the resource of a region.
pub(crate) fn region_name(region: &Name) -> String {
    format!("regions/{region}")
}

/// The name of the resource of a service.
pub(crate) fn service_name(service: &Name) -> String {
    format!("services/{service}")
}

/// The last id of a name.
pub(crate) fn id_of(name: &str) -> Name {
    name.rsplit_once('/').map_or(name, |(_, id)| id).into()
}
