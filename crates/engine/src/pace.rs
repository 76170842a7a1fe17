use std::{cell::Cell, rc::Rc};

use futures_util::future::{Either, select};
use runtime::Timer;
use store::Millis;

use crate::Settings;

/// Time, and how long to wait between tries.
#[derive(Clone)]
pub(crate) struct Pace {
    pub(crate) timer: Rc<dyn Timer>,
    pub(crate) settings: Rc<Settings>,
    drawn: Rc<Cell<u64>>,
}

/// The moment at which something is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Deadline(pub(crate) Millis);

impl Pace {
    pub(crate) fn new(timer: Rc<dyn Timer>, settings: Settings) -> Self {
        let drawn = Rc::new(Cell::new(settings.seed));
        Self { timer, settings: Rc::new(settings), drawn }
    }

    pub(crate) fn now(&self) -> Millis {
        self.timer.now()
    }

    pub(crate) fn deadline(&self, millis: u64) -> Deadline {
        Deadline(Millis(self.now().0.saturating_add_unsigned(millis)))
    }

    pub(crate) fn is_over(&self, deadline: Deadline) -> bool {
        self.now() >= deadline.0
    }

    /// Waits, but not beyond the deadline; whether there is time left then.
    pub(crate) async fn wait(&self, millis: u64, deadline: Deadline) -> bool {
        let until = self.deadline(millis).0.min(deadline.0);
        // A host's timer may be early.
        while self.now() < until {
            self.timer.sleep_until(until).await;
        }
        !self.is_over(deadline)
    }

    /// What comes of a future, or `None` when it takes too long; then it is dropped.
    pub(crate) async fn within<T>(&self, millis: u64, work: impl Future<Output = T>) -> Option<T> {
        let until = self.deadline(millis).0;
        match select(std::pin::pin!(work), self.timer.sleep_until(until)).await {
            Either::Left((done, _)) => Some(done),
            Either::Right(_) => None,
        }
    }

    /// How long a step may take whose adapter wants so many seconds; 0 where it does not say.
    pub(crate) fn step(&self, seconds: u32) -> Deadline {
        let millis = match u64::from(seconds) * 1000 {
            0 => self.settings.step_timeout,
            wanted => wanted.min(self.settings.step_longest),
        };
        self.deadline(millis)
    }

    /// How much time is left.
    pub(crate) fn left(&self, deadline: Deadline) -> u64 {
        u64::try_from(deadline.0.0.saturating_sub(self.now().0)).unwrap_or(0)
    }

    /// How long to wait before the try after so many.
    pub(crate) fn backoff(&self, tries: u32) -> u64 {
        let Settings { backoff_first, backoff_last, .. } = *self.settings;
        let whole = backoff_first.saturating_mul(1 << tries.min(32)).min(backoff_last);
        whole / 2 + self.draw() % (whole / 2 + 1)
    }

    /// How long to wait where an adapter says how long: no less, and not all at once. One that says 0 is not asked
    /// without pause either.
    pub(crate) fn asked_for(&self, millis: u64) -> u64 {
        let pause = self.settings.backoff_first;
        millis.max(pause).saturating_add(self.draw() % (pause / 2 + 1))
    }

    /// The next number of a fixed sequence: SplitMix64.
    fn draw(&self) -> u64 {
        let state = self.drawn.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.drawn.set(state);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}
