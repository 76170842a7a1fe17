use std::collections::BTreeSet;

use protocol::{Call, Resource, ResourceId};
use serde::Serialize;

use crate::{
    Trouble,
    desk::Desk,
    remote::Written,
    routes::{Readers, Writers},
};

/// Something that an adapter has of this deployment, and nobody recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Orphan {
    /// The adapter that has it.
    pub adapter: String,
    /// What it is known by.
    #[serde(flatten)]
    pub id: ResourceId,
    /// What it was called.
    pub address: String,
    /// How often it had been made anew.
    pub generation: u64,
}

/// What the adapters have of this deployment beyond what is recorded and what is begun. Adapters that cannot list have
/// none, as far as is known.
///
/// # Errors
/// Where an adapter cannot tell.
pub(crate) async fn orphans(desk: &Desk, readers: &Readers) -> Result<Vec<Orphan>, Trouble> {
    let snapshot = desk.ledger.snapshot();
    let begun = snapshot.journal.iter().map(|it| (&it.entry.kind, &it.entry.id));
    let recorded = snapshot.resources.values().map(|it| (&it.kind, &it.id));
    let known: BTreeSet<_> = recorded.chain(begun).collect();
    let deadline = desk.pace.deadline(desk.pace.settings.step_timeout);
    let mut found: Vec<Orphan> = Vec::new();
    for reader in readers.all() {
        let there = reader.list(&snapshot.lineage, deadline).await?;
        let strange = there.into_iter().filter(|it| !known.contains(&(&it.id.kind, &it.id.id)));
        let orphan = |it: Resource| Orphan {
            adapter: reader.name().to_owned(),
            id: it.id,
            address: it.address,
            generation: it.generation,
        };
        found.extend(strange.map(orphan));
    }
    found.sort_by(|a, b| a.id.cmp(&b.id));
    // Two routes may lead to one adapter.
    found.dedup_by(|a, b| a.id == b.id);
    Ok(found)
}

/// Destroys an orphan. What is not recorded needs no journal: it is found again the same way.
///
/// # Errors
/// Where it is still there.
pub(crate) async fn remove(desk: &Desk, writers: &Writers, orphan: &Orphan) -> Result<(), Trouble> {
    let call = Call::Destroy { id: orphan.id.clone(), key: desk.name(), if_match: None };
    let deadline = desk.pace.deadline(desk.pace.settings.step_timeout);
    match writers.of(&orphan.id.kind)?.write(&call, "", deadline, &|_, _| {}).await {
        Written::Gone | Written::Is(_) => Ok(()),
        Written::Failed(trouble)
        | Written::Broken(trouble)
        | Written::NeedsRebuild(trouble)
        | Written::Unknown(trouble) => Err(trouble),
    }
}
