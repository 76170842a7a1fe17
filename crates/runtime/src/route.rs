use std::{collections::BTreeSet, rc::Rc, task::Context as TaskContext};

use store::Key;

use crate::{
    Context, Mapper, Problem, backoff,
    cause::Cause,
    context::after,
    controller::Role,
    desk::Desk,
    engine::{Engine, State},
    mirror::{Change, Read},
    queue::{Again, Job},
    worker::Loop,
};

/// What a change means to one input of one controller.
enum Meaning {
    Job(Job),
    Map(Mapper, Rc<Desk>),
}

impl State {
    pub(crate) fn tap(&mut self, number: u64, cx: &mut TaskContext<'_>) -> Option<Read> {
        self.taps.values_mut().find(|tap| tap.number == number).map(|tap| tap.mirror.read(cx))
    }
}

impl Engine {
    /// Tells a change to those who read it.
    pub(crate) fn route(&self, change: &Change) {
        let cause = self.shared.causes.of(&change.key, self.now());
        let hits: Vec<(usize, usize)> = {
            let state = self.state.borrow();
            let Some(tap) = state.taps.get(&change.key.kind) else { return };
            let wakes = |(worker, entry): &&(usize, usize)| {
                let worker = &state.workers[*worker];
                worker.entries[*entry].wakes_for(change, &worker.desk)
            };
            tap.routes.iter().filter(wakes).copied().collect()
        };
        hits.into_iter().for_each(|at| self.wake(at, change, cause));
    }

    /// Tells a change to an input: `at` is which worker's and which of its inputs.
    pub(crate) fn wake(&self, at: (usize, usize), change: &Change, cause: Cause) {
        let significant = change.is_significant();
        match self.meaning(at, change) {
            None => {}
            Some(Meaning::Job(job)) => self.push(at, job, cause, significant),
            Some(Meaning::Map(map, desk)) => {
                let cx = Context::new(desk, cause);
                let mut keys = BTreeSet::new();
                for mapped in change.all().map(|resource| map(&cx, resource)) {
                    match mapped {
                        Ok(mapped) => keys.extend(mapped),
                        Err(failure) => self.map_failed(at.0, failure.problem().clone()),
                    }
                }
                keys.into_iter().for_each(|key| self.push_mapped(at, change, key, cause, significant));
            }
        }
    }

    fn meaning(&self, (worker, entry): (usize, usize), change: &Change) -> Option<Meaning> {
        let state = self.state.borrow();
        let worker = state.workers.get(worker)?;
        Some(match &worker.entries.get(entry)?.role {
            Role::Whole => Meaning::Job(Job::Whole),
            Role::Primary => Meaning::Job(Job::Key(change.key.clone())),
            Role::Mapped(map) => Meaning::Map(map.clone(), worker.desk.clone()),
        })
    }

    fn push_mapped(&self, at: (usize, usize), change: &Change, key: Key, cause: Cause, significant: bool) {
        let primary = self.state.borrow().workers[at.0].is_primary(&key);
        if primary {
            return self.push(at, Job::Key(key), cause, significant);
        }
        let said = format!("`{}` was mapped to `{key}`, which no primary input covers", change.key);
        let problem = Problem::new("runtime/map-target", said);
        self.map_failed(at.0, problem);
    }

    fn map_failed(&self, worker: usize, problem: Problem) {
        self.state.borrow_mut().workers[worker].tally.failed(problem, self.now());
    }

    /// Gives a worker a job. One that a chain of writes too long to be real led to has to wait.
    fn push(&self, (worker, entry): (usize, usize), job: Job, cause: Cause, significant: bool) {
        let now = self.now();
        let beyond = cause.steps.saturating_sub(self.options.longest_chain);
        let wait = if beyond > 0 { backoff::delay(beyond, &mut self.random.borrow_mut()) } else { 0 };
        let mut state = self.state.borrow_mut();
        let worker = &mut state.workers[worker];
        let news = worker.push(job, Again { at: after(now, wait), cause, significant }, now, self.number());
        let Some(entry) = worker.entries.get_mut(entry) else { return };
        entry.wakes += u64::from(news);
        if beyond > 0 {
            entry.looped = Some(now);
            let (kind, steps) = (entry.input.kind.clone(), cause.steps);
            worker.looped = Some(Loop { kind, steps, since: cause.since, last: now });
        }
    }
}
