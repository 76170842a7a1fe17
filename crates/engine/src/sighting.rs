use model::{Address, Map, Origin, Value};
use protocol::Resource;

use crate::{desk::Desk, json};

/// What was last told of a resource, as far as writes depend on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sighting {
    etag: Option<String>,
    spec_hash: String,
}

impl Sighting {
    pub(crate) fn of(resource: &Resource) -> Self {
        Self { etag: resource.etag.clone(), spec_hash: resource.spec_hash.clone() }
    }

    /// For an `If-Match`: weak ones never match, so they would forbid everything.
    pub(crate) fn etag(&self) -> Option<String> {
        self.etag.clone().filter(|it| !it.starts_with("W/"))
    }
}

impl Desk {
    /// The ETag that a write of it has to name, where one is known.
    pub(crate) fn etag(&self, address: &Address) -> Option<String> {
        self.sightings.borrow().get(address)?.etag()
    }

    /// Notes how a resource was told to be.
    pub(crate) fn sighted(&self, address: &Address, resource: &Resource) {
        self.sightings.borrow_mut().insert(address.clone(), Sighting::of(resource));
    }

    /// Whether a resource still is what the plan was made on: made from the same, with the same attributes. Whether it is
    /// ready, and what it says of itself, may be different. Where nothing was told of its attributes, as of what is only
    /// being made, they were as they were asked for.
    pub(crate) fn is_as_planned(&self, address: &Address, now: &Resource) -> bool {
        let (sightings, observed) = (self.sightings.borrow(), self.observed.borrow());
        let before = observed.resources.get(address).and_then(Option::as_ref);
        let now_spec = json::value_map(&now.spec, Origin::Observed);
        let untold = |spec: &Value| spec.as_map().is_none_or(Map::is_empty);
        let is_same = |spec: &Value| untold(spec) || spec.same_data(&now_spec);
        sightings.get(address).is_some_and(|it| it.spec_hash == now.spec_hash)
            && before.and_then(|it| it.spec.as_ref()).is_some_and(is_same)
    }
}
