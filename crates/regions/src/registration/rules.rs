//! The rules of the registry for what is written.

use std::collections::BTreeSet;

use crate::Name;

use super::{Entry, EntryName, Refusal, Registry, ServiceEntry};

/// Checks that a write keeps the registry valid: a service is deployed only in known regions that it enables, and what it
/// imports is deployed there, too (source: Goten's guide, "Meta Service as Service Registry").
pub(super) fn check<N: Name>(
    registry: &dyn Registry<N>,
    name: &EntryName<N>,
    entry: Option<&Entry<N>>,
) -> Result<(), Refusal<N>> {
    if entry.is_some_and(|it| !is_of_type(name, it)) {
        return Err(Refusal::WrongType);
    }
    match name {
        EntryName::Region { .. } => Ok(()),
        EntryName::Resource { service, .. } => match entry {
            Some(_) => check_service_exists(registry, service),
            None => Ok(()),
        },
        EntryName::Deployment { service, region } => match entry {
            Some(_) => check_enabled(registry, service, region),
            None => Ok(()),
        },
        EntryName::Service { service } => {
            let new = entry.and_then(Entry::service);
            check_removed(registry, service, new)?;
            new.map_or(Ok(()), |it| check_service(registry, it))
        }
    }
}

fn is_of_type<N: Name>(name: &EntryName<N>, entry: &Entry<N>) -> bool {
    match name {
        EntryName::Region { .. } => matches!(entry, Entry::Region),
        EntryName::Service { .. } => entry.service().is_some(),
        EntryName::Resource { .. } => matches!(entry, Entry::Resource { .. }),
        EntryName::Deployment { .. } => entry.deployment().is_some(),
    }
}

fn check_service_exists<N: Name>(registry: &dyn Registry<N>, service: &N) -> Result<(), Refusal<N>> {
    match registry.entry(&EntryName::Service { service: service.clone() }) {
        Some(_) => Ok(()),
        None => Err(Refusal::NoService { service: service.clone() }),
    }
}

fn check_enabled<N: Name>(registry: &dyn Registry<N>, service: &N, region: &N) -> Result<(), Refusal<N>> {
    match regions(registry, service).contains(region) {
        true => Ok(()),
        false => Err(Refusal::NotEnabled { region: region.clone() }),
    }
}

/// Checks that each region is known, and that all imported services are there.
fn check_service<N: Name>(registry: &dyn Registry<N>, new: &ServiceEntry<N>) -> Result<(), Refusal<N>> {
    let is_known = |it: &&N| registry.entry(&EntryName::Region { region: (**it).clone() }).is_some();
    if let Some(region) = new.enabled_regions.iter().find(|it| !is_known(it)) {
        return Err(Refusal::NoRegion { region: region.clone() });
    }
    for service in new.imported() {
        let there = regions(registry, service);
        if let Some(region) = new.enabled_regions.difference(&there).next() {
            return Err(Refusal::NotImportable { service: service.clone(), region: region.clone() });
        }
    }
    Ok(())
}

/// Checks that regions which a service does not enable any more have neither a deployment of it nor one that imports it.
fn check_removed<N: Name>(
    registry: &dyn Registry<N>,
    service: &N,
    new: Option<&ServiceEntry<N>>,
) -> Result<(), Refusal<N>> {
    let mut removed = regions(registry, service);
    removed.retain(|it| new.is_none_or(|new| !new.enabled_regions.contains(it)));
    for region in removed {
        let deployment = EntryName::Deployment { service: service.clone(), region: region.clone() };
        if registry.entry(&deployment).is_some() {
            return Err(Refusal::Deployed { region });
        }
        if let Some(by) = importer(registry, service, &region) {
            return Err(Refusal::Imported { by, region });
        }
    }
    Ok(())
}

/// The first service that imports another one and is deployed in a region.
fn importer<N: Name>(registry: &dyn Registry<N>, service: &N, region: &N) -> Option<N> {
    registry.entries().find_map(|(name, it)| {
        let by = it.value.service()?;
        let imports = by.enabled_regions.contains(region) && by.imported().any(|it| it == service);
        name.service().filter(|it| imports && *it != service).cloned()
    })
}

fn regions<N: Name>(registry: &dyn Registry<N>, service: &N) -> BTreeSet<N> {
    let entry = registry.entry(&EntryName::Service { service: service.clone() });
    let regions = entry.and_then(|it| Some(it.value.service()?.enabled_regions.clone()));
    regions.unwrap_or_default()
}
