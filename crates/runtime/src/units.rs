use std::{
    task::{Context, Poll},
    time::Duration,
};

use crate::{
    LocalFuture, Outcome, Problem, Style,
    cause::Cause,
    controller_state::Order,
    engine::{Engine, Life, Run},
    mirror::{BatchEnd, Change, ChangeBatch},
    queue::{Job, Requeue},
    signals::Source,
    worker::Worker,
};

/// A unit of an engine's work. Each is short, so that the host can have its turn in between.
type Unit = fn(&Engine) -> bool;

/// So many things are read or told in a row while something waits to begin or to go on.
const READS: u32 = 64;

impl Engine {
    /// Does one thing; `false`: there is nothing to do.
    ///
    /// What is new is known before anything begins, so that it is told once rather than twice; but not for ever, or
    /// nothing would begin while much happens. Going on and beginning alternate: a run that is always ready does not
    /// keep others from beginning.
    pub(crate) fn unit(&self) -> bool {
        self.obey();
        let (one, other): (Unit, Unit) = match self.alternate() {
            true => (Self::go_on, Self::begin),
            false => (Self::begin, Self::go_on),
        };
        let reading: [Unit; 2] = [Self::read, Self::tell];
        let patient = self.reads.get() < READS;
        let units =
            if patient { [reading[0], reading[1], one, other] } else { [one, other, reading[0], reading[1]] };
        let first = self.pick(units.len());
        let done = (0..units.len()).map(|at| (first + at) % units.len()).find(|at| units[*at](self));
        let read = done.is_some_and(|at| (at < 2) == patient);
        self.reads.set(if read { self.reads.get() + 1 } else { 0 });
        done.is_some()
    }

    /// What runs asked for.
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
        let Some(asking) = state.workers.get_mut(worker) else { return };
        match &job {
            Job::Key(key) if !asking.is_primary(key) => {
                let said = format!("`{key}` was requested, which no primary input covers");
                asking.tally.failed(Problem::new("runtime/map-target", said), now);
            }
            _ => {
                let again = self.again(asking, delay, chain, now);
                asking.push(job, again, now, self.number());
            }
        }
    }

    /// Whoever has new inputs is woken once: what they hold may have changed before they were watched.
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

    /// Reads what is new of a kind.
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

    /// Tells what there was when a controller started, and what could not be mapped before.
    fn tell(&self) -> bool {
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

    /// Goes on with a run that can go on.
    fn go_on(&self) -> bool {
        let Some(number) = self.shared.signals.take_run(|count| self.pick(count)) else { return false };
        self.poll_run(number);
        true
    }

    /// Begins what is due.
    fn begin(&self) -> bool {
        let now = self.now();
        let mut state = self.state.borrow_mut();
        let rang = state.workers.iter_mut().filter_map(|worker| worker.rang(now)).count() > 0;
        let Some(number) = self.next_worker(&mut state.workers, now) else { return rang };
        let Some((job, line, run)) = state.workers[number].begin(now) else { return rang };
        state.workers[number].turn = self.number();
        drop(state);
        let future = Some(run());
        let run = Run { worker: number, job, began: now, line, future };
        let number = self.number();
        self.state.borrow_mut().runs.insert(number, run);
        self.poll_run(number);
        true
    }

    /// Of those who have a job that is due, who has begun nothing for longest; or anyone. So a controller with few jobs
    /// does not wait for all of one with many.
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
        let polled = future.as_mut().poll(&mut Context::from_waker(&waker));
        match polled {
            Poll::Pending => self.store_run(number, future),
            Poll::Ready(outcome) => {
                let run = self.state.borrow_mut().runs.remove(&number);
                // What it holds may be anything, also this runtime's handle.
                drop(future);
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
