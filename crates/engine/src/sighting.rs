use model::{Address, Phase};
use protocol::{Resource, Verb, spec_hash};
use serde_json::Value as Json;

use crate::desk::Desk;

/// What was last told of a resource, as far as writes depend on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sighting {
    etag: Option<String>,
    /// Of what it was asked for.
    pub(crate) spec_hash: String,
    /// Of the attributes it has; empty where none were told.
    actual: String,
}

impl Sighting {
    pub(crate) fn of(resource: &Resource) -> Self {
        let actual = match resource.spec.is_empty() {
            true => String::new(),
            false => spec_hash(&Json::Object(resource.spec.clone())),
        };
        Self { etag: resource.etag.clone(), spec_hash: resource.spec_hash.clone(), actual }
    }

    /// For an `If-Match`: weak ones never match, so they would forbid everything.
    pub(crate) fn etag(&self) -> Option<String> {
        self.etag.clone().filter(|it| !it.starts_with("W/"))
    }

    /// How a resource is now, if it has another ETag but still is what was seen: made from the same, with the same
    /// attributes. Whether it is ready, and what it says of itself, may be different; only what ended can be nothing
    /// but destroyed. Where nothing was told of its attributes, as of what is only being made, they were as they were
    /// asked for.
    pub(crate) fn renewed(&self, verb: Verb, now: &Resource) -> Option<Self> {
        let newer = Self::of(now);
        let is_same = newer.spec_hash == self.spec_hash
            && (self.actual.is_empty() || self.actual == newer.actual)
            && (verb == Verb::Destroy || now.phase != Phase::Terminated);
        (is_same && newer.etag() != self.etag()).then_some(newer)
    }
}

impl Desk {
    /// How a resource was last told to be.
    pub(crate) fn sighting(&self, address: &Address) -> Sighting {
        self.sightings.borrow().get(address).cloned().unwrap_or_default()
    }

    /// Notes how a resource was told to be.
    pub(crate) fn sighted(&self, address: &Address, resource: &Resource) {
        self.sightings.borrow_mut().insert(address.clone(), Sighting::of(resource));
    }
}
