use std::{
    future::ready,
    task::{Context, Poll},
    time::Duration,
};

use crate::{
    Failure, LocalFuture, Outcome, Problem, Style,
    cause::Cause,
    codes,
    controller_state::Order,
    engine::{Engine, Life, Run},
    isolation::isolated,
    mirror::{BatchEnd, Change, ChangeBatch},
    queue::{Job, Requeue},
    signals::Source,
    worker::Worker,
};

/// A unit of an engine's work. Each is short, so that the host can have its turn in between.
type Unit = fn(&Engine) -> bool;

/// The number of consecutive reads and notifications while something waits to begin or to continue.
const READS: u32 = 64;

impl Engine {
    /// Does one unit of work; `false` if there is none.
    ///
    /// Changes are read before runs begin, so that several are handled by one run; but not without limit, or
    /// no run would begin while there are many changes. Continuing and beginning runs alternate: a run that
    /// is always ready does not keep others from beginning.
    pub(crate) fn unit(&self) -> bool {
        self.obey();
        let (one, other): (Unit, Unit) = match self.alternate() {
            true => (Self::go_on, Self::begin),
            false => (Self::begin, Self::go_on),
        };
        let reading: [Unit; 2] = [Self::read, Self::notify];
        let patient = self.reads.get() < READS;
        let units =
            if patient { [reading[0], reading[1], one, other] } else { [one, other, reading[0], reading[1]] };
        let first = self.pick(units.len());
        let done = (0..units.len()).map(|at| (first + at) % units.len()).find(|at| units[*at](self));
        let read = done.is_some_and(|at| (at < 2) == patient);
        self.reads.set(if read { self.reads.get() + 1 } else { 0 });
        done.is_some()
    }

    /// Handles the requests of runs.
    fn obey(&self) {
        for (worker, order) in self.shared.take_orders() {
            match order {
                Order::Requeue(job, delay, chain) => self.requeue(worker, job, delay, chain),
                Order::Inputs { new } => self.change_inputs(worker, new),
            }
        }
    }

    fn requeue(&self, worker: usize, job: Job, delay: Duration, chain: Option<Cause>) {
        let now = self.now();
        let mut state = self.state.borrow_mut();
        let Some(requester) = state.workers.get_mut(worker) else { return };
        match &job {
            Job::Key(key) if !requester.is_primary(key) => {
                let said = format!("`{key}` was requested, which no primary input covers");
                requester.tally.failed(Problem::new(codes::MAP_TARGET.as_str(), said), now);
            }
            _ => {
                let again = self.again(requester, delay, chain, now);
                requester.push(job, again, now, self.number());
            }
        }
    }

    /// A controller with new inputs is woken once: they may have changed before they were watched.
    fn change_inputs(&self, worker: usize, new: bool) {
        if let Some(worker) = self.state.borrow_mut().workers.get_mut(worker) {
            worker.take_inputs();
        }
        self.tap();
        if new && let Some(worker) = self.state.borrow_mut().workers.get_mut(worker) {
            self.first_job(worker);
        }
    }

    /// Everything may be new to it.
    pub(crate) fn first_job(&self, worker: &mut Worker) {
        let now = self.now();
        let again = Requeue { at: now, cause: Cause::outside(now), significant: true };
        if worker.controller.style == Style::Manual {
            worker.controller.news.notify(again.cause);
        }
        if worker.controller.style != Style::Queue {
            worker.push(Job::Whole, again, now, self.number());
        }
    }

    /// Starts the task of a queue controller that is not a run for a resource.
    pub(crate) fn first_hook(&self, worker: &mut Worker) {
        let now = self.now();
        if worker.has_run_hook() {
            let again = Requeue { at: now, cause: Cause::outside(now), significant: true };
            worker.push(Job::Whole, again, now, self.number());
        }
    }

    /// Reads the changes of a kind.
    fn read(&self) -> bool {
        let Some(number) = self.shared.signals.take_kind(|count| self.pick(count)) else { return false };
        let waker = self.shared.signals.waker(Source::Kind(number));
        let read = self.state.borrow_mut().tap(number, &mut Context::from_waker(&waker));
        let Some(ChangeBatch { changes, missed, then }) = read else { return true };
        changes.iter().for_each(|change| self.route(change));
        if missed {
            self.reopen(number);
        }
        match then {
            BatchEnd::More => self.shared.signals.raise(Source::Kind(number)),
            BatchEnd::Wait => {}
            BatchEnd::Closed => self.life.set(Life::Ended),
        }
        true
    }

    /// Notifies inputs of resources that existed when a controller started, and retries failed mappings.
    fn notify(&self) -> bool {
        if self.map_again() {
            return true;
        }
        let mut state = self.state.borrow_mut();
        let Some(mut backlog) = state.backlog.pop_front() else { return false };
        let at = (backlog.worker, backlog.entry);
        let Some(worker) = state.workers.get(backlog.worker) else { return true };
        let (resources, more) = backlog.next(worker);
        if more {
            state.backlog.push_front(backlog);
        }
        drop(state);
        let now = self.now();
        for resource in resources {
            let change =
                Change { key: resource.key().clone(), old: None, between: Vec::new(), new: Some(resource) };
            self.wake(at, &change, Cause::outside(now));
        }
        true
    }

    /// Continues a run that can make progress.
    fn go_on(&self) -> bool {
        let Some(number) = self.shared.signals.take_run(|count| self.pick(count)) else { return false };
        self.poll_run(number);
        true
    }

    /// Begins a job that is due.
    fn begin(&self) -> bool {
        let now = self.now();
        let mut state = self.state.borrow_mut();
        let rang = state.workers.iter_mut().filter_map(|worker| worker.rang(now)).count() > 0;
        let Some(number) = self.next_worker(&mut state.workers, now) else { return rang };
        let Some((job, line, run)) = state.workers[number].begin(now) else { return rang };
        state.workers[number].turn = self.number();
        drop(state);
        // Code before the first `await` of a run is part of it.
        let future = isolated(run).unwrap_or_else(|problem| Box::pin(ready(Err(Failure::Retry(problem)))));
        let run = Run { worker: number, job, began: now, line, future: Some(future) };
        let number = self.number();
        self.state.borrow_mut().runs.insert(number, run);
        self.poll_run(number);
        true
    }

    /// The worker with a due job whose last start was longest ago; or any one. So a controller with few jobs
    /// does not wait for all jobs of one with many.
    fn next_worker(&self, workers: &mut [Worker], now: store::Millis) -> Option<usize> {
        let places = workers.iter_mut().enumerate();
        let mut due: Vec<_> = places
            .filter_map(|(number, worker)| Some((worker.turn, worker.startable(now)?, number)))
            .collect();
        due.sort_unstable();
        due.get(self.pick(due.len())).map(|(.., number)| *number)
    }

    fn poll_run(&self, number: u64) {
        let taken = self.state.borrow_mut().runs.get_mut(&number).and_then(|run| run.future.take());
        let Some(mut future) = taken else { return };
        let waker = self.shared.signals.waker(Source::Run(number));
        let polled = isolated(|| future.as_mut().poll(&mut Context::from_waker(&waker)));
        match polled.unwrap_or_else(|problem| Poll::Ready(Err(Failure::Retry(problem)))) {
            Poll::Pending => self.store_run(number, future),
            Poll::Ready(outcome) => {
                let run = self.state.borrow_mut().runs.remove(&number);
                // Dropping it may run any code, which may use this runtime's handle.
                let outcome = isolated(|| drop(future)).map_err(Failure::Retry).and(outcome);
                if let Some(run) = run {
                    self.finish(run, outcome);
                }
            }
        }
    }

    fn store_run(&self, number: u64, future: LocalFuture<Outcome>) {
        let mut state = self.state.borrow_mut();
        let Some(run) = state.runs.get_mut(&number) else {
            drop(state);
            return drop(future);
        };
        run.future = Some(future);
    }
}
