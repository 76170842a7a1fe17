use std::sync::Arc;

use serde::Serialize;
use store::{Kind, KindStats, Millis};

use crate::{
    Problem, Style,
    engine::{Engine, KindWatch, Life, State as EngineState},
    worker::Worker,
};

/// The state of a runtime at one time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inspection {
    /// The time.
    pub at: Millis,
    /// True if it is running; it may not have been started, or have ended.
    pub running: bool,
    /// In the order of registration.
    pub controllers: Vec<ControllerView>,
    /// The kinds that have resources in the store.
    pub kinds: Vec<KindView>,
}

/// The state of a controller.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ControllerView {
    /// Its id.
    pub id: Arc<str>,
    /// The way it is run.
    pub style: Style,
    /// Its state.
    pub state: State,
    /// The number of jobs that wait for their time or their turn.
    pub queue: usize,
    /// The number of runs in progress.
    pub running: usize,
    /// The number of times that an input, or its own request, woke it.
    pub wakes: u64,
    /// The number of runs that succeeded.
    pub ok: u64,
    /// The number of runs and mappings that failed.
    pub failed: u64,
    /// The number of runs that did nothing.
    pub skipped: u64,
    /// The total duration of its runs, including their waiting.
    pub busy_ms: u64,
    /// The last error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<Problem>,
    /// The time of the last error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error_at: Option<Millis>,
    /// The reason of the last skipped run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_skip: Option<Arc<str>>,
    /// The time of the next retry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backoff_until: Option<Millis>,
    /// The number of jobs that are not retried until something significant changes.
    pub given_up: usize,
    /// True if it seems to be part of a loop of writes that does not settle.
    pub livelock: bool,
}

/// The state of a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// The runtime is not running.
    Stopped,
    /// It has nothing to do.
    Idle,
    /// It waits for a scheduled time.
    Waiting,
    /// It waits to retry a failed job.
    BackOff,
    /// It has something to do, and waits for its turn.
    Queued,
    /// A run is in progress.
    Running,
    /// It is a manual controller that has finished.
    Finished,
}

/// The state of a kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindView {
    /// The kind.
    #[serde(flatten)]
    pub kind: Kind,
    /// The number of resources.
    pub resources: usize,
    /// The number of resources that are tearing down; 0 for kinds that no controller reads, as it is not
    /// known.
    pub tearing_down: usize,
    /// The number of open watches.
    pub watchers: usize,
    /// The number of past events that are kept.
    pub log_entries: usize,
    /// The approximate size of these, in bytes.
    pub log_bytes: usize,
    /// The number of times that a watch had fallen behind and was sent the whole state again.
    pub resyncs: u64,
}

impl Inspection {
    pub(crate) fn of(engine: &Engine) -> Self {
        let at = engine.now();
        let running = engine.running();
        let mut state = engine.state.borrow_mut();
        let controllers = state.workers.iter_mut().map(|worker| worker.view(engine.life.get(), at)).collect();
        let stats = engine.shared.store.stats().kinds;
        let kinds = stats.iter().map(|(kind, stats)| KindView::of(kind, stats, &state)).collect();
        Self { at, running, controllers, kinds }
    }
}

impl Worker {
    fn view(&mut self, life: Life, now: Millis) -> ControllerView {
        let tally = self.tally.clone();
        let error = tally.last_error;
        let failed = self.setbacks.values().filter_map(|setback| setback.until);
        let until = failed.chain(self.unmapped.next()).filter(|until| *until > now);
        ControllerView {
            id: self.controller.id.clone(),
            style: self.controller.style,
            backoff_until: until.min(),
            given_up: self.setbacks.values().filter(|setback| setback.terminal).count(),
            state: self.doing(life, now),
            queue: self.queue.len(),
            running: self.running,
            wakes: tally.wakes,
            ok: tally.ok,
            failed: tally.failed,
            skipped: tally.skipped,
            busy_ms: store::whole_millis(tally.busy),
            last_error_at: error.as_ref().map(|error| error.at),
            last_error: error.map(|error| error.problem),
            last_skip: tally.last_skip,
            livelock: self.looped_at(now).is_some(),
        }
    }

    fn doing(&mut self, life: Life, now: Millis) -> State {
        let backs_off = self.setbacks.values().any(|setback| setback.until.is_some_and(|until| until > now));
        match self.queue.head().map(|it| it.0) {
            _ if self.finished => State::Finished,
            _ if life != Life::Running => State::Stopped,
            _ if self.running > 0 => State::Running,
            None if self.unmapped.next().is_some() => State::BackOff,
            None => State::Idle,
            Some(at) if at <= now => State::Queued,
            Some(_) if backs_off || self.looped_at(now).is_some() => State::BackOff,
            Some(_) => State::Waiting,
        }
    }
}

impl KindView {
    fn of(kind: &Kind, stats: &KindStats, state: &EngineState) -> Self {
        let KindStats { resources, log_entries, log_bytes, watchers, resyncs, .. } = *stats;
        let tearing_down = state.taps.get(kind).map_or(0, KindWatch::leaving);
        Self { kind: kind.clone(), resources, tearing_down, watchers, log_entries, log_bytes, resyncs }
    }
}
