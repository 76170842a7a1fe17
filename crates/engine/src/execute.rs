use std::rc::Rc;

use futures_util::future::{Either, select};
use model::Address;
use protocol::Verb;
use runtime::{Action, Context, Controller, Outcome, Sharing};
use state::{Change, Entry};
use store::{Draft, Key, Spec};

use crate::{
    EngineError, StepState, Stop, codes,
    decide::step_of,
    holder::{Holder, other_adapter},
    kinds::{self, DecisionSpec, ResourceSpec},
    observe::is_made,
    observed_version::ObservedVersion,
    pending_write::PendingWrite,
    remote::{WriteOutcome, Writer},
    retry_timing::Deadline,
    routes::Writers,
    run_context::{Current, RunContext},
    steps::{Step, StepKind},
    write_attempt::WriteAttempt,
};

/// Runs each step whose turn it is. It is the only controller that can change resources through adapters.
pub(crate) fn controller(context: Rc<RunContext>, writers: Writers) -> Controller {
    let parallel = context.timing.settings.parallel;
    let execute = Rc::new(Execute { context, writers });
    Controller::queue("execute")
        .primary(kinds::decisions())
        .output(kinds::outcomes(), Sharing::Exclusive)
        .output(kinds::recorded(), Sharing::Shared)
        .concurrency(parallel)
        .reconcile(move |cx, key| {
            let execute = execute.clone();
            async move { execute.turn(cx, key).await }
        })
}

/// Creates, updates and destroys resources through adapters, and records the outcomes.
pub(crate) struct Execute {
    pub(crate) context: Rc<RunContext>,
    pub(crate) writers: Writers,
}

/// The context of a step while it runs.
pub(crate) struct Task<'t> {
    pub(crate) current: &'t Current,
    place: usize,
    pub(crate) step: &'t Step,
    pub(crate) cx: &'t Context,
    pub(crate) writer: Writer,
    pub(crate) deadline: Deadline,
}

impl<'t> Task<'t> {
    /// The same task with another adapter.
    pub(crate) fn at(&self, writer: Writer) -> Self {
        let Self { current, place, step, cx, deadline, .. } = *self;
        Self { current, place, step, cx, writer, deadline }
    }
}

impl Execute {
    async fn turn(&self, cx: Context, key: Key) -> Outcome {
        let outcome = kinds::outcomes().key(key.id.clone());
        let Some(turn) = cx.find(&key)? else {
            cx.remove(&outcome)?;
            return Ok(Action::Done);
        };
        let current = self.context.current();
        let step = step_of(current.number, &key.id).and_then(|id| current.step(id));
        let Some((place, step)) = step else { return Ok(Action::Done) };
        if current.state(place) != StepState::NotStarted {
            return Ok(Action::Done);
        }
        match turn.read()? {
            DecisionSpec::Skip { because } => self.skip(place, because),
            DecisionSpec::Leave { why } => self.leave(place, why),
            DecisionSpec::Go => self.go(&cx, &current, place, step).await,
        }
        current.end(place);
        let view = current.states.borrow().get(place).cloned();
        if let Some(view) = view {
            cx.put(Draft::new(outcome, Spec::of(&view)?))?;
        }
        Ok(Action::Done)
    }

    fn skip(&self, place: usize, because: String) {
        self.context.step(place, |view| {
            view.state = StepState::Skipped;
            view.because = Some(because);
        });
    }

    fn leave(&self, place: usize, why: String) {
        self.context.step(place, |view| {
            view.state = StepState::Skipped;
            view.message = Some(why);
        });
    }

    async fn go(&self, cx: &Context, current: &Current, place: usize, step: &Step) {
        self.context.step(place, |view| view.state = StepState::Running);
        let outcome = unless_given_up(&self.context, self.work(cx, current, place, step)).await;
        self.context.step(place, |view| match outcome {
            Ok(()) => {
                view.state = StepState::Done;
                view.message = None;
            }
            Err(error) => {
                view.state = StepState::Failed;
                view.message = None;
                view.error = Some(error);
            }
        });
    }

    async fn work(
        &self,
        cx: &Context,
        current: &Current,
        place: usize,
        step: &Step,
    ) -> Result<(), EngineError> {
        let write = match step.kind {
            StepKind::Write(verb) => Some(verb),
            StepKind::Wait => None,
            StepKind::Forget => return self.forget(cx, &step.address).await,
            // It was recorded before the first step.
            StepKind::Move => return Ok(()),
        };
        let kind = self.kind(current, step);
        let Some(writer) = self.writer(&kind, step).await? else {
            return self.forget(cx, &step.address).await;
        };
        let timing = &self.context.timing;
        let timeouts = writer.reader().describe(timing.step(0)).await?.timeouts;
        let seconds = match write {
            Some(Verb::Create) | None => timeouts.create,
            Some(Verb::Update) => timeouts.update,
            Some(Verb::Destroy) => timeouts.destroy,
        };
        let task = Task { current, place, step, cx, writer, deadline: timing.step(seconds) };
        match write {
            Some(Verb::Create) => self.create(&task).await,
            Some(Verb::Update) => self.update(&task).await,
            Some(Verb::Destroy) => self.destroy(&task, current.is_half(step)).await,
            None => self.wait(&task).await,
        }
    }

    /// The adapter that runs a step: existing resources are updated and destroyed by the adapter that created
    /// them. `None` if no adapter is needed, because the resource was lost with its adapter.
    async fn writer(&self, kind: &str, step: &Step) -> Result<Option<Writer>, EngineError> {
        let own = self.writers.of(kind)?;
        own.reader().describe(self.context.timing.step(0)).await?;
        let entry = self
            .recorded(&step.address)
            .filter(is_made)
            .filter(|_| step.kind != StepKind::Write(Verb::Create));
        let Some(entry) = entry else { return Ok(Some(own)) };
        let made_by = entry.adapter.as_ref();
        let ends = step.kind == StepKind::Write(Verb::Destroy);
        let (holder, writer) = self.writers.holding(kind, made_by)?;
        match holder {
            Holder::Own => Ok(writer),
            Holder::Former if ends => Ok(writer),
            Holder::NoAdapter if ends => Ok(None),
            Holder::Former | Holder::NoAdapter | Holder::Other => {
                let other = (step.address.to_string(), made_by.cloned().unwrap_or_default());
                Err(other_adapter(&[other], &own.reader()))
            }
        }
    }

    /// The recorded kind if the step ends a resource, the desired kind if it creates one.
    fn kind(&self, current: &Current, step: &Step) -> String {
        let recorded = self.recorded(&step.address).map(|it| it.kind);
        let desired = current.desired(&step.address).map(|it| it.kind.to_string());
        let (first, second) = if step.kind == StepKind::Write(Verb::Destroy) {
            (recorded, desired)
        } else {
            (desired, recorded)
        };
        first.or(second).unwrap_or_default()
    }

    pub(crate) fn recorded(&self, address: &Address) -> Option<Entry> {
        self.context.ledger.snapshot().resources.get(&address.to_string()).cloned()
    }

    /// Sends a write, based on the observed version; returns its outcome and the changes to record with it.
    pub(crate) async fn run(
        &self,
        task: &Task<'_>,
        write: &PendingWrite,
        seen: ObservedVersion,
    ) -> Result<(Vec<Change>, WriteOutcome), EngineError> {
        let reported = |message: String, percent: Option<u8>| self.progress(task, message, percent);
        let Task { writer, deadline, .. } = task;
        WriteAttempt { context: &self.context, writer, deadline: *deadline, reported: &reported }
            .run(write, seen)
            .await
    }

    pub(crate) async fn keep(
        &self,
        task: &Task<'_>,
        entry: &Entry,
        changes: Vec<Change>,
    ) -> Result<(), EngineError> {
        self.context.ledger.commit(changes).await?;
        show(task.cx, &task.step.address.to_string(), entry)
    }

    pub(crate) fn remove_persisted(&self, cx: &Context, address: &Address) -> Result<(), EngineError> {
        cx.as_user().remove(&kinds::recorded().key(address.to_string())).map(drop).map_err(inner)
    }

    pub(crate) fn progress(&self, task: &Task<'_>, message: String, percent: Option<u8>) {
        self.context.step(task.place, |view| {
            view.message = Some(message);
            view.percent = percent;
        });
    }
}

/// The result of some work, or an error if it was cancelled.
pub(crate) async fn unless_given_up<T>(
    context: &RunContext,
    work: impl Future<Output = Result<T, EngineError>>,
) -> Result<T, EngineError> {
    let mut stop = context.stop.subscribe();
    let given_up = async {
        // The sender lives as long as the context.
        let _ = stop.wait_for(|it| *it == Stop::AtOnce).await;
    };
    match select(std::pin::pin!(work), std::pin::pin!(given_up)).await {
        Either::Left((outcome, _)) => outcome,
        Either::Right(_) => Err(EngineError::new(codes::GIVEN_UP, "it was cancelled")
            .help("apply again: its result will be found")),
    }
}

/// Writes the recorded entry to the store.
fn show(cx: &Context, address: &str, entry: &Entry) -> Result<(), EngineError> {
    let spec = ResourceSpec { kind: entry.kind.clone(), phase: Some(entry.phase.clone()), message: None };
    let spec = Spec::of(&spec).map_err(|error| inner(error.into()))?;
    cx.as_user().put(Draft::new(kinds::recorded().key(address), spec)).map(drop).map_err(inner)
}

pub(crate) fn contract(what: &str) -> EngineError {
    EngineError::new(codes::ADAPTER_CONTRACT, what)
        .help("the adapter violates the protocol; report it to its author")
}

fn inner(error: runtime::CallError) -> EngineError {
    EngineError::new(codes::INTERNAL, error.to_string()).help("all completed steps are recorded; apply again")
}
