use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    fmt,
    sync::Arc,
};

use crate::{Ownership, SyncingFilter, Unowned};

use super::{Collection, Request, Subject, collection::Coverage};

/// The regions that execute a request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// The one that received it.
    Local,
    /// This one, which is another.
    Proxy(Arc<str>),
    /// Several, the own one possibly among them: one part for each, in the order of their ids.
    Broadcast(Vec<Part>),
}

/// The part of a request that a region executes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// The region.
    pub region: Arc<str>,
    /// The resources for which it executes the request.
    pub portion: Portion,
}

/// The resources of a part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Portion {
    /// Those that the filter selects, and this condition too: [`SyncingFilter::restrict`] makes the filter of the part.
    Filter(SyncingFilter),
    /// Those named at these places of the request.
    Names(Vec<usize>),
}

/// The reason why no region can execute a request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unroutable {
    /// What is requested cannot have an owner.
    Unowned(Unowned),
    /// Only an owner may execute it, and these own, or may own, a part of what it operates on.
    SeveralOwners(BTreeSet<Arc<str>>),
}

impl Request<'_> {
    /// Decides which regions execute the request. The same request is decided alike whenever policies are the same.
    ///
    /// # Errors
    /// As [`Unroutable`] says; also if a field has the id of a region in which the service is not deployed.
    pub fn route(&self) -> Result<Decision, Unroutable> {
        if self.rule.skip_generated {
            return Ok(Decision::Local);
        }
        if let Some(region) = self.region_ids.iter().find(|it| !it.is_empty()) {
            return self.at_named(region);
        }
        match &self.subject {
            Subject::Nothing | Subject::Names([]) => Ok(Decision::Local),
            Subject::Names(names) if self.rule.executes_on_owner() => self.at_owner_of(names),
            Subject::Names(names) => Ok(self.at_readers_of(names)),
            Subject::Collection(collection) => self.of_collection(collection),
        }
    }

    fn at(&self, region: &Arc<str>) -> Decision {
        if **region == *self.own { Decision::Local } else { Decision::Proxy(region.clone()) }
    }

    fn at_named(&self, region: &str) -> Result<Decision, Unroutable> {
        let regions = &self.service.enabled_regions;
        match regions.get(region) {
            Some(region) => Ok(self.at(region)),
            None => Err(Unroutable::Unowned(Unowned::NotEnabled {
                region: region.into(),
                enabled: regions.clone(),
            })),
        }
    }

    fn at_only(&self, owners: BTreeSet<Arc<str>>) -> Result<Decision, Unroutable> {
        match (owners.len(), owners.first()) {
            (1, Some(owner)) => Ok(self.at(owner)),
            _ => Err(Unroutable::SeveralOwners(owners)),
        }
    }

    fn at_owner_of(&self, names: &[Ownership]) -> Result<Decision, Unroutable> {
        self.at_only(names.iter().map(|it| it.owner.clone()).collect())
    }

    fn at_readers_of(&self, names: &[Ownership]) -> Decision {
        let mut regions = names.iter().map(Ownership::regions);
        let first = regions.next().unwrap_or_default();
        let readers = regions.fold(first, |readers, it| &readers & &it);
        let preferred = names.iter().map(|it| &it.owner).find(|it| readers.contains(*it));
        match self.best(&readers, preferred) {
            Some(region) => self.at(region),
            None => self.split(names),
        }
    }

    /// Each resource from the own region if that has it, otherwise from its owner.
    fn split(&self, names: &[Ownership]) -> Decision {
        let mut parts: BTreeMap<Arc<str>, Vec<usize>> = BTreeMap::new();
        for (index, name) in names.iter().enumerate() {
            let region = if name.is_in(self.own) { self.own.into() } else { name.owner.clone() };
            parts.entry(region).or_default().push(index);
        }
        let part = |(region, places)| Part { region, portion: Portion::Names(places) };
        Decision::Broadcast(parts.into_iter().map(part).collect())
    }

    fn of_collection(&self, collection: &Collection<'_>) -> Result<Decision, Unroutable> {
        let on_owner = self.rule.executes_on_owner();
        let filter = collection.filter;
        if let Some(region) =
            filter.owning_region.as_ref().or(filter.regions_contain.as_ref().filter(|_| !on_owner))
        {
            return Ok(self.at_filtered(region));
        }
        let coverage = collection.coverage(self.service).map_err(Unroutable::Unowned)?;
        if on_owner { self.at_only(coverage.owners) } else { Ok(self.at_readers(coverage)) }
    }

    /// A filter for a region in which the service is not deployed selects nothing, which every region knows.
    fn at_filtered(&self, region: &Arc<str>) -> Decision {
        if self.service.enables(region) { self.at(region) } else { Decision::Local }
    }

    fn at_readers(&self, coverage: Coverage) -> Decision {
        match self.best(&coverage.readers, Some(&coverage.preferred)) {
            Some(region) => self.at(region),
            None => Decision::Broadcast(coverage.owners.into_iter().map(Part::owned_by).collect()),
        }
    }

    /// The own region, or the preferred one, or the first one.
    fn best<'r>(
        &self,
        readers: &'r BTreeSet<Arc<str>>,
        preferred: Option<&Arc<str>>,
    ) -> Option<&'r Arc<str>> {
        let preferred = preferred.and_then(|it| readers.get(it));
        readers.get(self.own).or(preferred).or(readers.first())
    }
}

impl Part {
    fn owned_by(region: Arc<str>) -> Self {
        Self { portion: Portion::Filter(SyncingFilter::owned_by(region.clone())), region }
    }
}

impl fmt::Display for Unroutable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unowned(unowned) => unowned.fmt(f),
            Self::SeveralOwners(owners) => {
                let owners: Vec<_> = owners.iter().map(|it| &**it).collect();
                write!(
                    f,
                    "only one region can execute the request, but several may own what it names: {}",
                    owners.join(", ")
                )
            }
        }
    }
}

impl Error for Unroutable {}
