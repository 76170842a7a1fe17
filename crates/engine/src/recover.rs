use model::Phase;
use protocol::{Resource, ResourceId, Verb};
use state::{Change, Entry, Intent};

use crate::{
    EngineError, Event,
    holder::{Holder, other_adapter},
    record::{self, Recorder},
    routes::Readers,
    run_context::RunContext,
    steps::action_of,
    unreachable_adapter::{self, UnreachableAdapter},
};

/// Determines the outcome of all intents in the journal, and records it. Each resource is read by its
/// id. Returns the adapters that could not report; their intents stay in the journal.
///
/// # Errors
/// If no adapter makes a kind any more, the intent was sent to another adapter, or the outcome cannot be
/// recorded.
pub(crate) async fn recover(
    context: &RunContext,
    readers: &Readers,
) -> Result<Vec<UnreachableAdapter>, EngineError> {
    let mut unsettled = Vec::new();
    for intent in context.ledger.snapshot().journal.clone() {
        if let Some(unreachable) = settle(context, readers, &intent, &unsettled).await? {
            unreachable_adapter::join(&mut unsettled, unreachable);
        }
    }
    Ok(unsettled)
}

/// Determines the outcome of one intent. An adapter that could not report another one is not queried again.
async fn settle(
    context: &RunContext,
    readers: &Readers,
    intent: &Intent,
    silent: &[UnreachableAdapter],
) -> Result<Option<UnreachableAdapter>, EngineError> {
    let Entry { kind, id, .. } = &intent.entry;
    let reader = readers.of(kind)?;
    let made_by = intent.entry.adapter.as_ref();
    let unreachable = |why| {
        let about = intent.address.parse().ok().into_iter().collect();
        Ok(Some(UnreachableAdapter::new(reader.name(), kind, about, why)))
    };
    if let Some(silent) = silent.iter().find(|it| it.adapter == reader.name()) {
        return unreachable(silent.why.clone());
    }
    let deadline = context.timing.deadline(context.timing.settings.step_timeout);
    let is_known = made_by.is_some_and(|it| !it.instance.is_empty());
    let holders = match context.adapter_answer(reader.name(), readers.holders(kind, is_known, deadline)).await
    {
        Ok(holders) => holders,
        Err(why) => return unreachable(why),
    };
    let requested = match holders.of(made_by)? {
        Holder::Own => Some(holders.own),
        Holder::Former => holders.former,
        Holder::NoAdapter => None,
        Holder::Other => {
            let other = (intent.address.clone(), made_by.cloned().unwrap_or_default());
            return Err(other_adapter(&[other], &holders.own));
        }
    };
    let id = ResourceId::new(kind, id);
    let found = match requested {
        Some(requested) => context.adapter_answer(reader.name(), requested.read(&id, deadline)).await,
        None => Ok(None),
    };
    let found = match found {
        Ok(found) => found,
        Err(why) => return unreachable(why),
    };
    let (address, verb) = (intent.address.clone(), action_of(intent.verb));
    let is_there = found.as_ref().is_some_and(|it| it.phase != Phase::Terminated);
    context.notify(&Event::Recovered { address, verb, found: is_there });
    let before = context.ledger.snapshot().resources.get(&intent.address).cloned();
    context.ledger.commit(settled(&context.recorder(), intent, before, found.as_deref())).await?;
    Ok(None)
}

/// The changes to record for an intent, given what was recorded before it and what was found.
fn settled(
    recorder: &Recorder,
    intent: &Intent,
    before: Option<Entry>,
    found: Option<&Resource>,
) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut put = |entry| changes.push(Change::Put(intent.address.clone(), Box::new(entry)));
    match (intent.verb, found) {
        // An ended resource is destroyed before it is recreated.
        (Verb::Create, Some(resource)) if resource.phase == Phase::Terminated => {
            put(record::ruined(intent.entry.clone()));
        }
        (Verb::Create, Some(resource)) => put(recorder.with_resource(intent.entry.clone(), resource)),
        (Verb::Update, Some(resource)) if resource.spec_hash.starts_with(&intent.spec_hash) => {
            put(recorder.with_resource(intent.entry.clone(), resource));
        }
        // Whether to recreate it is decided by the next plan.
        (Verb::Destroy, None) => put(record::ended(&intent.entry)),
        // It may be about to end: if it is desired, it is recreated.
        (Verb::Destroy, Some(_)) => put(Entry { tainted: true, ..intent.entry.clone() }),
        // Nothing was created or changed.
        (Verb::Create | Verb::Update, None) | (Verb::Update, Some(_)) => {
            record::tried(before, intent.entry.restarts.clone()).into_iter().for_each(put);
        }
    }
    changes.push(Change::Settle(intent.id.clone()));
    changes
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use state::{Marks, testing::intent};

    use super::*;
    use crate::{samples::sample_resource, secrets::Secrets};

    /// The recorded change of an intent with that hash: `put active` if the hash matches what is found.
    fn recorded(verb: Verb, requested: &str, found: Option<&str>, phase: &str) -> Vec<String> {
        let recorder = Recorder {
            types: std::rc::Rc::default(),
            marks: Marks::of("lineage"),
            secrets: Secrets::default(),
        };
        let intent = Intent { verb, spec_hash: requested.into(), ..intent("begun", "services.web") };
        let found = found.map(|hash| {
            sample_resource(json!({"spec_hash": hash, "phase": phase, "outputs": {"ip": "10.0.0.9"}}))
        });
        let line = |change: &Change| match change {
            Change::Put(address, entry) => {
                let tainted = if entry.tainted { " tainted" } else { "" };
                format!("put {address} {} {}{tainted}", entry.phase, entry.outputs.len())
            }
            Change::Settle(id) => format!("settle {id}"),
            other => format!("{other:?}"),
        };
        settled(&recorder, &intent, None, found.as_ref()).iter().map(line).collect()
    }

    #[test]
    fn begun_operations_are_recorded_as_found() {
        use Verb::{Create, Destroy, Update};
        let (there, gone) = (Some("put services.web active 1"), Some("put services.web terminated 0"));
        for (verb, requested, found, expected) in [
            (Create, "sha256:abcd", Some("sha256:other"), there),
            (Create, "sha256:abcd", None, None),
            (Update, "sha256:abcd", Some("sha256:abcd"), there),
            (Update, "sha256:abcd", Some("sha256:abcdef"), there),
            (Update, "sha256:abcd", Some("sha256:abce"), None),
            (Update, "sha256:abcd", None, None),
            (Destroy, "", Some("sha256:abcd"), Some("put services.web active 1 tainted")),
            (Destroy, "", None, gone),
        ] {
            let expected: Vec<&str> = expected.into_iter().chain(["settle begun"]).collect();
            assert_eq!(recorded(verb, requested, found, "active"), expected, "{verb:?} {found:?}");
        }
    }

    /// An ended resource that still exists stays recorded, so that it is destroyed.
    #[test]
    fn terminated_resources_stay_recorded() {
        for (verb, expected) in [
            (Verb::Create, &["put services.web active 1 tainted", "settle begun"][..]),
            (Verb::Update, &["settle begun"]),
            (Verb::Destroy, &["put services.web active 1 tainted", "settle begun"]),
        ] {
            assert_eq!(recorded(verb, "other", Some("hash"), "terminated"), expected, "{verb:?}");
        }
    }
}
