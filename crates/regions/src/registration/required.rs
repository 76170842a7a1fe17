use std::collections::{BTreeMap, BTreeSet};

use crate::{Name, upgrade::ActiveVersion};

use super::{Dependencies, DeploymentEntry, Entry, EntryName, Refusal, ServiceEntry};

/// The entries that a deployment has to have in the registry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Registration<N: Ord> {
    /// The service.
    pub service: N,
    /// The region.
    pub region: N,
    /// The number of the installation; see [`DeploymentEntry::instance`].
    pub instance: u64,
    /// The address at which others reach it.
    pub address: N,
    /// The versions of the service that its program has, the oldest first, with what each depends on.
    pub versions: Vec<(N, Dependencies<N>)>,
    /// The kinds of resources of the service, with the versions that have them.
    pub resources: BTreeMap<N, BTreeSet<N>>,
    /// The control region of the service, if this is its first deployment: its own region, or the one that the service had before the
    /// registry lost its entry.
    pub control_region: N,
    /// True if all versions have one storage: then it operates on the newest one without an upgrade.
    pub has_one_storage: bool,
    /// True if it creates the entry of its region, which only the registry's own service does.
    pub creates_region: bool,
}

/// A write that is needed before an entry is as it has to be.
pub(super) type Needed<N> = Result<Option<Option<Entry<N>>>, Refusal<N>>;

impl<N: Name> Registration<N> {
    /// The name of the service's entry.
    pub fn service_name(&self) -> EntryName<N> {
        EntryName::Service { service: self.service.clone() }
    }

    /// The name of the deployment's entry.
    pub fn deployment_name(&self) -> EntryName<N> {
        EntryName::Deployment { service: self.service.clone(), region: self.region.clone() }
    }

    /// The entries in the order in which they are created: each after those that it needs, the deployment last.
    pub(super) fn names(&self) -> Vec<EntryName<N>> {
        let region = self.creates_region.then(|| EntryName::Region { region: self.region.clone() });
        let kind = |kind: &N| EntryName::Resource { service: self.service.clone(), kind: kind.clone() };
        let above = region.into_iter().chain([self.service_name()]);
        above.chain(self.resources.keys().map(kind)).chain([self.deployment_name()]).collect()
    }

    /// The write that adds to an entry what belongs to this deployment, and keeps what belongs to others. A deployment is written
    /// again if that `is_old`.
    pub(super) fn added(&self, name: &EntryName<N>, there: Option<&Entry<N>>, is_old: bool) -> Needed<N> {
        let entry = match name {
            EntryName::Region { .. } => Entry::Region,
            EntryName::Service { .. } => Entry::Service(self.service(there.and_then(Entry::service))),
            EntryName::Resource { kind, .. } => self.resource(kind, there),
            EntryName::Deployment { .. } => {
                Entry::Deployment(self.deployment(there.and_then(Entry::deployment), is_old)?)
            }
        };
        Ok((there != Some(&entry)).then_some(Some(entry)))
    }

    /// The write that removes from an entry what belongs to this deployment only.
    pub(super) fn removed(&self, name: &EntryName<N>, there: Option<&Entry<N>>) -> Needed<N> {
        match name {
            EntryName::Region { .. } | EntryName::Resource { .. } => Ok(None),
            EntryName::Deployment { .. } => match there.and_then(Entry::deployment) {
                None => Ok(None),
                Some(it) if it.instance == self.instance => Ok(Some(None)),
                Some(it) => Err(Refusal::Taken { instance: it.instance }),
            },
            EntryName::Service { .. } => Ok(there.and_then(Entry::service).and_then(|it| self.without(it))),
        }
    }

    /// The service with this region and these versions.
    fn service(&self, there: Option<&ServiceEntry<N>>) -> ServiceEntry<N> {
        let mut service = there.cloned().unwrap_or_else(|| ServiceEntry {
            default_control_region: self.control_region.clone(),
            enabled_regions: BTreeSet::from([self.control_region.clone()]),
            versions: BTreeMap::new(),
        });
        service.enabled_regions.insert(self.region.clone());
        service.versions.extend(self.versions.iter().cloned());
        service
    }

    /// The service without this region; without any region there is no service. Its control region is then the first of the
    /// others.
    fn without(&self, there: &ServiceEntry<N>) -> Option<Option<Entry<N>>> {
        let mut service = there.clone();
        if !service.enabled_regions.remove(&self.region) {
            return None;
        }
        let Some(first) = service.enabled_regions.first().cloned() else { return Some(None) };
        if service.default_control_region == self.region {
            service.default_control_region = first;
        }
        Some(Some(Entry::Service(service)))
    }

    fn resource(&self, kind: &N, there: Option<&Entry<N>>) -> Entry<N> {
        let mut all = self.resources.get(kind).cloned().unwrap_or_default();
        if let Some(Entry::Resource { versions }) = there {
            all.extend(versions.iter().cloned());
        }
        Entry::Resource { versions: all }
    }

    /// The deployment with the versions of this program. The version that it operates on is changed by upgrades only.
    fn deployment(
        &self,
        there: Option<&DeploymentEntry<N>>,
        is_old: bool,
    ) -> Result<DeploymentEntry<N>, Refusal<N>> {
        let versions: Vec<N> = self.versions.iter().map(|(version, _)| version.clone()).collect();
        let (instance, address) = (self.instance, self.address.clone());
        let Some(there) = there else {
            let version = ActiveVersion::first(versions)?;
            return Ok(DeploymentEntry { instance, registrations: 1, address, version });
        };
        if there.instance != instance {
            return Err(Refusal::Taken { instance: there.instance });
        }
        let registrations = there.registrations.saturating_add(u64::from(is_old));
        let version = match self.has_one_storage {
            true => there.version.on_newest(versions)?,
            false => there.version.with_versions(versions)?,
        };
        Ok(DeploymentEntry { instance, registrations, address, version })
    }
}
