use std::time::Duration;

use store::Millis;

use crate::{
    Action, Failure, Outcome, Style, backoff,
    cause::{Cause, HASTE},
    engine::{Engine, Run},
    queue::{Job, Requeue},
    worker::{Worker, WriteLoop},
};

/// A manual controller, or a run hook, that ran for this long before it failed counts as healthy: its next back-off is a
/// first one.
const WELL: Duration = Duration::from_secs(60);

impl Engine {
    /// Handles the end of a run.
    pub(crate) fn finish(&self, run: Run, outcome: Outcome) {
        let Run { worker, job, began, line, .. } = run;
        line.over.set(true);
        let now = self.now();
        let mut state = self.state.borrow_mut();
        let worker = &mut state.workers[worker];
        worker.running = worker.running.saturating_sub(usize::from(!worker.is_hook(&job)));
        worker.tally.ended(&outcome, began, now);
        let parked = worker.queue.release(&job);
        if worker.is_hook(&job) && now.since(began) >= WELL {
            worker.setbacks.remove(&job);
        }
        if worker.controller.style == Style::Manual {
            worker.ended_manual(&job, &outcome, began, now);
        }
        let again = match outcome {
            Ok(action) => {
                worker.setbacks.remove(&job);
                requeue(&action).map(|delay| self.again(worker, delay, Some(line.cause.get()), now))
            }
            Err(failure) => {
                let at = self.set_back(worker, &job, &failure, now);
                at.map(|at| Requeue { at, cause: Cause::outside(now), significant: true })
            }
        };
        for again in parked.into_iter().chain(again) {
            worker.requeue(job.clone(), again, self.number());
        }
    }

    /// The time of and reason for another run after a delay; `chain` is the cause of the run that requests
    /// it.
    pub(crate) fn again(
        &self,
        worker: &mut Worker,
        delay: Duration,
        chain: Option<Cause>,
        now: Millis,
    ) -> Requeue {
        let chain = chain.filter(|_| delay < HASTE).map(Cause::next);
        let cause = chain.unwrap_or(Cause::outside(now));
        let wait = self.slowed(cause);
        if let Some(wait) = wait {
            let at = now + wait;
            worker.looped = Some(WriteLoop { kind: None, steps: cause.steps, since: cause.since, last: now });
            return Requeue { at, cause, significant: true };
        }
        Requeue { at: now + delay, cause, significant: true }
    }

    /// The delay before another step of a chain that is too long to be legitimate.
    pub(crate) fn slowed(&self, cause: Cause) -> Option<Duration> {
        let beyond = cause.steps.saturating_sub(self.options.longest_chain);
        (beyond > 0).then(|| backoff::delay(beyond, &mut self.random.borrow_mut()))
    }

    fn set_back(&self, worker: &mut Worker, job: &Job, failure: &Failure, now: Millis) -> Option<Millis> {
        let delay = |failures| backoff::delay(failures, &mut self.random.borrow_mut());
        worker.set_back(job, failure, now, delay)
    }
}

impl Worker {
    /// Events for the job while it ran were counted as a wake then; a retry is one too.
    fn requeue(&mut self, job: Job, again: Requeue, sequence: u64) {
        let terminal = self.setbacks.get(&job).is_some_and(|setback| setback.terminal);
        if self.finished || (terminal && !again.significant) {
            return;
        }
        if let Some(setback) = self.setbacks.get_mut(&job) {
            setback.terminal = false;
        }
        self.queue.push(job, again, sequence);
    }

    fn ended_manual(&mut self, job: &Job, outcome: &Outcome, began: Millis, now: Millis) {
        self.finished = outcome.is_ok();
        if now.since(began) >= WELL {
            self.setbacks.remove(job);
        }
        // It is restarted, so everything is new to it.
        self.controller.news.notify(Cause::outside(now));
    }

    /// Takes the alarm that a manual controller requested, if it is due, and notifies the controller.
    pub(crate) fn rang(&mut self, now: Millis) -> Option<()> {
        let (_, cause) = self.alarm.take_if(|(at, _)| *at <= now)?;
        self.controller.news.notify(cause);
        Some(())
    }
}

fn requeue(action: &Action) -> Option<Duration> {
    match action {
        Action::Done | Action::Skip(_) => None,
        Action::RequeueAfter(delay) => Some(*delay),
    }
}
