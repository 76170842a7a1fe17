//! Reverting one value of one resource to what was recorded.

use model::{Address, Origin, Phase, Pointer, Value};
use protocol::{Resource, ResourceId, Verb};
use state::{Change, Entry, unseal};
use types::{Trail, Types};

use crate::{
    ApplyOptions, Engine, EngineError, codes,
    create::{NEEDS_REBUILD, decided, holds_secret, is_active},
    execute::{contract, unless_given_up},
    holder::{Holder, other_adapter},
    json,
    kinds::{self, ResourceSpec, THE_ONE},
    merge_observed::{KnownAttributes, marks, merge_observed, something},
    observe::{facts, is_made},
    observed_version::ObservedVersion,
    pending_write::PendingWrite,
    record,
    recorded::recorded,
    remote::{Refusal, RefusalEffect, WriteOutcome, Writer},
    retry_timing::Deadline,
    run_context::RunContext,
    write_attempt::WriteAttempt,
};

impl Engine {
    /// Reverts the value at a pointer into a resource's attributes to what was recorded, and changes nothing
    /// else: other values that differ from the record stay as they are, and so does the record. Call it
    /// between [`open`](Self::open) and [`close`](Self::close); it invalidates an earlier plan. If the value
    /// is as recorded already, nothing is sent.
    ///
    /// It is an update like any other: journalled before it is sent, made only if the resource was not
    /// changed in the meantime, and found by the next run if its outcome is not known.
    ///
    /// # Errors
    /// If the resource does not exist, the value is a secret or cannot be reverted alone, or the adapter
    /// refuses it; a change that cannot be made in place does not cause a rebuild.
    pub async fn revert_field(&self, address: &str, pointer: &str) -> Result<(), EngineError> {
        if self.0.store.get(&kinds::approvals().key(THE_ONE)).is_ok() {
            return Err(
                EngineError::new(codes::BUSY, "a plan is being applied").help("wait until it has finished")
            );
        }
        let context = &self.0.context;
        let work = async {
            let (putting, found) = FieldRevert::read(self, address, Pointer::parse(pointer)).await?;
            putting.run(found).await
        };
        unless_given_up(context, work).await
    }
}

/// The revert of one field.
struct FieldRevert<'e> {
    engine: &'e Engine,
    context: &'e RunContext,
    address: Address,
    pointer: Pointer,
    /// The recorded entry, before and after.
    entry: Entry,
    writer: Writer,
    deadline: Deadline,
}

impl<'e> FieldRevert<'e> {
    /// Reads the resource.
    async fn read(
        engine: &'e Engine,
        address: &str,
        pointer: Pointer,
    ) -> Result<(Self, Box<Resource>), EngineError> {
        let context = &*engine.0.context;
        let unrecorded =
            || EngineError::new(codes::NOT_RECORDED, "it is not recorded").help("check for drift again");
        let entry = context.ledger.snapshot().resources.get(address).cloned().ok_or_else(unrecorded)?;
        let address: Address = address.parse().map_err(|_| unrecorded())?;
        if entry.tainted {
            let message = "the resource failed, and reverting a value does not repair it";
            return Err(EngineError::new(codes::UNUSABLE, message).help("apply to recreate it"));
        }
        let writer = engine.0.writers.of(&entry.kind)?;
        let is_known = entry.adapter.as_ref().is_some_and(|it| !it.instance.is_empty());
        let holders = engine.0.readers.holders(&entry.kind, is_known, context.timing.step(0)).await?;
        if holders.of(entry.adapter.as_ref())? != Holder::Own {
            let other = (address.to_string(), entry.adapter.clone().unwrap_or_default());
            return Err(other_adapter(&[other], &holders.own));
        }
        let timeouts = writer.reader().describe(context.timing.step(0)).await?.timeouts;
        let deadline = context.timing.step(timeouts.update);
        let found = match is_made(&entry) {
            true => writer.reader().read(&ResourceId::new(&entry.kind, &entry.id), deadline).await?,
            false => None,
        };
        let found = found.filter(|it| it.phase != Phase::Terminated).ok_or_else(gone)?;
        Ok((Self { engine, context, address, pointer, entry, writer, deadline }, found))
    }

    async fn run(&self, found: Box<Resource>) -> Result<(), EngineError> {
        let types = self.context.planner.borrow().types();
        let Some(spec) = self.reverted_spec(&types, &found)? else { return Ok(()) };
        self.invalidate_plan();
        let by = ("put-back", &*self.address.to_string());
        let write =
            PendingWrite::upsert(Verb::Update, by, self.entry.clone(), &spec, self.holds_secret(&spec));
        let attempt = WriteAttempt {
            context: self.context,
            writer: &self.writer,
            deadline: self.deadline,
            reported: &|_, _| {},
        };
        let (settled, written) = attempt.run(&write, ObservedVersion::of(&found)).await?;
        let refusal = match written {
            WriteOutcome::Is(resource) => return self.is_there(&types, &spec, resource, settled).await,
            // The intent stays in the journal: the next run finds out.
            WriteOutcome::Unknown(error) => return Err(self.blamed(error)),
            WriteOutcome::Refused(refusal) => refusal,
            WriteOutcome::Gone => {
                Refusal { error: contract("the adapter destroyed it"), leaves: RefusalEffect::All }
            }
        };
        Err(self.not_done(settled, refusal).await)
    }

    async fn is_there(
        &self,
        types: &Types,
        spec: &Value,
        resource: Box<Resource>,
        settled: Vec<Change>,
    ) -> Result<(), EngineError> {
        self.keep(spec, &resource, settled).await?;
        let resource = self.once_ready(spec, resource).await?;
        if self.is_reverted(types, spec, &resource) { Ok(()) } else { Err(not_reverted()) }
    }

    /// The spec that is sent; `None` if nothing has to be sent.
    fn reverted_spec(&self, types: &Types, found: &Resource) -> Result<Option<Value>, EngineError> {
        let seen = json::value_map(&found.spec, Origin::Observed);
        let sealed = json::value_map(&self.entry.spec, Origin::Recorded);
        let mut known = sealed.clone();
        unseal(&mut known, &seen);
        let desired = self.context.planner.borrow().desired();
        let all = recorded(&self.context.ledger.snapshot(), &desired, &self.context.made.borrow());
        if let Some(described) = all.resources.get(&self.address) {
            unseal(&mut known, &described.spec);
        }
        let trail = self.trail(types);
        KnownAttributes { sealed: &sealed, recorded: &known, seen: &seen, trail }
            .with_field_reverted(&self.pointer)
    }

    fn trail<'t>(&self, types: &'t Types) -> Option<Trail<'t>> {
        types.kind(&self.entry.kind).map(|kind| Trail::object(types, kind))
    }

    /// Invalidates the last plan, which was made for the state before.
    fn invalidate_plan(&self) {
        let current = self.context.current();
        current.terms.set(current.terms.get().or(Some(ApplyOptions::default())));
    }

    /// Values that an adapter reports have no taint of their own.
    fn holds_secret(&self, spec: &Value) -> bool {
        let sealed = json::value_map(&self.entry.spec, Origin::Recorded);
        !marks(&sealed, Pointer::root()).is_empty()
            || holds_secret(&self.context.recorder().hidden(&self.entry.kind, spec.clone()))
    }

    /// Records what an adapter reported. The recorded spec stays as it was, because other values are still to
    /// be compared with it.
    async fn keep(&self, spec: &Value, resource: &Resource, settled: Vec<Change>) -> Result<(), EngineError> {
        let entry = self.context.recorder().with_resource(self.entry.clone(), resource);
        let shown =
            ResourceSpec { kind: entry.kind.clone(), phase: Some(entry.phase.clone()), message: None };
        let put = Change::Put(self.address.to_string(), Box::new(entry));
        self.context.ledger.commit([vec![put], settled].concat()).await?;
        self.engine.put(kinds::recorded().key(self.address.to_string()), &shown)?;
        let mut facts = facts(&self.context.secrets, None, resource);
        facts.spec = spec.clone();
        self.context.made.borrow_mut().put(self.address.clone(), facts);
        self.context.record_version(&self.address, resource);
        Ok(())
    }

    async fn once_ready(
        &self,
        spec: &Value,
        mut resource: Box<Resource>,
    ) -> Result<Box<Resource>, EngineError> {
        if resource.phase == Phase::Pending {
            let (timing, reader) = (&self.context.timing, self.writer.reader());
            resource = decided(timing, &reader, resource, self.deadline, &|_| {}).await?;
            self.keep(spec, &resource, Vec::new()).await?;
        }
        is_active(&resource)?;
        Ok(resource)
    }

    /// Records the outcome of a revert that failed.
    async fn not_done(&self, mut changes: Vec<Change>, refusal: Refusal) -> EngineError {
        let Refusal { mut error, leaves } = refusal;
        match leaves {
            RefusalEffect::All | RefusalEffect::Other => {}
            RefusalEffect::Fixed => {
                error.code = NEEDS_REBUILD.into();
                error = error.help("it cannot be reverted in place: apply, and allow it to be rebuilt");
            }
            RefusalEffect::Ruin => {
                let entry = Box::new(record::ruined(self.entry.clone()));
                changes.insert(0, Change::Put(self.address.to_string(), entry));
            }
        }
        match self.context.ledger.commit(changes).await {
            Ok(()) => self.blamed(error),
            Err(error) => error.into(),
        }
    }

    fn blamed(&self, error: EngineError) -> EngineError {
        let desired = self.context.planner.borrow().desired();
        self.context.blamed(desired.get(&self.address), error)
    }

    /// True if the resource is as it was sent, as far as the adapter reports.
    fn is_reverted(&self, types: &Types, sent: &Value, resource: &Resource) -> bool {
        let reported =
            merge_observed(self.trail(types), sent, &json::value_map(&resource.spec, Origin::Observed));
        match (something(sent.at(&self.pointer)), something(reported.at(&self.pointer))) {
            (Some(sent), Some(reported)) => sent.same_data(reported),
            (sent, reported) => sent.is_none() && reported.is_none(),
        }
    }
}

fn gone() -> EngineError {
    EngineError::new(codes::GONE, "it is gone").help("apply to recreate it")
}

fn not_reverted() -> EngineError {
    EngineError::new(
        codes::NOT_PUT_BACK,
        "the adapter reports success, but the value still differs from the recorded one",
    )
    .help("check for drift and try again; if the adapter cannot change it in place, apply to rebuild it")
}
