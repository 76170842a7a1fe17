use std::time::Duration;

use model::{Data, DesiredResource, Phase, Value};
use protocol::{Resource, ResourceId, Verb, resource_id};
use state::{Change, Entry};
use store::whole_millis;

use crate::{
    EngineError, codes,
    execute::{Execute, Task, contract},
    lineages,
    observe::facts,
    observed_version::ObservedVersion,
    pending_write::PendingWrite,
    record,
    remote::{Reader, Refusal, RefusalEffect, WriteOutcome},
    retry_timing::{Deadline, RetryTiming},
    run_context::RunContext,
};

/// The code of adapters for a change that they cannot make in place.
pub(crate) const NEEDS_REBUILD: &str = protocol::codes::REBUILD_REQUIRED.as_str();

impl Execute {
    /// The spec with all references filled in, and the entry to record for it.
    fn spec_and_entry(&self, task: &Task<'_>, generation: u64) -> Result<(Value, Entry), EngineError> {
        let gone =
            || EngineError::new(codes::NOT_DESCRIBED, "it is no longer in any file").help("plan again");
        let desired = task.current.desired(&task.step.address).ok_or_else(gone)?;
        let mut filled = self.context.made.borrow().fill(desired)?;
        plan::name_as_created(desired, |it| self.context.ledger.created_as(it), &mut filled);
        self.context.secrets.add(&desired.kind, &filled);
        let recorder = self.context.recorder();
        let sent = record::sent(&recorder.types, &desired.kind, &filled);
        let lineage = self.context.ledger.snapshot().lineage.clone();
        let id = resource_id(&lineage, &task.step.address.to_string(), generation);
        let protected = self.recorded(&task.step.address).is_some_and(|it| it.protected);
        let adapter = Some(task.writer.reader().adapter());
        let restarts = self.context.restarts(&task.step.address);
        let entry = Entry { protected, adapter, restarts, ..recorder.entry(desired, &sent, &id, generation) };
        Ok((sent, entry))
    }

    pub(crate) async fn create(&self, task: &Task<'_>) -> Result<(), EngineError> {
        lineages::clear(&self.context, &task.writer.reader(), task.current, &task.step.address).await?;
        let generation = self.context.ledger.snapshot().next_generation(&task.step.address.to_string());
        let (spec, entry) = self.spec_and_entry(task, generation).map_err(|it| self.blamed(task, it))?;
        self.clear_leftover(task).await?;
        self.write(task, Verb::Create, spec, entry, ObservedVersion::default()).await
    }

    pub(crate) async fn update(&self, task: &Task<'_>) -> Result<(), EngineError> {
        let Some(before) = self.recorded(&task.step.address) else {
            return Err(EngineError::new(codes::NOT_RECORDED, "it is no longer recorded").help("plan again"));
        };
        let (spec, mut entry) =
            self.spec_and_entry(task, before.generation).map_err(|it| self.blamed(task, it))?;
        entry.id = before.id.clone();
        entry.created_as = before.created_as.clone();
        let seen = self.context.observed_version(&task.step.address);
        match self.write(task, Verb::Update, spec, entry, seen).await {
            Err(error) if error.code == NEEDS_REBUILD => self.rebuild(task, error).await,
            done => done,
        }
    }

    /// Waits for an operation that an earlier run started. Nothing is sent.
    pub(crate) async fn wait(&self, task: &Task<'_>) -> Result<(), EngineError> {
        let Some(entry) = self.recorded(&task.step.address) else { return Err(vanished()) };
        let (spec, _) = self.spec_and_entry(task, entry.generation).map_err(|it| self.blamed(task, it))?;
        let id = ResourceId::new(&entry.kind, &entry.id);
        let found = task.writer.reader().read(&id, task.deadline).await;
        let found = found.map_err(|why| why.of(task.writer.reader().name()))?.ok_or_else(vanished)?;
        let entry = self.context.recorder().with_resource(entry, &found);
        let put = Change::Put(task.step.address.to_string(), Box::new(entry.clone()));
        self.keep(task, &entry, vec![put]).await?;
        self.made(task, &spec, &found);
        self.ready(task, &spec, entry, found).await
    }

    /// Destroys and recreates a resource that its adapter cannot change in place, if that is allowed.
    async fn rebuild(&self, task: &Task<'_>, error: EngineError) -> Result<(), EngineError> {
        if !task.current.terms.get().unwrap_or_default().allow_rebuild {
            return Err(error.help("allow it to be rebuilt (`--allow-rebuild`), or undo the change"));
        }
        self.progress(task, "it cannot be changed in place: it is rebuilt".into(), None);
        // Do not destroy a resource that cannot be recreated.
        let generation = self.context.ledger.snapshot().next_generation(&task.step.address.to_string());
        self.spec_and_entry(task, generation).map_err(|it| self.blamed(task, it))?;
        self.destroy(task, true).await?;
        self.create(task).await?;
        task.current.rebuilt.borrow_mut().push(task.step.address.clone());
        Ok(())
    }

    /// Sends the write, records its outcome, and waits until the resource is ready.
    async fn write(
        &self,
        task: &Task<'_>,
        verb: Verb,
        spec: Value,
        entry: Entry,
        seen: ObservedVersion,
    ) -> Result<(), EngineError> {
        let by = (&*task.step.id, &*task.step.address.to_string());
        let write = PendingWrite::upsert(verb, by, entry.clone(), &spec, holds_secret(&spec));
        let (settled, written) = self.run(task, &write, seen).await?;
        let refusal = match written {
            WriteOutcome::Is(resource) => return self.is_there(task, &spec, entry, resource, settled).await,
            // The intent stays in the journal: the next run finds out.
            WriteOutcome::Unknown(error) => return Err(self.blamed(task, error)),
            WriteOutcome::Refused(refusal) => refusal,
            WriteOutcome::Gone => {
                Refusal { error: contract("the adapter destroyed it"), leaves: RefusalEffect::All }
            }
        };
        Err(self.not_made(task, settled, entry, refusal).await)
    }

    async fn is_there(
        &self,
        task: &Task<'_>,
        spec: &Value,
        entry: Entry,
        resource: Box<Resource>,
        settled: Vec<Change>,
    ) -> Result<(), EngineError> {
        let entry = self.context.recorder().with_resource(entry, &resource);
        let put = Change::Put(task.step.address.to_string(), Box::new(entry.clone()));
        self.keep(task, &entry, [vec![put], settled].concat()).await?;
        self.made(task, spec, &resource);
        self.ready(task, spec, entry, resource).await
    }

    /// Records the outcome of a write that failed.
    async fn not_made(
        &self,
        task: &Task<'_>,
        mut changes: Vec<Change>,
        entry: Entry,
        refusal: Refusal,
    ) -> EngineError {
        let Refusal { mut error, leaves } = refusal;
        let entry = match leaves {
            RefusalEffect::All | RefusalEffect::Other => {
                record::tried(self.recorded(&task.step.address), entry.restarts)
            }
            RefusalEffect::Ruin => Some(record::ruined(entry)),
            RefusalEffect::Fixed => {
                error.code = NEEDS_REBUILD.into();
                None
            }
        };
        let put = entry.map(|it| Change::Put(task.step.address.to_string(), Box::new(it)));
        changes.splice(0..0, put);
        match self.context.ledger.commit(changes).await {
            Ok(()) => self.blamed(task, error),
            Err(error) => error.into(),
        }
    }

    /// Adds to an adapter's error the places in the descriptors that it refers to.
    fn blamed(&self, task: &Task<'_>, error: EngineError) -> EngineError {
        self.context.blamed(task.current.desired(&task.step.address), error)
    }

    /// Waits until the resource is active.
    async fn ready(
        &self,
        task: &Task<'_>,
        spec: &Value,
        entry: Entry,
        mut resource: Box<Resource>,
    ) -> Result<(), EngineError> {
        if resource.phase == Phase::Pending {
            let reported = |message| self.progress(task, message, None);
            resource =
                decided(&self.context.timing, &task.writer.reader(), resource, task.deadline, &reported)
                    .await?;
            let entry = self.context.recorder().with_resource(entry, &resource);
            let change = Change::Put(task.step.address.to_string(), Box::new(entry.clone()));
            self.keep(task, &entry, vec![change]).await?;
            self.made(task, spec, &resource);
        }
        is_active(&resource)
    }

    fn made(&self, task: &Task<'_>, spec: &Value, resource: &Resource) {
        let mut facts = facts(&self.context.secrets, None, resource);
        facts.spec = spec.clone();
        self.context.made.borrow_mut().put(task.step.address.clone(), facts);
        self.context.record_version(&task.step.address, resource);
    }
}

impl RunContext {
    /// Adds to an adapter's error the places in the descriptors that it refers to, if the resource is
    /// described.
    pub(crate) fn blamed(&self, desired: Option<&DesiredResource>, mut error: EngineError) -> EngineError {
        if let Some(desired) = desired {
            for blame in &mut error.blames {
                let span = record::origin(desired, &blame.pointer);
                blame.place = span.and_then(|span| self.planner.borrow().locate(span));
            }
        }
        error
    }
}

/// Waits until it is known whether the resource becomes ready; returns its state then.
pub(crate) async fn decided(
    timing: &RetryTiming,
    reader: &Reader,
    mut resource: Box<Resource>,
    deadline: Deadline,
    reported: &dyn Fn(String),
) -> Result<Box<Resource>, EngineError> {
    let mut pause = timing.settings.ready_first;
    while resource.phase == Phase::Pending {
        reported(resource.message.clone().unwrap_or_else(|| "not ready yet".into()));
        if !timing.wait(pause, deadline).await {
            return Err(not_ready(&resource));
        }
        pause = Duration::from_millis(whole_millis(pause) * 3 / 2).min(timing.settings.ready_last);
        let id = resource.id.clone();
        resource = reader.read(&id, deadline).await?.ok_or_else(vanished)?;
    }
    Ok(resource)
}

/// # Errors
/// If it has terminated instead.
pub(crate) fn is_active(resource: &Resource) -> Result<(), EngineError> {
    if resource.phase == Phase::Active { Ok(()) } else { Err(ended(resource)) }
}

fn not_ready(resource: &Resource) -> EngineError {
    let last = resource.message.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
    EngineError::new(codes::TIMEOUT, format!("the resource exists, but was not ready in time{last}"))
        .help("find out why it does not become ready, then apply again")
        .passing()
}

fn ended(resource: &Resource) -> EngineError {
    let last = resource.message.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
    EngineError::new(codes::ENDED, format!("it ended before it was ready{last}")).passing()
}

fn vanished() -> EngineError {
    EngineError::new(codes::GONE, "it disappeared before it was ready").help("apply again").passing()
}

pub(crate) fn holds_secret(value: &Value) -> bool {
    let inside = match &value.data {
        Data::List(items) => items.iter().any(holds_secret),
        Data::Map(map) => map.values().any(holds_secret),
        _ => false,
    };
    value.sensitive || inside
}
