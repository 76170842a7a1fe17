use std::sync::Arc;

use serde::Serialize;
use store::{Kind, KindStats, Millis};

use crate::{
    Problem, Style,
    engine::{Engine, KindWatch, Life, State as EngineState},
    worker::Worker,
};

/// How a runtime is at a moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inspection {
    /// When.
    pub at: Millis,
    /// Whether it runs; it may not have been started, or have ended.
    pub running: bool,
    /// In the order of registration.
    pub controllers: Vec<ControllerView>,
    /// The kinds of which the store has anything.
    pub kinds: Vec<KindView>,
}

/// How a controller is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ControllerView {
    /// Its id.
    pub id: Arc<str>,
    /// How it is run.
    pub style: Style,
    /// What it is doing.
    pub state: State,
    /// How many jobs wait, for their time or their turn.
    pub queue: usize,
    /// How many runs are under way.
    pub running: usize,
    /// How often an input, or what it had asked for, gave it something to do.
    pub wakes: u64,
    /// Runs that went well.
    pub ok: u64,
    /// Runs that failed, and mappings.
    pub failed: u64,
    /// Runs that said they did nothing.
    pub skipped: u64,
    /// How long its runs took, their waiting included.
    pub busy_ms: u64,
    /// What went wrong last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<Problem>,
    /// When that was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error_at: Option<Millis>,
    /// Why nothing was done last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_skip: Option<Arc<str>>,
    /// When what failed will be tried again, the first of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backoff_until: Option<Millis>,
    /// How many jobs it has given up on until something significant changes.
    pub given_up: usize,
    /// Whether it looks like a part of a loop of writes that does not settle.
    pub livelock: bool,
}

/// The state of a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// The runtime does not run.
    Stopped,
    /// Nothing, and nothing to do.
    Idle,
    /// Nothing, until its time comes.
    Waiting,
    /// Nothing, until it tries again what failed.
    BackOff,
    /// It has something to do, and waits for its turn.
    Queued,
    /// A run is under way.
    Running,
    /// It was a manual controller, and is done.
    Finished,
}

/// How a kind is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindView {
    /// Which.
    #[serde(flatten)]
    pub kind: Kind,
    /// How many there are.
    pub resources: usize,
    /// How many of them are tearing down; of kinds that no controller reads it is not known, and 0.
    pub tearing_down: usize,
    /// Watches that are open.
    pub watchers: usize,
    /// Past events that are kept.
    pub log_entries: usize,
    /// About how many bytes they take.
    pub log_bytes: usize,
    /// How often a watch had fallen behind and was shown the state anew.
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
        match self.queue.next() {
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
