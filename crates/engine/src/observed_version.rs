use model::{Address, Phase};
use protocol::{Resource, Verb, spec_hash};
use serde_json::Value as Json;

use crate::run_context::RunContext;

/// The last reported version of a resource, as far as writes depend on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ObservedVersion {
    etag: Option<String>,
    /// The hash of the spec that was requested.
    pub(crate) spec_hash: String,
    /// The hash of its actual attributes; empty if none were reported.
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

    /// The ETag for `If-Match`. Weak ones never match, so they would refuse every write.
    pub(crate) fn etag(&self) -> Option<String> {
        self.etag.clone().filter(|it| !it.starts_with("W/"))
    }

    /// The current version of a resource, if it has another ETag but is otherwise unchanged: created from the
    /// same spec, with the same attributes. Readiness and outputs may differ; a resource that ended can only
    /// be destroyed. If no attributes were reported, as for a resource that is still being created, they are
    /// taken to be as requested.
    pub(crate) fn renewed(&self, verb: Verb, now: &Resource) -> Option<Self> {
        let newer = Self::of(now);
        let is_same = newer.spec_hash == self.spec_hash
            && (self.actual.is_empty() || self.actual == newer.actual)
            && (verb == Verb::Destroy || now.phase != Phase::Terminated);
        (is_same && newer.etag() != self.etag()).then_some(newer)
    }
}

impl RunContext {
    /// The version that was last reported for a resource.
    pub(crate) fn observed_version(&self, address: &Address) -> ObservedVersion {
        self.observed_versions.borrow().get(address).cloned().unwrap_or_default()
    }

    /// Records the reported version of a resource.
    pub(crate) fn record_version(&self, address: &Address, resource: &Resource) {
        self.observed_versions.borrow_mut().insert(address.clone(), ObservedVersion::of(resource));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::samples::sample_resource;

    fn observation(etag: &str, spec: Json) -> ObservedVersion {
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

    /// Only a newer ETag of the same resource counts.
    #[test]
    fn an_unchanged_resource_only_renews_its_etag() {
        let seen = observation("1", json!({"a": 1}));
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
            let reported = sample_resource(fields);
            let expected = is_newer.then(|| ObservedVersion::of(&reported));
            assert_eq!(seen.renewed(verb, &reported), expected, "{verb:?} {now}");
        }
        let unknown = observation("1", json!({}));
        let now = sample_resource(json!({"etag": "2", "spec_hash": "hash", "spec": {"a": 1}}));
        assert_eq!(unknown.renewed(Verb::Update, &now), Some(ObservedVersion::of(&now)));
    }
}
