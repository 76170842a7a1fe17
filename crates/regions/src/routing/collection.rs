use std::{collections::BTreeSet, sync::Arc};

use crate::{MultiRegionPolicy, Ownership, Placement, SyncType, SyncingFilter, Unowned};

/// The resources that a request for a collection asks for.
#[derive(Clone, Copy, Debug)]
pub struct Collection<'a> {
    /// The holder above them.
    pub holder: CollectionHolder<'a>,
    /// The region in their names.
    pub region: CollectionRegion<'a>,
    /// Their kind with its service.
    pub kind: &'a str,
    /// The regions that get copies of the kind.
    pub sync: SyncType,
    /// The conditions on `metadata.syncing` that hold for all that the request's filter selects: parts of a conjunction.
    pub filter: &'a SyncingFilter,
}

/// The holder whose policy governs the resources of a collection, as far as the parent in the request says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectionHolder<'a> {
    /// None: they are global.
    Global,
    /// The one with this policy: `projects/p1`.
    One(&'a MultiRegionPolicy),
    /// Each may have another one, as with a wildcard: `projects/-`.
    Any,
}

/// The region in the names of the resources of a collection, as far as the parent in the request says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CollectionRegion<'a> {
    /// Names have none.
    None,
    /// Each may have another one, or none: `projects/p1`, `projects/p1/regions/-`.
    Any,
    /// This one: `projects/-/regions/us-west2`.
    One(&'a str),
}

/// The regions that matter to a collection.
pub(super) struct Coverage {
    /// Those that may own resources of it.
    pub(super) owners: BTreeSet<Arc<str>>,
    /// Those that have all of it.
    pub(super) readers: BTreeSet<Arc<str>>,
    /// The one to prefer among the readers.
    pub(super) preferred: Arc<str>,
}

impl Collection<'_> {
    pub(super) fn coverage(&self, service: &MultiRegionPolicy) -> Result<Coverage, Unowned> {
        let placement = self.placement(service);
        let owners = self.owners(&placement)?;
        let readers = match self.holder {
            CollectionHolder::Any => self.readers_below_any(&owners, service),
            CollectionHolder::Global | CollectionHolder::One(_) => {
                self.readers_below_one(&owners, &placement)?
            }
        };
        let only = owners.first().filter(|_| owners.len() == 1);
        let preferred = only.unwrap_or_else(|| placement.default_owner()).clone();
        Ok(Coverage { owners, readers, preferred })
    }

    fn placement<'p>(&'p self, service: &'p MultiRegionPolicy) -> Placement<'p> {
        let holder = match self.holder {
            CollectionHolder::Global | CollectionHolder::Any => None,
            CollectionHolder::One(policy) => Some(policy),
        };
        let region = match self.region {
            CollectionRegion::None | CollectionRegion::Any => None,
            CollectionRegion::One(region) => Some(region),
        };
        Placement { region, holder, service, kind: self.kind, sync: self.sync }
    }

    fn owners(&self, placement: &Placement<'_>) -> Result<BTreeSet<Arc<str>>, Unowned> {
        match (self.region, self.holder) {
            (CollectionRegion::One(_), _)
            | (CollectionRegion::None, CollectionHolder::Global | CollectionHolder::One(_)) => {
                Ok(BTreeSet::from([placement.existing()?.owner]))
            }
            (CollectionRegion::None | CollectionRegion::Any, CollectionHolder::Any)
            | (CollectionRegion::Any, CollectionHolder::Global | CollectionHolder::One(_)) => {
                let enabled = placement.enabled();
                if enabled.is_empty() { Err(Unowned::NoRegions) } else { Ok(enabled) }
            }
        }
    }

    /// Policies differ, and are not known: only an owner has all that it owns, unless the kind is copied everywhere.
    fn readers_below_any(
        &self,
        owners: &BTreeSet<Arc<str>>,
        service: &MultiRegionPolicy,
    ) -> BTreeSet<Arc<str>> {
        match self.sync {
            SyncType::AlwaysGlobally => service.enabled_regions.clone(),
            SyncType::Default | SyncType::AlwaysInScope | SyncType::Never if owners.len() == 1 => {
                owners.clone()
            }
            SyncType::Default | SyncType::AlwaysInScope | SyncType::Never => BTreeSet::new(),
        }
    }

    /// The regions that have what each of the owners may own.
    fn readers_below_one(
        &self,
        owners: &BTreeSet<Arc<str>>,
        placement: &Placement<'_>,
    ) -> Result<BTreeSet<Arc<str>>, Unowned> {
        let mut readers = placement.service.enabled_regions.clone();
        for owner in owners {
            let owned = Placement { region: Some(owner), ..*placement }.existing()?;
            readers.retain(|it| Ownership::is_in(&owned, it));
        }
        Ok(readers)
    }
}
