use std::{collections::BTreeMap, sync::Arc};

use integrity::{NameResolver, Placed};
use names::{Name, Patterns};
use regions::{Deployment, MultiRegionPolicy, Placement, SyncType};
use spec::{KindId, Services};
use store::{Key, Kind};

use crate::{Topology, rules::stored_kind};

/// Parents, regions and owners by the patterns of names.
pub(crate) struct Resolver {
    kinds: BTreeMap<Kind, Known>,
    /// `None` without other deployments.
    topology: Option<Topology>,
}

/// A kind that names are resolved of.
struct Known {
    patterns: Patterns,
    parents: Vec<(Kind, Patterns)>,
    /// The kinds whose resources may have policies of regions.
    holders: Vec<(Kind, Patterns)>,
    sync: SyncType,
    is_import: bool,
}

impl Resolver {
    pub(crate) fn new(services: &Services, included: &[KindId], topology: Option<&Topology>) -> Self {
        let named = |id: KindId| Some((stored_kind(services, id)?, services.kind(id)?.patterns.clone()));
        let known = |id: &KindId| {
            let (kind, service) = (services.kind(*id)?, services.services.get(id.service)?);
            let holders =
                services.kinds().filter(|(of, kind)| of.service == id.service && kind.features.policy_holder);
            let known = Known {
                patterns: kind.patterns.clone(),
                parents: kind.parents.iter().flatten().filter_map(|it| named(*it)).collect(),
                holders: holders.filter_map(|(id, _)| named(id)).collect(),
                sync: sync_type(kind.sync_type),
                is_import: service.is_import,
            };
            Some((stored_kind(services, *id)?, known))
        };
        Self { kinds: included.iter().filter_map(known).collect(), topology: topology.cloned() }
    }

    fn name(&self, key: &Key) -> Option<Name> {
        self.kinds.get(&key.kind)?.patterns.parse_concrete(&key.id).ok()
    }

    /// The nearest resource above a name that has a policy with regions, and the policy.
    fn holder(&self, topology: &Topology, known: &Known, name: &Name) -> Option<(Key, MultiRegionPolicy)> {
        let mut above = name.parent();
        while let Some(name) = above {
            let holders = known.holders.iter().filter(|(_, it)| it.parse_concrete(name.as_str()).is_ok());
            for (kind, _) in holders {
                let key = kind.key(name.as_str());
                if let Some(policy) = (topology.policies)(&key).filter(MultiRegionPolicy::has_regions) {
                    return Some((key, policy));
                }
            }
            above = name.parent();
        }
        None
    }
}

impl NameResolver for Resolver {
    /// The longest part of the name that is a name of a parent: a region may be between the two.
    fn parent_of(&self, key: &Key) -> Option<Key> {
        let mut name = self.name(key)?;
        let parents = &self.kinds.get(&key.kind)?.parents;
        while let Some(above) = name.parent() {
            let is_of = |(_, patterns): &&(Kind, Patterns)| patterns.parse_concrete(above.as_str()).is_ok();
            if let Some((kind, _)) = parents.iter().find(is_of) {
                return Some(kind.key(above.as_str()));
            }
            name = above;
        }
        None
    }

    fn region_of(&self, key: &Key) -> Option<Arc<str>> {
        region(&key.kind, &self.name(key)?)
    }

    fn placed(&self, key: &Key) -> Option<Placed> {
        let (topology, known) = (self.topology.as_ref()?, self.kinds.get(&key.kind)?);
        let services = topology.services();
        let service = services.get(&key.kind.namespace).filter(|_| !known.is_import)?;
        let name = self.name(key)?;
        let region = region(&key.kind, &name);
        let (holder, policy) = self.holder(topology, known, &name).unzip();
        let kind = key.kind.to_string();
        let placement = Placement {
            region: region.as_deref(),
            holder: policy.as_ref(),
            service,
            kind: &kind,
            sync: known.sync,
        };
        Some(Placed { holder, new: placement.ownership(), existing: placement.existing() })
    }

    fn own_region(&self) -> Option<&str> {
        self.topology.as_ref().map(|it| &*it.own)
    }

    /// Of an imported service the policies are not known, so a resource whose name has no region is in its control region.
    fn owner_of(&self, key: &Key) -> Option<Deployment> {
        let topology = self.topology.as_ref()?;
        let services = topology.services();
        let policy = services.get(&key.kind.namespace)?;
        let deployment = |region| Deployment { service: key.kind.namespace.clone(), region };
        if self.kinds.get(&key.kind).is_some_and(|it| it.is_import) {
            let region = self.region_of(key).filter(|it| policy.enables(it));
            return Some(deployment(region.unwrap_or_else(|| policy.default_control_region.clone())));
        }
        let owner = self.placed(key)?.existing.ok()?.owner;
        (owner != topology.own).then(|| deployment(owner))
    }

    fn has_others(&self) -> bool {
        self.topology.is_some()
    }

    fn is_valid(&self, key: &Key) -> bool {
        self.name(key).is_some()
    }
}

/// The region in a name; a region is in none.
fn region(kind: &Kind, name: &Name) -> Option<Arc<str>> {
    let mut segments = name.segments();
    let region = segments.find(|(segment, _)| &*segment.variable == "region" && &*kind.name != "Region");
    region.map(|(_, id)| id.into())
}

pub(crate) const fn sync_type(of: spec::skeleton::SyncType) -> SyncType {
    match of {
        spec::skeleton::SyncType::Default => SyncType::Default,
        spec::skeleton::SyncType::AlwaysInScope => SyncType::AlwaysInScope,
        spec::skeleton::SyncType::Never => SyncType::Never,
        spec::skeleton::SyncType::AlwaysGlobally => SyncType::AlwaysGlobally,
    }
}
