use std::{collections::BTreeSet, rc::Rc, sync::Arc, task::Context as TaskContext, time::Duration};

use store::{Key, Resource};

use crate::{
    Context, Failure, Mapper, Problem, backoff,
    cause::{Cause, HASTE},
    codes,
    controller::Role,
    controller_state::ControllerState,
    engine::{Engine, State},
    isolation::isolated,
    mirror::{Change, ChangeBatch},
    queue::{Job, Requeue},
    unmapped::UnmappedStates,
    worker::WriteLoop,
};

/// The effect of a change on one input of one controller.
enum Wakeup {
    Job(Job),
    Map(Mapper, Rc<ControllerState>),
}

/// A resource that an input is notified of.
struct Notification<'a> {
    from: &'a Key,
    cause: Cause,
    significant: bool,
    /// The number of failed mappings in a row.
    failures: u32,
}

impl State {
    pub(crate) fn tap(&mut self, number: u64, cx: &mut TaskContext<'_>) -> Option<ChangeBatch> {
        self.taps.values_mut().find(|tap| tap.number == number).map(|tap| tap.mirror.read(cx))
    }
}

impl Engine {
    /// Notifies the readers of a change.
    pub(crate) fn route(&self, change: &Change) {
        let cause = self.shared.causes.of(&change.key, self.now());
        let hits: Vec<(usize, usize)> = {
            let state = self.state.borrow();
            let Some(tap) = state.taps.get(&change.key.kind) else { return };
            let wakes = |(worker, entry): &&(usize, usize)| {
                let worker = &state.workers[*worker];
                worker.entries[*entry].wakes_for(change, &worker.controller)
            };
            tap.routes.iter().filter(wakes).copied().collect()
        };
        hits.into_iter().for_each(|at| self.wake(at, change, cause));
    }

    /// Notifies an input of a change: `at` is the worker and its input.
    pub(crate) fn wake(&self, at: (usize, usize), change: &Change, cause: Cause) {
        let significant = change.is_significant();
        match self.meaning(at, change) {
            None => {}
            Some(Wakeup::Job(job)) => self.push(at, job, cause, significant),
            Some(Wakeup::Map(map, controller)) => {
                let cx = Context::new(controller, cause);
                let reported = Notification { from: &change.key, cause, significant, failures: 0 };
                self.map(at, reported, change.all().cloned(), |state| map(&cx, state));
            }
        }
    }

    /// Wakes the jobs that states of a resource are mapped to. States that cannot be mapped are kept: their
    /// jobs have to be woken eventually, as nothing else may ever wake them.
    fn map(
        &self,
        at: (usize, usize),
        reported: Notification<'_>,
        states: impl Iterator<Item = Arc<Resource>>,
        map: impl Fn(&Resource) -> Result<Vec<Key>, Failure>,
    ) {
        let Notification { from, cause, significant, failures } = reported;
        let failures = failures.saturating_add(1);
        let (mut keys, mut failed, mut wait) = (BTreeSet::new(), Vec::new(), None::<Duration>);
        for state in states {
            match isolated(|| map(&state)).unwrap_or_else(|problem| Err(Failure::Retry(problem))) {
                Ok(mapped) => keys.extend(mapped),
                Err(failure) => {
                    self.map_failed(at.0, failure.problem().clone());
                    if let Some(delay) = self.map_again_in(&failure, failures) {
                        wait = Some(wait.map_or(delay, |wait: Duration| wait.min(delay)));
                        failed.push(state);
                    }
                }
            }
        }
        keys.into_iter().for_each(|key| self.push_mapped(at, from, key, cause, significant));
        if let Some(wait) = wait {
            let left = UnmappedStates::new(failed, failures, significant, self.now() + wait);
            self.state.borrow_mut().workers[at.0].unmapped.keep((at.1, from.clone()), left);
        }
    }

    fn map_again_in(&self, failure: &Failure, failures: u32) -> Option<Duration> {
        let delay = |failures| backoff::delay(failures, &mut self.random.borrow_mut());
        match failure {
            Failure::Retry(_) => Some(delay(failures)),
            Failure::RetryAfter(_, wait) if *wait < HASTE => Some(delay(1)),
            Failure::RetryAfter(_, wait) => Some(*wait),
            Failure::Terminal(_) => None,
        }
    }

    /// Retries failed mappings that are due; returns whether there were any.
    pub(crate) fn map_again(&self) -> bool {
        let now = self.now();
        let mut state = self.state.borrow_mut();
        let workers = state.workers.iter_mut().enumerate();
        let mut due = workers.filter_map(|(number, it)| Some((number, it.unmapped.take(now)?)));
        let Some((worker, ((entry, key), left))) = due.next() else { return false };
        if left.lost {
            self.everything(&mut state, worker, Some(&key.kind));
        }
        let entries = &state.workers[worker].entries;
        let Some(Role::Mapped(map)) = entries.get(entry).map(|entry| entry.role.clone()) else { return true };
        let cx = Context::new(state.workers[worker].controller.clone(), Cause::outside(now));
        drop(state);
        let UnmappedStates { states, failures, significant, .. } = left;
        let reported = Notification { from: &key, cause: Cause::outside(now), significant, failures };
        self.map((worker, entry), reported, states.into_iter(), |state| map(&cx, state));
        true
    }

    fn meaning(&self, (worker, entry): (usize, usize), change: &Change) -> Option<Wakeup> {
        let state = self.state.borrow();
        let worker = state.workers.get(worker)?;
        Some(match &worker.entries.get(entry)?.role {
            Role::Whole => Wakeup::Job(Job::Whole),
            Role::Primary => Wakeup::Job(Job::Key(change.key.clone())),
            Role::Mapped(map) => Wakeup::Map(map.clone(), worker.controller.clone()),
        })
    }

    fn push_mapped(&self, at: (usize, usize), from: &Key, key: Key, cause: Cause, significant: bool) {
        let primary = self.state.borrow().workers[at.0].is_primary(&key);
        if primary {
            return self.push(at, Job::Key(key), cause, significant);
        }
        let said = format!("`{from}` was mapped to `{key}`, which no primary input covers");
        let problem = Problem::new(codes::MAP_TARGET.as_str(), said);
        self.map_failed(at.0, problem);
    }

    fn map_failed(&self, worker: usize, problem: Problem) {
        self.state.borrow_mut().workers[worker].tally.failed(problem, self.now());
    }

    /// Gives a worker a job. A job that was caused by an illegitimately long chain of writes is delayed.
    fn push(&self, (worker, entry): (usize, usize), job: Job, cause: Cause, significant: bool) {
        let now = self.now();
        let wait = self.slowed(cause);
        let mut state = self.state.borrow_mut();
        let worker = &mut state.workers[worker];
        let news = worker.push(
            job,
            Requeue { at: now + wait.unwrap_or_default(), cause, significant },
            now,
            self.number(),
        );
        let Some(entry) = worker.entries.get_mut(entry) else { return };
        entry.wakes += u64::from(news);
        if wait.is_some() {
            entry.looped = Some(now);
            let (kind, steps) = (entry.input.kind.clone(), cause.steps);
            worker.looped = Some(WriteLoop { kind: Some(kind), steps, since: cause.since, last: now });
        }
    }
}
