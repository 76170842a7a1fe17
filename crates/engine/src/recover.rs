use model::Phase;
use protocol::{Resource, ResourceId, Verb};
use state::{Change, Entry, Intent};

use crate::{
    Event, Trouble,
    desk::Desk,
    record::{self, Recorder},
    routes::Readers,
    unseen::{self, Unseen},
};

/// Finds out what came of all that was begun and not settled, and records it. Each real thing is looked for by its id.
/// Gives the adapters that cannot tell; what those were asked for stays in the journal.
///
/// # Errors
/// Where nobody makes such a thing any more, or it cannot be recorded.
pub(crate) async fn recover(desk: &Desk, readers: &Readers) -> Result<Vec<Unseen>, Trouble> {
    let mut unsettled = Vec::new();
    for intent in desk.ledger.snapshot().journal.clone() {
        if let Some(unseen) = settle(desk, readers, &intent, &unsettled).await? {
            unseen::join(&mut unsettled, unseen);
        }
    }
    Ok(unsettled)
}

/// Finds out what came of one intent. One who could not tell of another is not asked again.
async fn settle(
    desk: &Desk,
    readers: &Readers,
    intent: &Intent,
    silent: &[Unseen],
) -> Result<Option<Unseen>, Trouble> {
    let Entry { kind, id, .. } = &intent.entry;
    let reader = readers.of(kind)?;
    let unseen = |why| {
        let about = intent.address.parse().ok().into_iter().collect();
        Ok(Some(Unseen::new(reader.name(), kind, about, why)))
    };
    if let Some(silent) = silent.iter().find(|it| it.adapter == reader.name()) {
        return unseen(silent.why.clone());
    }
    let deadline = desk.pace.deadline(desk.pace.settings.step_timeout);
    let id = ResourceId::new(kind, id);
    let found = match desk.asked(reader.name(), reader.read(&id, deadline)).await {
        Ok(found) => found.filter(|it| it.phase != Phase::Terminated),
        Err(why) => return unseen(why),
    };
    let (address, verb) = (intent.address.clone(), intent.verb.as_str());
    desk.tell(&Event::Recovered { address, verb, found: found.is_some() });
    desk.ledger.commit(settled(&desk.recorder(), intent, found.as_deref())).await?;
    Ok(None)
}

/// What is recorded of an intent, now that it is known what is there.
fn settled(recorder: &Recorder, intent: &Intent, found: Option<&Resource>) -> Vec<Change> {
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
    changes.push(Change::Settle(intent.id.clone()));
    changes
}
