use std::collections::{BTreeMap, BTreeSet};

use regions::{
    MultiRegionPolicy,
    registration::{Dependencies, ServiceEntry},
};
use serde_json::{Map, Value, json};
use spec::compare_versions;

use crate::{
    Name,
    entry_key::{id_of, region_name, service_name},
};

/// The fields of a service's resource. The meta service has the services that are used for all versions together: they are read as
/// those of the newest one.
pub(crate) fn fields(entry: &ServiceEntry<Name>) -> Map<String, Value> {
    let mut versions: Vec<&Name> = entry.versions.keys().collect();
    versions.sort_by(|a, b| compare_versions(b, a));
    let services = |all: BTreeSet<&Name>| all.into_iter().map(service_name).collect::<Vec<_>>();
    let used = services(entry.versions.values().flat_map(|it| &it.used).collect());
    let imported_versions = versions.iter().flat_map(|version| {
        let imported = entry.versions.get(*version).into_iter().flat_map(|it| &it.imported);
        imported.map(move |(service, target)| {
            json!({"targetService": service_name(service), "targetServiceVersion": target, "currentServiceVersion": version})
        })
    });
    let imported_versions: Vec<Value> = imported_versions.collect();
    let policy = json!({
        "enabledRegions": entry.enabled_regions,
        "defaultControlRegion": entry.default_control_region,
    });
    let fields = [
        ("allVersions", json!(versions)),
        (MultiRegionPolicy::FIELD, policy),
        // The policy has ids only: by these names, no region is deleted that a service is in.
        ("regions", json!(entry.enabled_regions.iter().map(region_name).collect::<Vec<_>>())),
        ("importedServices", json!(services(entry.imported().collect()))),
        ("usedServices", json!(used)),
        ("importedVersions", json!(imported_versions)),
    ];
    fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
}

/// The entry of a service's resource.
pub(crate) fn entry(resource: &Value) -> ServiceEntry<Name> {
    let policy = MultiRegionPolicy::of(resource).unwrap_or_default();
    let all: Vec<Name> = texts(resource, "allVersions").map(Name::from).collect();
    let mut versions: BTreeMap<Name, Dependencies<Name>> =
        all.iter().map(|it| (it.clone(), Dependencies::default())).collect();
    for it in resource["importedVersions"].as_array().into_iter().flatten() {
        let text = |field: &str| it[field].as_str();
        let names =
            text("targetService").zip(text("targetServiceVersion")).zip(text("currentServiceVersion"));
        let Some(((service, target), current)) = names else { continue };
        versions.entry(current.into()).or_default().imported.insert(id_of(service), target.into());
    }
    if let Some(newest) = all.first().and_then(|it| versions.get_mut(it)) {
        newest.used = texts(resource, "usedServices").map(id_of).collect();
    }
    ServiceEntry {
        default_control_region: policy.default_control_region,
        enabled_regions: policy.enabled_regions,
        versions,
    }
}

/// The texts of a field with several.
pub(crate) fn texts<'a>(resource: &'a Value, field: &str) -> impl Iterator<Item = &'a str> {
    resource[field].as_array().into_iter().flatten().filter_map(Value::as_str)
}
