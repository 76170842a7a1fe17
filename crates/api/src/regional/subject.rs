use std::sync::Arc;

use names::{Name, ParentName};
use regions::{
    MultiRegionPolicy, Ownership,
    routing::{CollectionHolder, CollectionRegion},
};
use serde_json::Value;
use spec::StandardMethod;

use super::Arrived;
use crate::{Api, Topology, answer::read_json, kinds::Served, query};

/// The resources that a request is about, with their regions.
pub(super) enum Owned {
    /// Named ones, in the order of the request.
    Names(Vec<Ownership>),
    /// Those of a parent.
    Collection(Parent),
}

/// The parent of a collection, as far as it decides the regions.
pub(super) struct Parent {
    policy: Option<MultiRegionPolicy>,
    is_any_holder: bool,
    region: Option<Arc<str>>,
}

impl Parent {
    fn of(parent: &ParentName, topology: &Topology, served: Served<'_>) -> Self {
        let region = parent.name().filter(|_| &*served.kind.name != "Region").and_then(|it| it.id("region"));
        let mut found = Self { policy: None, is_any_holder: false, region: region.map(Into::into) };
        let mut above = parent.name().cloned();
        while let Some(name) = above {
            found.add_holder(&name, topology, served);
            if found.policy.is_some() || found.is_any_holder {
                return found;
            }
            above = name.parent();
        }
        found
    }

    /// Notes the policy of a resource, or that there may be one if the name stands for several.
    fn add_holder(&mut self, name: &Name, topology: &Topology, served: Served<'_>) {
        let kinds = served.services.kinds().filter(|(id, kind)| {
            id.service == served.id.service
                && kind.features.policy_holder
                && kind.patterns.parse(name.as_str()).is_ok()
        });
        for (id, _) in kinds {
            self.is_any_holder |= name.is_wildcard();
            let kind = crate::stored_kind(served.services, id);
            let policy = kind.and_then(|it| (topology.policies)(&it.key(name.as_str())));
            self.policy = self.policy.take().or(policy).filter(MultiRegionPolicy::has_regions);
        }
    }

    pub(super) fn holder(&self) -> CollectionHolder<'_> {
        match (&self.policy, self.is_any_holder) {
            (Some(policy), false) => CollectionHolder::One(policy),
            (_, true) => CollectionHolder::Any,
            (None, false) => CollectionHolder::Global,
        }
    }

    pub(super) fn region(&self) -> CollectionRegion<'_> {
        match self.region.as_deref() {
            None => CollectionRegion::None,
            Some("-") => CollectionRegion::Any,
            Some(region) => CollectionRegion::One(region),
        }
    }
}

impl Owned {
    /// What a request to a standard method is about; `None` if it is wrong, or about what cannot be in any region.
    pub(super) fn of(request: Arrived<'_>, served: Served<'_>, method: StandardMethod) -> Option<Self> {
        let Arrived { api, found, head, body, .. } = request;
        let text = |names: &[&str]| {
            let is = |field: &str| names.iter().any(|it| field == *it || field.ends_with(&format!(".{it}")));
            found.fields.iter().find(|(field, _)| is(field)).map_or("", |(_, text)| text)
        };
        let parent = || served.kind.patterns.parse_parent(text(&["parent"])).ok();
        match method {
            StandardMethod::Get | StandardMethod::Update | StandardMethod::Delete | StandardMethod::Watch => {
                Some(Self::Names(vec![existing(api, served, text(&["name"]))?]))
            }
            StandardMethod::BatchGet => {
                let pairs = query::pairs(head.uri.query().unwrap_or_default())?;
                let names = pairs.into_iter().filter(|(name, _)| name == "names");
                let owned: Option<_> = names.map(|(_, name)| existing(api, served, &name)).collect();
                Some(Self::Names(owned?))
            }
            StandardMethod::Create => {
                let sent = read_json(head, body).ok()??;
                let sent = sent.get("name").and_then(Value::as_str).filter(|it| !it.is_empty());
                // Whatever name it is given, it is in the same region.
                let name = match sent {
                    Some(name) => name.to_owned(),
                    None => parent()?.child("new").ok()?.as_str().to_owned(),
                };
                Some(Self::Names(vec![placed(api, served, &name)?.new.ok()?]))
            }
            StandardMethod::List | StandardMethod::Search | StandardMethod::WatchCollection => {
                Some(Self::Collection(Parent::of(&parent()?, &request.neighbors.topology, served)))
            }
        }
    }
}

/// The regions of a resource that may exist.
pub(super) fn existing(api: &Api, served: Served<'_>, name: &str) -> Option<Ownership> {
    placed(api, served, name)?.existing.ok()
}

fn placed(api: &Api, served: Served<'_>, name: &str) -> Option<integrity::Placed> {
    api.transactions.rules().names.placed(&served.stored().key(name))
}
