use std::collections::BTreeSet;

use model::Phase;
use protocol::{Resource, ResourceId};
use serde::Serialize;

use crate::{
    EngineError,
    execute::contract,
    observed_version::ObservedVersion,
    pending_write::PendingWrite,
    remote::{Refusal, WriteOutcome},
    routes::{Readers, Writers},
    run_context::RunContext,
    write_attempt::WriteAttempt,
};

/// A resource that an adapter has of this deployment and no state records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Orphan {
    /// The adapter that has it.
    pub adapter: String,
    /// Its id.
    #[serde(flatten)]
    pub id: ResourceId,
    /// Its address.
    pub address: String,
    /// The number of times that it had been recreated.
    pub generation: u64,
    /// True if it ended and its adapter only remembers it.
    #[serde(skip)]
    pub is_gone: bool,
    #[serde(skip)]
    seen: ObservedVersion,
}

/// The resources that adapters have of this deployment beyond those recorded and those in the journal.
/// Adapters that cannot list have none, as far as known.
///
/// # Errors
/// If an adapter cannot list its resources.
pub(crate) async fn orphans(context: &RunContext, readers: &Readers) -> Result<Vec<Orphan>, EngineError> {
    let snapshot = context.ledger.snapshot();
    let begun = snapshot.journal.iter().map(|it| (&it.entry.kind, &it.entry.id));
    let recorded = snapshot.resources.values().map(|it| (&it.kind, &it.id));
    let known: BTreeSet<_> = recorded.chain(begun).collect();
    let deadline = context.timing.deadline(context.timing.settings.step_timeout);
    let (secrets, mut found): (_, Vec<Orphan>) = (context.secrets.redactor(), Vec::new());
    for reader in readers.all() {
        // Ignore what an adapter reports of kinds that another one makes.
        let is_own = |id: &ResourceId| readers.of(&id.kind).is_ok_and(|it| it.is_same(reader));
        let orphan = |it: Resource| Orphan {
            adapter: reader.name().to_owned(),
            seen: ObservedVersion::of(&it),
            id: it.id,
            address: secrets.text(&it.address).into_owned(),
            generation: it.generation,
            is_gone: it.phase == Phase::Terminated,
        };
        let select = |it: Resource| {
            let is_known = known.contains(&(&it.id.kind, &it.id.id));
            (!is_known && is_own(&it.id)).then(|| orphan(it))
        };
        let there = reader.list(&snapshot.lineage, deadline, select).await;
        found.extend(there.map_err(|it| it.of(reader.name()))?);
    }
    found.sort_by(|a, b| a.id.cmp(&b.id));
    found.dedup_by(|a, b| a.id == b.id);
    Ok(found)
}

/// Destroys an orphan, as it was observed.
///
/// # Errors
/// If it could not be destroyed.
pub(crate) async fn remove(
    context: &RunContext,
    writers: &Writers,
    orphan: &Orphan,
) -> Result<(), EngineError> {
    let (writer, write) = (writers.of(&orphan.id.kind)?, PendingWrite::destroy_orphan(orphan));
    let deadline = context.timing.deadline(context.timing.settings.step_timeout);
    let attempt = WriteAttempt { context, writer: &writer, deadline, reported: &|_, _| {} };
    match attempt.run(&write, orphan.seen.clone()).await?.1 {
        WriteOutcome::Gone => Ok(()),
        WriteOutcome::Is(resource) if resource.phase == Phase::Terminated => Ok(()),
        WriteOutcome::Is(_) => Err(contract("the adapter did not destroy it")),
        WriteOutcome::Refused(Refusal { error, .. }) | WriteOutcome::Unknown(error) => Err(error),
    }
}
