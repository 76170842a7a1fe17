use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
};

use store::{Key, Millis};

use crate::cause::Cause;

/// The subject of one run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Job {
    Whole,
    Key(Key),
}

/// Jobs by due time, then by order of arrival; each at most once, and never while it runs.
///
/// Slots contain the valid entries; the heap contains every place that a job ever had, and invalid ones are
/// skipped. Places are unique, so one is not confused with another when its slot is reused.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    slots: Vec<Slot>,
    free: Vec<usize>,
    by_job: HashMap<Job, usize>,
    heap: BinaryHeap<Reverse<(DueOrder, usize)>>,
    waiting: usize,
}

/// The due time, then a number for the order at that time, which is unique in the whole runtime.
pub(crate) type DueOrder = (Millis, u64);

#[derive(Debug)]
struct Slot {
    job: Job,
    state: State,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Waiting {
        place: DueOrder,
        cause: Cause,
    },
    Running {
        again: Option<Requeue>,
    },
    /// The slot is unused.
    Free,
}

/// A request to run a job again that was made while it ran.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Requeue {
    pub(crate) at: Millis,
    pub(crate) cause: Cause,
    /// True if it justifies another try after a terminal failure.
    pub(crate) significant: bool,
}

impl Queue {
    /// Schedules a job for that time, or an earlier one if it was. Returns whether it was not scheduled
    /// before.
    pub(crate) fn push(&mut self, job: Job, again: Requeue, sequence: u64) -> bool {
        let Some(&at) = self.by_job.get(&job) else {
            self.wait(job, again, sequence);
            return true;
        };
        match &mut self.slots[at].state {
            State::Running { again: parked } => {
                let news = parked.is_none();
                *parked = Some(parked.map_or(again, |parked| parked.with(again)));
                news
            }
            State::Waiting { place, cause } => {
                *cause = cause.with(again.cause);
                let sooner = again.at < place.0;
                if sooner {
                    *place = (again.at, sequence);
                    self.heap.push(Reverse((*place, at)));
                    self.tidy();
                }
                sooner
            }
            State::Free => false,
        }
    }

    /// Takes the next due job; it runs until it is [`release`](Self::release)d.
    pub(crate) fn take(&mut self, now: Millis) -> Option<(Job, Cause)> {
        self.head().filter(|place| place.0 <= now)?;
        let Reverse((_, at)) = self.heap.pop()?;
        let slot = &mut self.slots[at];
        let State::Waiting { cause, .. } = slot.state else { return None };
        slot.state = State::Running { again: None };
        self.waiting -= 1;
        Some((slot.job.clone(), cause))
    }

    /// The place of a job that waits.
    pub(crate) fn place(&self, job: &Job) -> Option<DueOrder> {
        match self.slots.get(*self.by_job.get(job)?)?.state {
            State::Waiting { place, .. } => Some(place),
            State::Running { .. } | State::Free => None,
        }
    }

    /// Takes this job, if it is due, before those that are due earlier.
    pub(crate) fn take_early(&mut self, job: &Job, now: Millis) -> Option<Cause> {
        let slot = self.slots.get_mut(*self.by_job.get(job)?)?;
        let State::Waiting { place, cause } = slot.state else { return None };
        if place.0 > now {
            return None;
        }
        // Its place in the heap is not valid any more, and is skipped.
        slot.state = State::Running { again: None };
        self.waiting -= 1;
        Some(cause)
    }

    /// Ends a job's run. Returns the request to run it again, if there was one.
    pub(crate) fn release(&mut self, job: &Job) -> Option<Requeue> {
        let at = self.by_job.remove(job)?;
        self.free.push(at);
        match std::mem::replace(&mut self.slots[at], Slot { job: Job::Whole, state: State::Free }).state {
            State::Running { again } => again,
            State::Waiting { .. } | State::Free => None,
        }
    }

    /// The number of waiting jobs.
    pub(crate) fn len(&self) -> usize {
        self.waiting
    }

    fn wait(&mut self, job: Job, again: Requeue, sequence: u64) {
        let place = (again.at, sequence);
        let slot = Slot { job: job.clone(), state: State::Waiting { place, cause: again.cause } };
        let at = match self.free.pop() {
            Some(at) => {
                self.slots[at] = slot;
                at
            }
            None => {
                self.slots.push(slot);
                self.slots.len() - 1
            }
        };
        self.by_job.insert(job, at);
        self.heap.push(Reverse((place, at)));
        self.waiting += 1;
    }

    /// Drops invalid places once they are most of the heap: those with a late due time would stay for long.
    fn tidy(&mut self) {
        if self.heap.len() > 64 + 2 * self.waiting {
            let slots = &self.slots;
            self.heap.retain(|Reverse((place, at))| slots[*at].waits_at(*place));
        }
    }

    /// The place of the next job.
    pub(crate) fn head(&mut self) -> Option<DueOrder> {
        while let Some(Reverse((place, at))) = self.heap.peek() {
            if self.slots[*at].waits_at(*place) {
                return Some(*place);
            }
            self.heap.pop();
        }
        None
    }
}

impl Slot {
    fn waits_at(&self, at: DueOrder) -> bool {
        matches!(self.state, State::Waiting { place, .. } if place == at)
    }
}

impl Requeue {
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            at: self.at.min(other.at),
            cause: self.cause.with(other.cause),
            significant: self.significant || other.significant,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(id: &str) -> Job {
        Job::Key(Key::new("app", "Nodes", id))
    }

    fn at(at: i64) -> Requeue {
        Requeue { at: Millis(at), cause: Cause::outside(Millis(0)), significant: false }
    }

    #[test]
    fn the_earlier_time_wins_and_equal_times_go_in_order() {
        let mut queue = Queue::default();
        for (number, (id, due)) in [("a", 10), ("b", 3), ("a", 3), ("b", 9)].into_iter().enumerate() {
            queue.push(job(id), at(due), number as u64);
        }
        assert_eq!(queue.len(), 2);
        assert_eq!(queue.take(Millis(2)), None);
        let taken: Vec<_> = std::iter::from_fn(|| queue.take(Millis(99))).map(|(job, _)| job).collect();
        assert_eq!(taken, [job("b"), job("a")]);
        assert_eq!((queue.len(), queue.head()), (0, None));
    }

    #[test]
    fn a_running_job_is_requeued_after_it_ends() {
        let mut queue = Queue::default();
        queue.push(job("a"), at(0), 0);
        queue.take(Millis(0));
        queue.push(job("a"), at(5), 1);
        queue.push(job("a"), at(3), 2);
        assert_eq!(queue.take(Millis(9)), None);
        assert_eq!(queue.release(&job("a")).map(|again| again.at), Some(Millis(3)));
    }

    #[test]
    fn places_that_no_longer_hold_do_not_pile_up() {
        let mut queue = Queue::default();
        for number in 0..10_000 {
            queue.push(job("a"), at(1_000_000), number);
            queue.push(job("a"), at(0), number);
            queue.take(Millis(0));
            queue.release(&job("a"));
        }
        assert!(queue.heap.len() < 100 && queue.slots.len() == 1, "{}", queue.heap.len());
    }

    #[test]
    fn a_hundred_thousand_keys_pass() {
        let mut queue = Queue::default();
        for number in 0..100_000_u64 {
            queue.push(job(&number.to_string()), at(9), number);
            queue.push(job(&number.to_string()), at(0), number);
        }
        let drained = std::iter::from_fn(|| queue.take(Millis(9))).count();
        assert_eq!(drained, 100_000);
    }
}
