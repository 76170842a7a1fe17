use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use store::{Key, Kind, Millis};

use crate::{
    Context, Controller, Failure, Input, LocalFuture, Outcome, Strength, Style,
    cause::{Cause, HASTE, Line},
    controller::{Body, Role, RunHook, ShutdownHook},
    controller_state::{ControllerState, Shared},
    mirror::Change,
    queue::{DueOrder, Job, Queue, Requeue},
    run_counts::RunCounts,
    unmapped::Unmapped,
};

/// A loop that was slowed down is shown for this long after its last step: longer than two back-offs.
const OVER: i64 = 150_000;

/// A registered controller with its jobs.
pub(crate) struct Worker {
    pub(crate) controller: Rc<ControllerState>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) queue: Queue,
    pub(crate) running: usize,
    /// The turn at which it last began something: a number that is unique in the whole runtime.
    pub(crate) turn: u64,
    pub(crate) finished: bool,
    pub(crate) tally: RunCounts,
    pub(crate) setbacks: BTreeMap<Job, JobFailure>,
    pub(crate) unmapped: Unmapped,
    /// The last time when its runs seemed to be steps of a loop that does not settle.
    pub(crate) looped: Option<WriteLoop>,
    /// The time when a manual controller is to be woken, and the cause.
    pub(crate) alarm: Option<(Millis, Cause)>,
    /// The hook that is called once, after all runs of the runtime have been dropped.
    pub(crate) shutdown: Option<ShutdownHook>,
    concurrency: usize,
    body: Body,
    run_hook: Option<RunHook>,
}

/// An input, as the runtime uses it.
pub(crate) struct Entry {
    pub(crate) input: Input,
    pub(crate) role: Role,
    pub(crate) wakes: u64,
    pub(crate) looped: Option<Millis>,
}

/// The failure of a job.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JobFailure {
    /// The number of failures in a row.
    pub(crate) failures: u32,
    /// True if it is not retried until something significant changes.
    pub(crate) terminal: bool,
    pub(crate) until: Option<Millis>,
}

/// A loop of writes that does not settle.
#[derive(Clone, Debug)]
pub(crate) struct WriteLoop {
    /// The kind that woke the controller; `None` if it woke itself.
    pub(crate) kind: Option<Kind>,
    pub(crate) steps: u32,
    pub(crate) since: Millis,
    pub(crate) last: Millis,
}

impl Worker {
    pub(crate) fn new(number: usize, controller: Controller, shared: Rc<Shared>) -> Self {
        let Controller { declaration, roles, concurrency, body, run_hook, shutdown } = controller;
        let entries = declaration.inputs.iter().zip(roles);
        let entries = entries.map(|(input, role)| Entry::new(input.clone(), role)).collect();
        Self {
            controller: Rc::new(ControllerState::new(number, &declaration, shared)),
            entries,
            queue: Queue::default(),
            running: 0,
            turn: 0,
            finished: false,
            tally: RunCounts::default(),
            setbacks: BTreeMap::new(),
            unmapped: Unmapped::default(),
            looped: None,
            alarm: None,
            shutdown,
            concurrency,
            body,
            run_hook,
        }
    }

    /// The place of the next job that could begin now.
    pub(crate) fn startable(&mut self, now: Millis) -> Option<DueOrder> {
        self.head().filter(|it| it.0 <= now)
    }

    /// The place of the next job for which there is room.
    fn head(&mut self) -> Option<DueOrder> {
        match (self.finished, self.is_full()) {
            (true, _) => None,
            (false, false) => self.queue.head(),
            (false, true) => self.queue.place(&Job::Whole).filter(|_| self.is_hook(&Job::Whole)),
        }
    }

    /// True if only the task beside the runs can begin.
    const fn is_full(&self) -> bool {
        self.running >= self.concurrency
    }

    /// The time of its next job that only waits for time.
    pub(crate) fn next(&mut self) -> Option<Millis> {
        let job = self.head().map(|it| it.0);
        let alarm = self.alarm.filter(|_| !self.finished).map(|(at, _)| at);
        job.into_iter().chain(alarm).chain(self.unmapped.next()).min()
    }

    /// Takes a job; the returned function creates its future, once nothing of the runtime is borrowed.
    pub(crate) fn begin(
        &mut self,
        now: Millis,
    ) -> Option<(Job, Rc<Line>, impl FnOnce() -> LocalFuture<Outcome> + use<>)> {
        let (job, cause) = match self.is_full() {
            false => self.queue.take(now)?,
            true => (Job::Whole, self.queue.take_early(&Job::Whole, now)?),
        };
        self.running += usize::from(!self.is_hook(&job));
        let cx = Context::new(self.controller.clone(), cause);
        let (line, body, hook, about) =
            (cx.line.clone(), self.body.clone(), self.run_hook.clone(), job.clone());
        Some((job, line, move || body.run(cx, about, hook)))
    }

    /// True if the job is the task beside the runs: it takes no place of a run.
    pub(crate) fn is_hook(&self, job: &Job) -> bool {
        self.controller.style == Style::Queue && *job == Job::Whole
    }

    pub(crate) fn has_run_hook(&self) -> bool {
        self.run_hook.is_some()
    }

    /// Gives it a job, or notifies a manual controller of news. Returns whether that wakes it.
    pub(crate) fn push(&mut self, job: Job, again: Requeue, now: Millis, sequence: u64) -> bool {
        if self.finished || self.rests(&job, again) {
            return false;
        }
        let news = match self.controller.style {
            Style::Manual if self.running > 0 => self.notify(again, now),
            Style::Queue | Style::Whole | Style::Manual => self.queue.push(job, again, sequence),
        };
        self.tally.wakes += u64::from(news);
        news
    }

    /// Notifies a manual controller, now or at the scheduled time.
    fn notify(&mut self, again: Requeue, now: Millis) -> bool {
        if again.at <= now {
            return self.controller.news.notify(again.cause);
        }
        let before = self.alarm;
        let alarm =
            before.map_or((again.at, again.cause), |(at, cause)| (at.min(again.at), cause.with(again.cause)));
        self.alarm = Some(alarm);
        before.is_none_or(|(at, _)| again.at < at)
    }

    /// True if the job has failed terminally, and this is no reason to try again.
    fn rests(&mut self, job: &Job, again: Requeue) -> bool {
        let Some(setback) = self.setbacks.get_mut(job).filter(|setback| setback.terminal) else {
            return false;
        };
        setback.terminal = !again.significant;
        setback.terminal
    }

    /// Handles a failure of a job: returns the time of the next try, given the delay after that many in a
    /// row.
    pub(crate) fn set_back(
        &mut self,
        job: &Job,
        failure: &Failure,
        now: Millis,
        delay: impl FnOnce(u32) -> Duration,
    ) -> Option<Millis> {
        let setback = self.setbacks.entry(job.clone()).or_default();
        let until = match failure {
            Failure::Retry(_) => {
                setback.failures = setback.failures.saturating_add(1);
                Some(now + delay(setback.failures))
            }
            // An immediate retry without end would be a busy loop.
            Failure::RetryAfter(_, wait) if *wait < HASTE => Some(now + delay(1)),
            Failure::RetryAfter(_, wait) => Some(now + *wait),
            Failure::Terminal(_) => None,
        };
        setback.terminal = until.is_none();
        setback.until = until;
        until
    }

    /// Replaces the inputs; those that stay keep their counters.
    pub(crate) fn take_inputs(&mut self) {
        let mut before: Vec<_> = std::mem::take(&mut self.entries);
        let inputs = self.controller.inputs.borrow();
        let same = |input: &Input, before: &mut Vec<Entry>| {
            let at = before.iter().position(|entry| entry.input == *input)?;
            Some(before.swap_remove(at))
        };
        let entries = inputs
            .iter()
            .map(|input| same(input, &mut before).unwrap_or_else(|| Entry::new(input.clone(), Role::Whole)));
        self.entries = entries.collect();
    }

    /// The loop it is in, unless that has been over for some time.
    pub(crate) fn looped_at(&self, now: Millis) -> Option<&WriteLoop> {
        self.looped.as_ref().filter(|looped| now.0.saturating_sub(looped.last.0) <= OVER)
    }

    /// True if that is its id, or an earlier one.
    pub(crate) fn is_called(&self, name: &Arc<str>) -> bool {
        self.controller.actor.is(Some(name))
    }

    /// The kinds it needs notifications of.
    pub(crate) fn kinds(&self) -> BTreeSet<Kind> {
        self.entries.iter().map(|entry| entry.input.kind.clone()).collect()
    }

    /// True if runs are for this resource.
    pub(crate) fn is_primary(&self, key: &Key) -> bool {
        self.entries.iter().any(|entry| entry.is_primary() && entry.input.covers(key))
    }
}

impl Entry {
    fn new(input: Input, role: Role) -> Self {
        Self { input, role, wakes: 0, looped: None }
    }

    pub(crate) fn is_primary(&self) -> bool {
        matches!(self.role, Role::Primary)
    }

    pub(crate) fn is_mapped(&self) -> bool {
        matches!(self.role, Role::Mapped(_))
    }

    /// True if this change wakes it.
    pub(crate) fn wakes_for(&self, change: &Change, controller: &ControllerState) -> bool {
        let own = |resource: &store::Resource| controller.actor.is(resource.metadata.owner.as_ref());
        self.input.covers(&change.key)
            && match self.input.strength {
                Strength::Strong | Strength::Weak => true,
                Strength::DestroyReady => change.is_ready(own),
            }
    }
}

impl Body {
    fn run(self, cx: Context, job: Job, hook: Option<RunHook>) -> LocalFuture<Outcome> {
        match (self, job) {
            (Self::Queue(run), Job::Key(key)) => run(cx, key),
            (Self::Whole(run), _) => run(cx),
            (Self::Manual(run), _) => {
                let run = run(cx);
                Box::pin(async move { run.await.map(|()| crate::Action::Done) })
            }
            (Self::Queue(_), Job::Whole) => {
                let task = hook.map(|hook| hook(cx));
                Box::pin(async move {
                    if let Some(task) = task {
                        task.await?;
                    }
                    Ok(crate::Action::Done)
                })
            }
        }
    }
}
