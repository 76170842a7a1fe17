use std::rc::Rc;

use futures_util::future::{Either, select};
use model::{Address, Phase, Value};
use protocol::{Call, Resource, ResourceId, Verb, Wanted, resource_id, spec_hash};
use runtime::{Action, Context, Controller, Outcome, Sharing};
use state::{Change, Entry, Intent};
use store::{Draft, Key, Spec};

use crate::{
    StepState, Stop, Trouble,
    decide::step_of,
    desk::{Current, Desk},
    json,
    kinds::{self, OutcomeSpec, ResourceSpec, TurnSpec},
    observe::facts,
    pace::Deadline,
    record,
    remote::{Writer, Written},
    routes::Writers,
    steps::{Does, Step},
};

/// Carries out each step whose turn it is. It alone can have adapters change things.
pub(crate) fn controller(desk: Rc<Desk>, writers: Writers) -> Controller {
    let parallel = desk.pace.settings.parallel;
    let execute = Rc::new(Execute { desk, writers });
    Controller::queue("execute")
        .primary(kinds::turns())
        .output(kinds::outcomes(), Sharing::Exclusive)
        .output(kinds::persisted(), Sharing::Shared)
        .concurrency(parallel)
        .reconcile(move |cx, key| {
            let execute = execute.clone();
            async move { execute.turn(cx, key).await }
        })
}

struct Execute {
    desk: Rc<Desk>,
    writers: Writers,
}

/// What a step needs all the way.
struct Task<'t> {
    current: &'t Current,
    place: usize,
    step: &'t Step,
    cx: &'t Context,
    writer: Writer,
    deadline: Deadline,
}

impl Execute {
    async fn turn(&self, cx: Context, key: Key) -> Outcome {
        let outcome = kinds::outcomes().key(key.id.clone());
        let Some(turn) = cx.find(&key)? else {
            cx.remove(&outcome)?;
            return Ok(Action::Done);
        };
        let current = self.desk.current();
        let step = step_of(current.number, &key.id).and_then(|id| current.step(id));
        let Some((place, step)) = step else { return Ok(Action::Done) };
        if current.state(place) != StepState::NotStarted {
            return Ok(Action::Done);
        }
        match turn.read()? {
            TurnSpec::Skip { because } => self.skip(place, because),
            TurnSpec::Go => self.go(&cx, &current, place, step).await,
        }
        current.end(place);
        let spec = OutcomeSpec { state: current.state(place) };
        cx.put(Draft::new(outcome, Spec::of(&spec)?))?;
        Ok(Action::Done)
    }

    fn skip(&self, place: usize, because: String) {
        self.desk.step(place, |view| {
            view.state = StepState::Skipped;
            view.because = Some(because);
        });
    }

    async fn go(&self, cx: &Context, current: &Current, place: usize, step: &Step) {
        self.desk.step(place, |view| view.state = StepState::Running);
        let mut stop = self.desk.stop.subscribe();
        let given_up = async {
            // The sender lives as long as the desk.
            let _ = stop.wait_for(|it| *it == Stop::AtOnce).await;
        };
        let work = std::pin::pin!(self.work(cx, current, place, step));
        let outcome = match select(work, std::pin::pin!(given_up)).await {
            Either::Left((outcome, _)) => outcome,
            Either::Right(_) => Err(Trouble::new("engine/given-up", "it was given up")
                .help("apply again: what it did meanwhile will be found")),
        };
        self.desk.step(place, |view| match outcome {
            Ok(()) => {
                view.state = StepState::Done;
                view.message = None;
            }
            Err(trouble) => {
                view.state = StepState::Failed;
                view.message = None;
                view.trouble = Some(trouble);
            }
        });
    }

    async fn work(&self, cx: &Context, current: &Current, place: usize, step: &Step) -> Result<(), Trouble> {
        if step.does == Does::Forget {
            return self.forget(cx, &step.address).await;
        }
        let kind = self.kind(current, step);
        let writer = self.writers.of(&kind)?;
        let start = self.desk.pace.deadline(self.desk.pace.settings.step_timeout);
        let timeouts = writer.reader().describe(start).await?.timeouts;
        let seconds = match step.does {
            Does::Create => timeouts.create,
            Does::Update => timeouts.update,
            Does::Destroy | Does::Forget => timeouts.destroy,
        };
        let own = u64::from(seconds) * 1000;
        let deadline = if own == 0 { start } else { self.desk.pace.deadline(own) };
        let task = Task { current, place, step, cx, writer, deadline };
        match step.does {
            Does::Create => self.create(&task).await,
            Does::Update => self.update(&task).await,
            Does::Destroy => self.destroy(&task, current.is_half(step)).await,
            Does::Forget => Ok(()),
        }
    }

    /// The kind of what is there for what ends, of what is wanted for what is made.
    fn kind(&self, current: &Current, step: &Step) -> String {
        let recorded = self.recorded(&step.address).map(|it| it.kind);
        let desired = current.desired.get(&step.address).map(|it| it.kind.to_string());
        let (first, second) =
            if step.does == Does::Destroy { (recorded, desired) } else { (desired, recorded) };
        first.or(second).unwrap_or_default()
    }

    fn recorded(&self, address: &Address) -> Option<Entry> {
        self.desk.ledger.snapshot().resources.get(&address.to_string()).cloned()
    }

    /// What is wanted, filled in, and the entry that will be recorded.
    fn wanted(&self, task: &Task<'_>, generation: u64) -> Result<(Value, Entry), Trouble> {
        let gone = || Trouble::new("engine/not-described", "it is not described any more").help("plan again");
        let desired = task.current.desired.get(&task.step.address).ok_or_else(gone)?;
        let filled = self.desk.made.borrow().fill(desired)?;
        let recorder = self.desk.recorder();
        let sent = record::sent(&recorder.types, &desired.kind, &filled);
        let lineage = self.desk.ledger.snapshot().lineage.clone();
        let id = resource_id(&lineage, &task.step.address.to_string(), generation);
        let protected = self.recorded(&task.step.address).is_some_and(|it| it.protected);
        let entry = Entry { protected, ..recorder.entry(desired, &sent, &id, generation) };
        Ok((sent, entry))
    }

    async fn create(&self, task: &Task<'_>) -> Result<(), Trouble> {
        let before = self.recorded(&task.step.address).map_or(0, |it| it.generation);
        let (spec, entry) = self.wanted(task, before + 1).map_err(|it| self.blamed(task, it))?;
        self.make(task, Verb::Create, spec, entry, None).await
    }

    async fn update(&self, task: &Task<'_>) -> Result<(), Trouble> {
        let Some(before) = self.recorded(&task.step.address) else {
            return Err(Trouble::new("engine/not-recorded", "it is not recorded any more").help("plan again"));
        };
        let (spec, mut entry) = self.wanted(task, before.generation).map_err(|it| self.blamed(task, it))?;
        entry.id = before.id.clone();
        let etag = self.desk.etags.borrow().get(&task.step.address).cloned();
        match self.make(task, Verb::Update, spec, entry, etag).await {
            Err(trouble) if trouble.code == NEEDS_REBUILD => self.rebuild(task, trouble).await,
            done => done,
        }
    }

    /// What an adapter does not change in place is destroyed and made again, if that was allowed.
    async fn rebuild(&self, task: &Task<'_>, trouble: Trouble) -> Result<(), Trouble> {
        if !task.current.terms.get().unwrap_or_default().allow_rebuild {
            return Err(trouble.help("allow it to be rebuilt (`--allow-rebuild`), or take the change back"));
        }
        self.progress(task, "it cannot be changed in place: it is rebuilt".into(), None);
        self.destroy(task, true).await?;
        self.create(task).await?;
        task.current.rebuilt.borrow_mut().push(task.step.address.clone());
        Ok(())
    }

    /// Journals the intent, has it done, records what came of it, and waits until it is ready.
    async fn make(
        &self,
        task: &Task<'_>,
        verb: Verb,
        spec: Value,
        entry: Entry,
        if_match: Option<String>,
    ) -> Result<(), Trouble> {
        let (address, key) = (task.step.address.to_string(), self.desk.name());
        let sent = json::clear(&spec);
        let hash = spec_hash(&sent);
        let wanted = Wanted {
            deployment: self.desk.ledger.snapshot().lineage.clone(),
            address: address.clone(),
            generation: entry.generation,
            spec: sent.as_object().cloned().unwrap_or_default(),
        };
        let id = ResourceId::new(&entry.kind, &entry.id);
        let call = match verb {
            Verb::Create => Call::Create { id, wanted, key: key.clone() },
            _ => Call::Update { id, wanted, key: key.clone(), if_match },
        };
        let intent = self.begin(task, verb, key, entry.clone(), &hash).await?;
        let written = self.write(task, &call, &hash).await;
        let resource = match written {
            Written::Is(resource) => resource,
            other => return Err(self.not_made(task, intent, entry, other).await),
        };
        let entry = self.desk.recorder().told(entry, &resource);
        let settled = vec![Change::Put(address, Box::new(entry.clone())), Change::Settle(intent)];
        self.keep(task, &entry, settled).await?;
        self.made(task, &spec, &resource);
        self.ready(task, &spec, entry, resource).await
    }

    /// What is recorded when it did not work.
    async fn not_made(&self, task: &Task<'_>, intent: String, entry: Entry, written: Written) -> Trouble {
        let address = task.step.address.to_string();
        let (trouble, changes) = match written {
            // What is there cannot be used, but it is there, and must be destroyed before it is made again.
            Written::Broken(trouble) => {
                let identity = serde_json::json!({"id": entry.id});
                let entry = Entry { tainted: true, identity, ..entry };
                (trouble, vec![Change::Put(address, Box::new(entry)), Change::Settle(intent)])
            }
            Written::Failed(trouble) => (trouble, vec![Change::Settle(intent)]),
            Written::NeedsRebuild(trouble) => {
                (Trouble { code: NEEDS_REBUILD.into(), ..trouble }, vec![Change::Settle(intent)])
            }
            Written::Gone => (contract("the adapter destroyed it"), vec![Change::Settle(intent)]),
            // The intent stays: the next run finds out.
            Written::Unknown(trouble) => return self.blamed(task, trouble),
            Written::Is(_) => (contract("the adapter contradicts itself"), vec![Change::Settle(intent)]),
        };
        match self.desk.ledger.commit(changes).await {
            Ok(()) => self.blamed(task, trouble),
            Err(error) => error.into(),
        }
    }

    /// Points what an adapter complains of to where it is written.
    fn blamed(&self, task: &Task<'_>, mut trouble: Trouble) -> Trouble {
        if let Some(desired) = task.current.desired.get(&task.step.address) {
            for blame in &mut trouble.blames {
                let span = record::origin(desired, &blame.pointer);
                blame.place = span.and_then(|span| self.desk.planner.borrow().locate(span));
            }
        }
        trouble
    }

    /// Waits until it is active.
    async fn ready(
        &self,
        task: &Task<'_>,
        spec: &Value,
        entry: Entry,
        mut resource: Box<Resource>,
    ) -> Result<(), Trouble> {
        let mut pause = self.desk.pace.settings.ready_first;
        while resource.phase == Phase::Pending {
            self.progress(task, resource.message.clone().unwrap_or_else(|| "not ready yet".into()), None);
            if !self.desk.pace.wait(pause, task.deadline).await {
                return Err(not_ready(&resource));
            }
            pause = (pause * 3 / 2).min(self.desk.pace.settings.ready_last);
            let id = resource.id.clone();
            resource = task.writer.reader().read(&id, task.deadline).await?.ok_or_else(vanished)?;
            if resource.phase != Phase::Pending {
                let entry = self.desk.recorder().told(entry.clone(), &resource);
                let change = Change::Put(task.step.address.to_string(), Box::new(entry.clone()));
                self.keep(task, &entry, vec![change]).await?;
                self.made(task, spec, &resource);
            }
        }
        if resource.phase == Phase::Active { Ok(()) } else { Err(ended(&resource)) }
    }

    /// Destroys what is recorded. `is_half`: it will be made again, so that it was there is kept.
    async fn destroy(&self, task: &Task<'_>, is_half: bool) -> Result<(), Trouble> {
        let address = task.step.address.to_string();
        let Some(entry) = self.recorded(&task.step.address) else { return Ok(()) };
        if entry.id.is_empty() {
            return self.forget(task.cx, &task.step.address).await;
        }
        let (id, key) = (ResourceId::new(&entry.kind, &entry.id), self.desk.name());
        let call = Call::Destroy { id, key: key.clone(), if_match: None };
        let intent = self.begin(task, Verb::Destroy, key, entry.clone(), "").await?;
        let written = self.write(task, &call, "").await;
        let (outcome, left) = match written {
            Written::Gone => (Ok(()), true),
            // Some tell of what is gone that it is gone.
            Written::Is(resource) if resource.phase == Phase::Terminated => (Ok(()), true),
            Written::Is(_) => (Err(contract("the adapter did not destroy it")), false),
            Written::Failed(trouble) | Written::Broken(trouble) | Written::NeedsRebuild(trouble) => {
                (Err(trouble), false)
            }
            Written::Unknown(trouble) => return Err(trouble),
        };
        let mut changes = vec![Change::Settle(intent)];
        if left {
            self.desk.made.borrow_mut().remove(&task.step.address);
            changes.push(if is_half {
                Change::Put(address, Box::new(record::ended(&entry)))
            } else {
                Change::Remove(address)
            });
        }
        self.desk.ledger.commit(changes).await?;
        if left && !is_half {
            self.unshow(task.cx, &task.step.address)?;
        }
        outcome
    }

    async fn forget(&self, cx: &Context, address: &Address) -> Result<(), Trouble> {
        self.desk.ledger.commit(vec![Change::Remove(address.to_string())]).await?;
        self.desk.made.borrow_mut().remove(address);
        self.unshow(cx, address)
    }

    async fn write(&self, task: &Task<'_>, call: &Call, hash: &str) -> Written {
        let told = |message: String, percent: Option<u8>| self.progress(task, message, percent);
        task.writer.write(call, hash, task.deadline, &told).await
    }

    async fn begin(
        &self,
        task: &Task<'_>,
        verb: Verb,
        key: String,
        entry: Entry,
        hash: &str,
    ) -> Result<String, Trouble> {
        let id = format!("{}-{}", task.step.id, &key[..8.min(key.len())]);
        let at = self.desk.pace.now().0;
        let address = task.step.address.to_string();
        let spec_hash = hash.to_owned();
        let rest = serde_json::Map::default();
        let intent = Intent { id: id.clone(), verb, address, key, at, spec_hash, entry, rest };
        self.desk.ledger.commit(vec![Change::Begin(Box::new(intent))]).await?;
        Ok(id)
    }

    async fn keep(&self, task: &Task<'_>, entry: &Entry, changes: Vec<Change>) -> Result<(), Trouble> {
        self.desk.ledger.commit(changes).await?;
        show(task.cx, &task.step.address.to_string(), entry)
    }

    fn unshow(&self, cx: &Context, address: &Address) -> Result<(), Trouble> {
        cx.as_user().remove(&kinds::persisted().key(address.to_string())).map(drop).map_err(inner)
    }

    fn made(&self, task: &Task<'_>, spec: &Value, resource: &Resource) {
        let mut facts = facts(None, resource);
        facts.spec = spec.clone();
        self.desk.made.borrow_mut().put(task.step.address.clone(), facts);
        let etag = resource.etag.clone();
        self.desk.etags.borrow_mut().extend(etag.map(|etag| (task.step.address.clone(), etag)));
    }

    fn progress(&self, task: &Task<'_>, message: String, percent: Option<u8>) {
        self.desk.step(task.place, |view| {
            view.message = Some(message);
            view.percent = percent;
        });
    }
}

/// Shows in the store what is recorded.
pub(crate) fn show(cx: &Context, address: &str, entry: &Entry) -> Result<(), Trouble> {
    let spec = ResourceSpec { kind: entry.kind.clone(), phase: Some(entry.phase.clone()), message: None };
    let spec = Spec::of(&spec).map_err(|error| inner(error.into()))?;
    cx.as_user().put(Draft::new(kinds::persisted().key(address), spec)).map(drop).map_err(inner)
}

const NEEDS_REBUILD: &str = "adapter/rebuild_required";

fn inner(error: runtime::CallError) -> Trouble {
    Trouble::new("engine/internal", error.to_string()).help("what was done is recorded; apply again")
}

fn contract(what: &str) -> Trouble {
    Trouble::new("engine/adapter-contract", what).help("the adapter has to be mended")
}

fn not_ready(resource: &Resource) -> Trouble {
    let last = resource.message.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
    Trouble::new("engine/timeout", format!("it is there, but was not ready in time{last}"))
        .help("see why it does not get ready; apply again once it can")
        .passing()
}

fn ended(resource: &Resource) -> Trouble {
    let last = resource.message.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
    Trouble::new("engine/ended", format!("it ended before it was ready{last}")).passing()
}

fn vanished() -> Trouble {
    Trouble::new("engine/gone", "it was gone before it was ready").help("apply again").passing()
}
