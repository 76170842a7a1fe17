//! Checks before a run begins, above all before one that destroys something.

use std::collections::{BTreeMap, BTreeSet};

use model::Address;
use protocol::{ResourceId, Verb, resource_id};

use crate::{
    ApplyOptions, Engine, EngineError, codes,
    observe::is_made,
    remote::Reader,
    run_context::Current,
    steps::{Step, StepKind},
};

/// The resources of one kind that a run touches at one adapter.
struct TouchedResources {
    reader: Reader,
    addresses: BTreeSet<Address>,
    ids: BTreeSet<ResourceId>,
}

/// By kind and by the adapter's name.
#[derive(Default)]
struct Parts(BTreeMap<(String, String), TouchedResources>);

impl Engine {
    /// Checks whether the last plan can begin. Each kind that it touches must have an adapter. If the plan
    /// destroys something, each adapter must be reachable and make that kind, and each resource must be
    /// readable there, including the one that is to be created: otherwise the run would destroy first and
    /// fail then. Nothing is changed by this.
    ///
    /// With `keep_going`, the rest is to be applied whatever fails, so nothing is refused.
    ///
    /// # Errors
    /// If it cannot begin; nothing was done.
    pub(crate) async fn preflight(&self, terms: ApplyOptions) -> Result<(), EngineError> {
        let current = self.0.context.current();
        if terms.keep_going {
            return Ok(());
        }
        let parts = self.parts(&current)?;
        if !destroys(&current, terms) {
            return Ok(());
        }
        for ((kind, _), touched) in &parts.0 {
            self.readable(kind, touched).await.map_err(|why| touched.nothing_done(why))?;
        }
        Ok(())
    }

    async fn readable(&self, kind: &str, touched: &TouchedResources) -> Result<(), EngineError> {
        let timing = &self.0.context.timing;
        let deadline = timing.deadline(timing.settings.step_timeout);
        let description = touched.reader.describe(deadline).await?;
        if !description.types.is_empty() && !description.types.contains_key(kind) {
            let message = format!("the adapter does not support the kind `{kind}`");
            return Err(EngineError::new(codes::NO_ADAPTER, message)
                .help("connect one that does: `--adapter KIND=URL`; nothing was done"));
        }
        let ids: Vec<ResourceId> = touched.ids.iter().cloned().collect();
        touched.reader.read_all(&ids, deadline).await.map(drop)
    }

    /// The existing resources, as recorded, at the adapters that have them; and the new ones, as described,
    /// at the adapters that make them.
    fn parts(&self, current: &Current) -> Result<Parts, EngineError> {
        let (snapshot, writers) = (self.snapshot(), &self.0.writers);
        let mut parts = Parts::default();
        let steps = current.steps.iter().enumerate();
        let steps = steps.filter(|(place, _)| !current.held.contains_key(place)).map(|(_, step)| step);
        for step in steps.filter(|it| it.kind.needs_adapter()) {
            let address = step.address.to_string();
            let about = |why: EngineError| EngineError { about: vec![address.clone()], ..why };
            if let Some(entry) = snapshot.resources.get(&address).filter(|it| is_made(it)) {
                let (_, writer) = writers.holding(&entry.kind, entry.adapter.as_ref()).map_err(about)?;
                if let Some(writer) = writer {
                    parts.touch(step, writer.reader(), &entry.kind, &entry.id);
                }
            }
            if let Some(desired) =
                current.desired(&step.address).filter(|_| step.kind == StepKind::Write(Verb::Create))
            {
                let id = resource_id(&snapshot.lineage, &address, snapshot.next_generation(&address));
                parts.touch(step, writers.of(&desired.kind).map_err(about)?.reader(), &desired.kind, &id);
            }
        }
        Ok(parts)
    }
}

impl Parts {
    fn touch(&mut self, step: &Step, reader: Reader, kind: &str, id: &str) {
        let key = (kind.to_owned(), reader.name().to_owned());
        let (addresses, ids) = (BTreeSet::new(), BTreeSet::new());
        let touched = self.0.entry(key).or_insert(TouchedResources { reader, addresses, ids });
        touched.addresses.insert(step.address.clone());
        touched.ids.insert(ResourceId::new(kind, id));
    }
}

impl TouchedResources {
    fn nothing_done(&self, why: EngineError) -> EngineError {
        let name = self.reader.name();
        let message = format!("nothing was started, because adapter `{name}` failed: {}", why.message);
        let about = self.addresses.iter().map(ToString::to_string).collect();
        EngineError { message, about, ..why }
    }
}

/// True if the plan destroys something, or may: an update becomes a rebuild if the adapter cannot make it in
/// place and that is allowed.
fn destroys(current: &Current, terms: ApplyOptions) -> bool {
    let destroys = |step: &Step| match step.kind {
        StepKind::Write(Verb::Destroy) => true,
        StepKind::Write(Verb::Update) => terms.allow_rebuild,
        StepKind::Write(Verb::Create) | StepKind::Wait | StepKind::Forget | StepKind::Move => false,
    };
    current.steps.iter().any(destroys)
}
