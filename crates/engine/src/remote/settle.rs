use model::Phase;
use protocol::{Call, Resource, Verb};

use super::Remote;
use crate::{Trouble, pace::Deadline};

/// What became of a write that nobody answered.
pub(super) enum Settled {
    /// It was done; so it is.
    Is(Box<Resource>),
    /// It was done, and it is gone.
    Gone,
    /// It was not done; the call can be sent again.
    NotYet,
    /// It cannot be done any more.
    No(Trouble),
    /// That cannot be told.
    Nobody(Trouble),
}

/// What tells whether a write was done.
#[derive(Clone, Copy)]
pub(crate) struct Proof<'p> {
    /// The hash of the spec that is wanted.
    pub(crate) hash: &'p str,
    /// The hash of the spec that was asked for before, as far as the adapter told.
    pub(crate) before: &'p str,
}

impl Remote {
    /// Looks by id what became of a write.
    pub(super) async fn settle(&self, call: &Call, proof: Proof<'_>, deadline: Deadline) -> Settled {
        let (Some(id), Some(verb)) = (call.resource(), call.verb()) else { return Settled::NotYet };
        match self.read(id, deadline).await {
            Ok(found) => found_after(call, verb, found, proof),
            Err(trouble) => Settled::Nobody(unknown(Some(verb), &trouble)),
        }
    }
}

fn found_after(call: &Call, verb: Verb, found: Option<Box<Resource>>, proof: Proof<'_>) -> Settled {
    let found = found.filter(|it| it.phase != Phase::Terminated);
    match (verb, found) {
        (Verb::Destroy, None) => Settled::Gone,
        (Verb::Create, None) | (Verb::Destroy, Some(_)) => Settled::NotYet,
        (Verb::Update, None) => Settled::No(Trouble::new("engine/gone", "it is gone").help("plan again")),
        // What was asked for before is asked for again where only what really is was another: the hash tells nothing.
        (Verb::Update, Some(resource)) if proof.hash == proof.before && !is_as_sent(call, &resource) => {
            Settled::NotYet
        }
        (_, Some(resource)) if resource.spec_hash == proof.hash => Settled::Is(resource),
        // Of an adapter that keeps no hash: nobody else knows the id, so it was made by this call.
        (Verb::Create, Some(resource)) if resource.spec_hash.is_empty() => Settled::Is(resource),
        (Verb::Update, Some(_)) => Settled::NotYet,
        (Verb::Create, Some(_)) => Settled::No(
            Trouble::new(
                "engine/exists-differently",
                "there is such a resource, and it was made from something else",
            )
            .help("destroy it, or plan again"),
        ),
    }
}

/// Whether all that is told of its attributes is what was sent. One that says nothing of them does not show it; sending
/// it once more does no harm.
fn is_as_sent(call: &Call, resource: &Resource) -> bool {
    let Call::Update { wanted, .. } = call else { return false };
    let is_same = |(key, actual)| wanted.spec.get(key).is_none_or(|it| it == actual);
    !resource.spec.is_empty() && resource.spec.iter().all(is_same)
}

pub(super) fn unknown(verb: Option<Verb>, why: &Trouble) -> Trouble {
    let verb = verb.map_or("call", Verb::as_str);
    let message = format!("nobody knows whether the {verb} was done: {}", why.message);
    Trouble::new("engine/unknown", message)
        .help("it is in the journal; once the adapter can be reached, apply again to go on")
        .passing()
}
