use std::collections::{BTreeMap, BTreeSet};

use regions::registration::NamedEntry;
use serde_json::{Value, json};

use crate::{Name, entry_key::service_name};

/// The services that may read what the registry has of a service, by the services: `metadata.services`. Those are itself, those
/// that it imports or uses, and those that import or use it (source: Goten's guide, "Resource Metadata Information").
pub(crate) fn all(entries: impl Iterator<Item = NamedEntry<Name>>) -> BTreeMap<Name, Value> {
    let mut allowed: BTreeMap<Name, BTreeSet<Name>> = BTreeMap::new();
    for (name, entry) in entries {
        let (Some(service), Some(entry)) = (name.service(), entry.value.service()) else { continue };
        allowed.entry(service.clone()).or_default().insert(service.clone());
        for other in entry.versions.values().flat_map(|it| it.imported.keys().chain(&it.used)) {
            allowed.entry(service.clone()).or_default().insert(other.clone());
            allowed.entry(other.clone()).or_default().insert(service.clone());
        }
    }
    let info = |(service, allowed): (Name, BTreeSet<Name>)| {
        let allowed: Vec<String> = allowed.iter().map(service_name).collect();
        let info = json!({"owningService": service_name(&service), "allowedServices": allowed});
        (service, info)
    };
    allowed.into_iter().map(info).collect()
}
