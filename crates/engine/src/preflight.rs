//! What is checked before a run that destroys something begins.

use std::collections::{BTreeMap, BTreeSet};

use model::Address;
use protocol::{ResourceId, resource_id};

use crate::{
    Engine, Terms, Trouble,
    desk::Current,
    remote::Reader,
    steps::{Does, Step},
};

/// The resources of one kind that a run touches.
#[derive(Default)]
struct Touched {
    addresses: BTreeSet<Address>,
    ids: BTreeSet<ResourceId>,
}

impl Engine {
    /// Whether the last plan can begin. Where it destroys something, each kind that it touches must have an adapter that
    /// can be asked and makes that kind, and each resource must be readable there, the one that is to be made included:
    /// otherwise the run would destroy first and find out then. Nothing is changed by this.
    ///
    /// Who wants to keep going wants the rest done whatever fails, so nothing is refused then.
    ///
    /// # Errors
    /// Why it cannot; nothing was done.
    pub(crate) async fn preflight(&self, terms: Terms) -> Result<(), Trouble> {
        let current = self.0.desk.current();
        if terms.keep_going || !destroys(&current, terms) {
            return Ok(());
        }
        for (kind, touched) in self.touched(&current) {
            let reader = self.0.readers.of(&kind).map_err(|why| about(why, &touched))?;
            self.readable(&reader, &kind, &touched)
                .await
                .map_err(|why| nothing_done(why, &reader, &touched))?;
        }
        Ok(())
    }

    async fn readable(&self, reader: &Reader, kind: &str, touched: &Touched) -> Result<(), Trouble> {
        let pace = &self.0.desk.pace;
        let deadline = pace.deadline(pace.settings.step_timeout);
        let description = reader.describe(deadline).await?;
        if !description.types.is_empty() && !description.types.contains_key(kind) {
            let message = format!("the adapter does not make a `{kind}`");
            return Err(Trouble::new("engine/no-adapter", message)
                .help("connect one that does: `--adapter KIND=URL`; nothing was done"));
        }
        let ids: Vec<ResourceId> = touched.ids.iter().cloned().collect();
        reader.read_all(&ids, deadline).await.map(drop)
    }

    /// By kind: what there is of it, as it is recorded, and what there will be, as it is described.
    fn touched(&self, current: &Current) -> BTreeMap<String, Touched> {
        let snapshot = self.snapshot();
        let mut touched: BTreeMap<String, Touched> = BTreeMap::new();
        let steps = current.steps.iter().enumerate();
        let steps = steps.filter(|(place, _)| !current.held.contains_key(place)).map(|(_, step)| step);
        for step in steps.filter(|it| it.does != Does::Forget) {
            let address = step.address.to_string();
            let mut touch = |kind: &str, id: &str| {
                let touched = touched.entry(kind.to_owned()).or_default();
                touched.addresses.insert(step.address.clone());
                touched.ids.insert(ResourceId::new(kind, id));
            };
            if let Some(entry) = snapshot.resources.get(&address).filter(|it| !it.id.is_empty()) {
                touch(&entry.kind, &entry.id);
            }
            if let Some(desired) = current.desired(&step.address).filter(|_| step.does == Does::Create) {
                let generation = snapshot.next_generation(&address);
                touch(&desired.kind, &resource_id(&snapshot.lineage, &address, generation));
            }
        }
        touched
    }
}

/// Whether the plan destroys something, or may: what is changed in place is rebuilt where the adapter cannot do that and
/// it is allowed.
fn destroys(current: &Current, terms: Terms) -> bool {
    let destroys = |step: &Step| match step.does {
        Does::Destroy => true,
        Does::Update => terms.allow_rebuild,
        Does::Create | Does::Wait | Does::Forget => false,
    };
    current.steps.iter().any(destroys)
}

fn about(why: Trouble, touched: &Touched) -> Trouble {
    Trouble { about: touched.addresses.iter().map(ToString::to_string).collect(), ..why }
}

fn nothing_done(why: Trouble, reader: &Reader, touched: &Touched) -> Trouble {
    let message = format!(
        "nothing was begun, because adapter `{}` cannot be relied on: {}",
        reader.name(),
        why.message
    );
    about(Trouble { message, ..why }, touched)
}
