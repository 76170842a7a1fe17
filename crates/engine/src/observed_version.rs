use model::{Address, Phase};
use protocol::{Resource, Verb, spec_hash};
use serde_json::Value as Json;

use crate::run_context::RunContext;

/// The last reported version of a resource, as far as writes depend on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ObservedVersion {
    etag: Option<String>,
    /// Of what it was asked for.
    pub(crate) spec_hash: String,
    /// Of the attributes it has; empty where none were told.
    actual: String,
}

impl ObservedVersion {
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

impl RunContext {
    /// How a resource was last told to be.
    pub(crate) fn observed_version(&self, address: &Address) -> ObservedVersion {
        self.observed_versions.borrow().get(address).cloned().unwrap_or_default()
    }

    /// Notes how a resource was told to be.
    pub(crate) fn record_version(&self, address: &Address, resource: &Resource) {
        self.observed_versions.borrow_mut().insert(address.clone(), ObservedVersion::of(resource));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::samples::sample_resource;

    fn sighting(etag: &str, spec: Json) -> ObservedVersion {
        ObservedVersion::of(&sample_resource(json!({"etag": etag, "spec": spec, "spec_hash": "hash"})))
    }

    #[test]
    fn weak_tags_are_not_sent() {
        for (etag, expected) in
            [(json!("\"1\""), Some("\"1\"")), (json!("W/\"1\""), None), (Json::Null, None)]
        {
            let seen = ObservedVersion::of(&sample_resource(json!({"etag": etag})));
            assert_eq!(seen.etag().as_deref(), expected);
        }
    }

    /// Only a newer tag of the same thing counts.
    #[test]
    fn an_unchanged_resource_only_renews_its_etag() {
        let seen = sighting("1", json!({"a": 1}));
        for (verb, now, is_newer) in [
            (Verb::Update, json!({}), true),
            (Verb::Destroy, json!({}), true),
            (Verb::Update, json!({"etag": "1"}), false),
            (Verb::Update, json!({"etag": "W/2"}), true),
            (Verb::Update, json!({"spec_hash": "other"}), false),
            (Verb::Update, json!({"spec": {"a": 2}}), false),
            (Verb::Update, json!({"spec": {}}), false),
            (Verb::Destroy, json!({"spec": {"a": 2}}), false),
            (Verb::Update, json!({"phase": "pending", "message": "restarting"}), true),
            (Verb::Update, json!({"phase": "terminated"}), false),
            (Verb::Destroy, json!({"phase": "terminated"}), true),
        ] {
            let mut fields = json!({"etag": "2", "spec_hash": "hash", "spec": {"a": 1}});
            for (key, it) in crate::samples::map(now.clone()) {
                fields[key] = it;
            }
            let now_told = sample_resource(fields);
            let expected = is_newer.then(|| ObservedVersion::of(&now_told));
            assert_eq!(seen.renewed(verb, &now_told), expected, "{verb:?} {now}");
        }
        let unknown = sighting("1", json!({}));
        let now = sample_resource(json!({"etag": "2", "spec_hash": "hash", "spec": {"a": 1}}));
        assert_eq!(unknown.renewed(Verb::Update, &now), Some(ObservedVersion::of(&now)));
    }
}
