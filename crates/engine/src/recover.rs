use model::Phase;
use protocol::{Resource, ResourceId, Verb};
use state::{Change, Intent};

use crate::{
    Event, Trouble,
    desk::Desk,
    record::{self, Recorder},
    routes::Readers,
};

/// Finds out what came of all that an earlier run had begun, and records it. Each real thing is looked for by its id.
///
/// # Errors
/// Where an adapter cannot tell; what was found out before is recorded.
pub(crate) async fn recover(desk: &Desk, readers: &Readers) -> Result<(), Trouble> {
    let begun = desk.ledger.snapshot().journal.clone();
    for intent in begun {
        let reader = readers.of(&intent.entry.kind)?;
        let deadline = desk.pace.deadline(desk.pace.settings.step_timeout);
        let id = ResourceId::new(&intent.entry.kind, &intent.entry.id);
        let found = reader.read(&id, deadline).await;
        let found = found.map_err(|why| unsettled(&intent, &why.of(reader.name())))?;
        let found = found.filter(|it| it.phase != Phase::Terminated);
        let (address, verb) = (intent.address.clone(), intent.verb.as_str());
        desk.tell(&Event::Recovered { address, verb, found: found.is_some() });
        desk.ledger.commit(settle(&desk.recorder(), intent, found.as_deref())).await?;
    }
    Ok(())
}

/// What is recorded of an intent, now that it is known what is there.
fn settle(recorder: &Recorder, intent: Intent, found: Option<&Resource>) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut put = |entry| changes.push(Change::Put(intent.address.clone(), Box::new(entry)));
    match (intent.verb, found) {
        (Verb::Create, Some(resource)) => put(recorder.told(intent.entry.clone(), resource)),
        (Verb::Update, Some(resource)) if resource.spec_hash.starts_with(&intent.spec_hash) => {
            put(recorder.told(intent.entry.clone(), resource));
        }
        // Whether it is to be made again is for the next plan to say.
        (Verb::Destroy, None) => put(record::ended(&intent.entry)),
        // Nothing was made, nothing was changed, nothing was destroyed.
        (Verb::Create | Verb::Update, None) | (Verb::Update | Verb::Destroy, Some(_)) => {}
    }
    changes.push(Change::Settle(intent.id));
    changes
}

fn unsettled(intent: &Intent, why: &Trouble) -> Trouble {
    let message = format!(
        "what came of the {} of `{}` cannot be told: {}",
        intent.verb.as_str(),
        intent.address,
        why.message
    );
    Trouble::new("engine/unsettled", message).help("see that its adapter can be reached, and try again")
}
