use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet, VecDeque},
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
    time::Duration,
};

use store::{Closing, Kind, Millis};

use crate::{
    LocalFuture, Options, Outcome, Schedule, backlog::Backlog, cause::Line, controller_state::Shared,
    mirror::Mirror, queue::Job, random::SplitMix64, signals::Source, worker::Worker,
};

/// The shortest slice of work between turns of the host.
const SHORTEST_SLICE: Duration = Duration::from_millis(1);

/// The whole of a runtime.
///
/// None of it is borrowed while code of a controller runs, so that may use the runtime's handle.
pub(crate) struct Engine {
    pub(crate) options: Options,
    pub(crate) shared: Rc<Shared>,
    pub(crate) life: Cell<Life>,
    pub(crate) state: RefCell<State>,
    pub(crate) random: RefCell<SplitMix64>,
    numbers: Cell<u64>,
    turn: Cell<bool>,
    /// The number of consecutive units of work that were not part of a run.
    pub(crate) reads: Cell<u32>,
    alarm: RefCell<Option<Alarm>>,
    /// The time since which the host has not had its turn. That it polls proves nothing: a microtask is not a
    /// turn.
    burst: Cell<Option<Millis>>,
    /// Notifies of the end of the store even if none of it is watched.
    closing: RefCell<Option<Closing>>,
    /// The time since which nothing is in progress or pending.
    idle: Cell<Option<Millis>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    Waiting,
    Running,
    Ended,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) workers: Vec<Worker>,
    pub(crate) taps: BTreeMap<Kind, KindWatch>,
    pub(crate) runs: BTreeMap<u64, Run>,
    pub(crate) backlog: VecDeque<Backlog>,
}

/// A kind that controllers read.
pub(crate) struct KindWatch {
    pub(crate) number: u64,
    pub(crate) mirror: Mirror,
    /// The workers and inputs that read this kind.
    pub(crate) routes: Vec<(usize, usize)>,
}

/// A run in progress. While it is being polled, its future is taken out.
pub(crate) struct Run {
    pub(crate) worker: usize,
    pub(crate) job: Job,
    pub(crate) began: Millis,
    pub(crate) line: Rc<Line>,
    pub(crate) future: Option<LocalFuture<Outcome>>,
}

struct Alarm {
    at: Millis,
    /// True if the host is to have its turn; no work is done before.
    gives_way: bool,
    future: LocalFuture<()>,
}

impl Engine {
    pub(crate) fn new(shared: Rc<Shared>, options: Options) -> Self {
        Self {
            options,
            shared,
            life: Cell::new(Life::Waiting),
            state: RefCell::default(),
            random: RefCell::new(SplitMix64::seeded(options.seed)),
            numbers: Cell::default(),
            turn: Cell::default(),
            reads: Cell::default(),
            alarm: RefCell::default(),
            burst: Cell::default(),
            closing: RefCell::default(),
            idle: Cell::default(),
        }
    }

    pub(crate) fn now(&self) -> Millis {
        self.shared.timer.now()
    }

    pub(crate) fn number(&self) -> u64 {
        self.numbers.set(self.numbers.get() + 1);
        self.numbers.get()
    }

    /// Alternates between true and false.
    pub(crate) fn alternate(&self) -> bool {
        self.turn.set(!self.turn.get());
        self.turn.get()
    }

    /// The index of the next of `count` candidates.
    pub(crate) fn pick(&self, count: usize) -> usize {
        match self.options.schedule {
            Schedule::Fair => 0,
            Schedule::Shuffled => self.random.borrow_mut().below(count as u64) as usize,
        }
    }

    pub(crate) fn running(&self) -> bool {
        self.life.get() == Life::Running
    }

    /// Works until there is nothing to do, or the host has to have its turn. Ready when it has been stopped.
    pub(crate) fn poll(&self, cx: &mut Context<'_>) -> Poll<()> {
        self.shared.signals.enter(cx.waker());
        self.wake_up();
        loop {
            if !self.running() {
                return Poll::Ready(());
            }
            if self.gives_way(cx) {
                self.shared.signals.make_way();
                return Poll::Pending;
            }
            let tired = self.slice();
            if self.closes(cx) {
                self.life.set(Life::Ended);
            } else if tired {
                self.set_alarm(self.now(), true);
            } else if self.running() && !self.rang(cx) && self.shared.signals.leave() {
                self.rest();
                return Poll::Pending;
            }
        }
    }

    /// Does pending work. Returns whether it is time for the host to have its turn: counted from its last
    /// one, not from this poll, because the work of runs between polls delays the host as well. After each
    /// turn of the host at least one unit is done.
    fn slice(&self) -> bool {
        let length = self.options.slice.max(SHORTEST_SLICE);
        if self.burst.get().is_some_and(|began| self.now() >= began + length) {
            return true;
        }
        let began = self.burst.get().unwrap_or_else(|| self.now());
        self.burst.set(Some(began));
        while self.running() && self.unit() {
            if self.now() >= began + length {
                return true;
            }
        }
        // Everything that was written has been read.
        self.shared.causes.clear();
        false
    }

    /// True if the store has been closed.
    fn closes(&self, cx: &mut Context<'_>) -> bool {
        let Some(mut closing) = self.closing.take() else { return false };
        let closes = Pin::new(&mut closing).poll(cx).is_ready();
        self.closing.replace(Some(closing));
        closes
    }

    /// Handles that there is no pending work; unless runs are in progress, the runtime is idle.
    fn rest(&self) {
        let idle = self.state.borrow().runs.is_empty();
        self.idle.set(idle.then(|| self.now()));
    }

    /// Resets the slice after an idle time, in which the runtime did not delay the host. Short pauses do not
    /// count: they may be between two microtasks of a host that responds to each write with another.
    fn wake_up(&self) {
        let Some(idle) = self.idle.take() else { return };
        if self.now() >= idle + self.options.slice.max(SHORTEST_SLICE) {
            self.burst.set(None);
        }
    }

    fn gives_way(&self, cx: &mut Context<'_>) -> bool {
        let gives_way = self.alarm.borrow().as_ref().is_some_and(|alarm| alarm.gives_way);
        gives_way && self.poll_alarm(cx).is_pending()
    }

    /// Sets the alarm for the next time at which something is due; returns whether that is now.
    fn rang(&self, cx: &mut Context<'_>) -> bool {
        let due = self.state.borrow_mut().workers.iter_mut().filter_map(Worker::next).min();
        let Some(due) = due else {
            self.alarm.take();
            return false;
        };
        if self.alarm.borrow().as_ref().is_none_or(|alarm| alarm.at != due) {
            self.set_alarm(due, false);
        }
        self.poll_alarm(cx).is_ready()
    }

    fn set_alarm(&self, at: Millis, gives_way: bool) {
        let alarm = Alarm { at, gives_way, future: self.shared.timer.sleep_until(at) };
        self.alarm.replace(Some(alarm));
    }

    fn poll_alarm(&self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(mut alarm) = self.alarm.take() else { return Poll::Ready(()) };
        let polled = alarm.future.as_mut().poll(cx);
        match polled {
            Poll::Pending => drop(self.alarm.replace(Some(alarm))),
            // A timer fires in a turn of the host's own.
            Poll::Ready(()) => self.burst.set(None),
        }
        polled
    }

    /// Starts: the inputs of every registered controller are read.
    pub(crate) fn start(&self) {
        if self.shared.store.is_closed() {
            return self.life.set(Life::Ended);
        }
        self.life.set(Life::Running);
        self.closing.replace(Some(self.shared.store.closing()));
        let count = self.state.borrow().workers.len();
        (0..count).for_each(|worker| self.open(worker));
    }

    /// Drops all runs and watches, and calls the shutdown hooks of the controllers that were started. Committed changes stay.
    pub(crate) fn end(&self) {
        self.life.set(Life::Ended);
        let mut state = self.state.borrow_mut();
        let runs = std::mem::take(&mut state.runs);
        let taps = std::mem::take(&mut state.taps);
        let backlog = std::mem::take(&mut state.backlog);
        state.workers.iter_mut().for_each(|worker| worker.running = 0);
        drop(state);
        let alarm = self.alarm.take();
        let closing = self.closing.take();
        runs.into_values().for_each(|run| self.drop_run(run));
        drop((taps, backlog, alarm, closing));
        self.shut_down();
    }

    /// Starts watching a controller's inputs, and gives it its first jobs.
    pub(crate) fn open(&self, worker: usize) {
        self.tap();
        let mut state = self.state.borrow_mut();
        if let Some(opened) = state.workers.get_mut(worker) {
            self.first_hook(opened);
        }
        self.everything(&mut state, worker, None);
    }

    /// Handles missed changes of a kind: its readers read everything again, as at the start.
    pub(crate) fn reopen(&self, number: u64) {
        let mut state = self.state.borrow_mut();
        let tap = state.taps.iter().find(|(_, tap)| tap.number == number);
        let Some((kind, tap)) = tap.map(|(kind, tap)| (kind.clone(), tap)) else { return };
        let readers: BTreeSet<usize> = tap.routes.iter().map(|(worker, _)| *worker).collect();
        readers.into_iter().for_each(|worker| self.everything(&mut state, worker, Some(&kind)));
    }

    pub(crate) fn everything(&self, state: &mut State, worker: usize, missed: Option<&Kind>) {
        let Some(opened) = state.workers.get_mut(worker) else { return };
        for backlog in Backlog::of(worker, opened, &self.shared.store, missed) {
            // The rest of an earlier one is part of this.
            state.backlog.retain(|left| (left.worker, left.entry) != (backlog.worker, backlog.entry));
            state.backlog.push_back(backlog);
        }
        self.first_job(opened);
    }

    /// Opens the watches that are needed and closes those that are not.
    pub(crate) fn tap(&self) {
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        let required: Vec<Kind> = state.workers.iter().flat_map(Worker::kinds).collect();
        state.taps.retain(|kind, _| required.contains(kind));
        for kind in required {
            if state.taps.contains_key(&kind) {
                continue;
            }
            let Ok(mirror) = Mirror::open(&self.shared.store, &kind) else {
                self.life.set(Life::Ended);
                return;
            };
            let number = self.number();
            state.taps.insert(kind, KindWatch { number, mirror, routes: Vec::new() });
            self.shared.signals.raise(Source::Kind(number));
        }
        state.route();
    }
}

impl KindWatch {
    /// The number of resources that are tearing down.
    pub(crate) fn leaving(&self) -> usize {
        self.mirror.leaving().count()
    }
}

impl State {
    /// Updates the routes from kinds to inputs.
    fn route(&mut self) {
        for (kind, tap) in &mut self.taps {
            let workers = self.workers.iter().enumerate();
            let inputs = workers.flat_map(|(number, worker)| {
                let entries = worker.entries.iter().enumerate();
                let of_kind = entries.filter(|(_, entry)| entry.input.kind == *kind);
                of_kind.map(move |(entry, _)| (number, entry))
            });
            tap.routes = inputs.collect();
        }
    }
}
