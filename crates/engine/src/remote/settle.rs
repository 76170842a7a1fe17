use model::Phase;
use protocol::{Call, Resource, Verb};

use super::Remote;
use crate::{EngineError, codes, retry_timing::Deadline};

/// The outcome of a write that was not answered.
pub(super) enum SettledWrite {
    /// It was done; the resource as it is now.
    Is(Box<Resource>),
    /// It was done, and the resource is gone.
    Gone,
    /// It was not done; the call can be sent again.
    NotYet,
    /// It cannot be done any more.
    No(EngineError),
    /// The outcome cannot be determined.
    Unknown(EngineError),
}

/// The evidence that a write was done.
#[derive(Clone, Copy)]
pub(crate) struct WriteProof<'p> {
    /// The hash of the desired spec.
    pub(crate) hash: &'p str,
    /// The hash of the spec that was requested before, as far as the adapter reported it.
    pub(crate) before: &'p str,
}

impl Remote {
    /// Determines the outcome of a write by reading the resource.
    pub(super) async fn settle(
        &self,
        call: &Call,
        proof: WriteProof<'_>,
        deadline: Deadline,
    ) -> SettledWrite {
        let (Some(id), Some(verb)) = (call.resource(), call.verb()) else { return SettledWrite::NotYet };
        match self.read(id, deadline).await {
            Ok(found) => found_after(call, verb, found, proof),
            Err(error) => SettledWrite::Unknown(unknown(Some(verb), &error)),
        }
    }
}

fn found_after(call: &Call, verb: Verb, found: Option<Box<Resource>>, proof: WriteProof<'_>) -> SettledWrite {
    // An ended resource exists until it is destroyed, but it is not the one that was to be created.
    let found = found.filter(|it| verb == Verb::Destroy || it.phase != Phase::Terminated);
    match (verb, found) {
        (Verb::Destroy, None) => SettledWrite::Gone,
        (Verb::Create, None) | (Verb::Destroy, Some(_)) => SettledWrite::NotYet,
        (Verb::Update, None) => {
            SettledWrite::No(EngineError::new(codes::GONE, "it is gone").help("plan again"))
        }
        // The same spec is requested again only because the actual attributes differed, so the hash proves
        // nothing.
        (Verb::Update, Some(resource)) if proof.hash == proof.before && !is_as_sent(call, &resource) => {
            SettledWrite::NotYet
        }
        (_, Some(resource)) if resource.spec_hash == proof.hash => SettledWrite::Is(resource),
        // The adapter keeps no hash. Nothing else knows the id, so the resource was created by this call.
        (Verb::Create, Some(resource)) if resource.spec_hash.is_empty() => SettledWrite::Is(resource),
        (Verb::Update, Some(_)) => SettledWrite::NotYet,
        (Verb::Create, Some(_)) => SettledWrite::No(
            EngineError::new(
                codes::EXISTS_DIFFERENTLY,
                "the resource exists already and was created from another spec",
            )
            .help("destroy it, or plan again"),
        ),
    }
}

/// True if all reported attributes are as they were sent. An adapter that reports none does not prove it;
/// sending the call once more does no harm.
fn is_as_sent(call: &Call, resource: &Resource) -> bool {
    let Call::Update { body, .. } = call else { return false };
    let is_same = |(key, actual)| body.spec.get(key).is_none_or(|it| it == actual);
    !resource.spec.is_empty() && resource.spec.iter().all(is_same)
}

pub(super) fn unknown(verb: Option<Verb>, why: &EngineError) -> EngineError {
    let verb = verb.map_or("call", Verb::as_str);
    let message = format!("it is not known whether the {verb} was done: {}", why.message);
    EngineError::new(codes::UNKNOWN, message)
        .help("it is in the journal; apply again once the adapter can be reached")
        .passing()
}

#[cfg(test)]
mod tests {
    use protocol::{ResourceBody, ResourceId};
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::samples::{map, sample_resource};

    fn call(verb: Verb) -> Call {
        let (id, key) = (ResourceId::new("service", "one"), "key".to_owned());
        let body = ResourceBody {
            deployment: "lineage".into(),
            deployment_name: "shop".into(),
            address: "services.web".into(),
            generation: 1,
            spec: map(json!({"a": 1, "b": 2})),
        };
        match verb {
            Verb::Create => Call::Create { id, body, key },
            Verb::Update => Call::Update { id, body, key, if_match: None },
            Verb::Destroy => Call::Destroy { id, key, if_match: None, deployment: None },
        }
    }

    /// The outcome, where `desired` was requested and `before` was requested earlier.
    fn settled(verb: Verb, before: &str, found: &Json) -> String {
        let found = (!found.is_null()).then(|| Box::new(sample_resource(found.clone())));
        match found_after(&call(verb), verb, found, WriteProof { hash: "desired", before }) {
            SettledWrite::Is(resource) => format!("is {}", resource.spec_hash),
            SettledWrite::Gone => "gone".into(),
            SettledWrite::NotYet => "not yet".into(),
            SettledWrite::No(error) | SettledWrite::Unknown(error) => error.code.into_owned(),
        }
    }

    #[test]
    fn a_read_settles_an_unclear_write() {
        use Verb::{Create, Destroy, Update};
        let hash = |hash: &str| json!({"spec_hash": hash});
        let ended = json!({"spec_hash": "desired", "phase": "terminated"});
        for (verb, before, found, expected) in [
            (Destroy, "before", Json::Null, "gone"),
            (Destroy, "before", ended.clone(), "not yet"),
            (Destroy, "before", hash("before"), "not yet"),
            (Destroy, "desired", hash("desired"), "not yet"),
            (Create, "", Json::Null, "not yet"),
            (Create, "", ended.clone(), "not yet"),
            (Create, "", hash("desired"), "is desired"),
            (Create, "", hash(""), "is "),
            (Create, "", hash("other"), "engine/exists-differently"),
            (Update, "before", Json::Null, "engine/gone"),
            (Update, "before", ended, "engine/gone"),
            (Update, "before", hash("desired"), "is desired"),
            (Update, "before", hash("before"), "not yet"),
            (Update, "before", hash(""), "not yet"),
            (Update, "desired", hash("desired"), "not yet"),
        ] {
            assert_eq!(settled(verb, before, &found), expected, "{verb:?} {before} {found}");
        }
    }

    /// If the same was requested before, only the actual attributes show whether it was done.
    #[test]
    fn a_retried_write_is_done_when_the_resource_matches() {
        for (spec, expected) in [
            (json!({"a": 1, "b": 2}), "is desired"),
            (json!({"a": 1}), "is desired"),
            (json!({"a": 1, "own": 3}), "is desired"),
            (json!({"a": 1, "b": 9}), "not yet"),
            (json!({}), "not yet"),
        ] {
            let found = json!({"spec_hash": "desired", "spec": spec});
            assert_eq!(settled(Verb::Update, "desired", &found), expected, "{spec}");
        }
    }

    #[test]
    fn unknown_outcomes_name_the_verb() {
        let why = EngineError::new(codes::UNREACHABLE, "no answer");
        for (verb, name) in [(Some(Verb::Destroy), "destroy"), (None, "call")] {
            let error = unknown(verb, &why);
            let message = format!("it is not known whether the {name} was done: no answer");
            assert_eq!((&*error.code, error.message, error.passing), ("engine/unknown", message, true));
        }
    }
}
