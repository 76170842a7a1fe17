use std::{cell::RefCell, rc::Rc, time::Duration};

use futures_util::future::{Either, select};
use runtime::{SplitMix64, Timer};
use store::{Millis, whole_millis};

use crate::Settings;

/// Time, and the pauses between tries.
#[derive(Clone)]
pub(crate) struct RetryTiming {
    pub(crate) timer: Rc<dyn Timer>,
    pub(crate) settings: Rc<Settings>,
    random: Rc<RefCell<SplitMix64>>,
}

/// The moment at which something is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Deadline(pub(crate) Millis);

impl RetryTiming {
    pub(crate) fn new(timer: Rc<dyn Timer>, settings: Settings) -> Self {
        let random = Rc::new(RefCell::new(SplitMix64::seeded(settings.seed)));
        Self { timer, settings: Rc::new(settings), random }
    }

    pub(crate) fn now(&self) -> Millis {
        self.timer.now()
    }

    pub(crate) fn deadline(&self, after: Duration) -> Deadline {
        Deadline(self.now() + after)
    }

    pub(crate) fn is_over(&self, deadline: Deadline) -> bool {
        self.now() >= deadline.0
    }

    /// Waits, but not beyond the deadline; returns whether there is time left.
    pub(crate) async fn wait(&self, pause: Duration, deadline: Deadline) -> bool {
        let until = self.deadline(pause).0.min(deadline.0);
        // A host's timer may fire early.
        while self.now() < until {
            self.timer.sleep_until(until).await;
        }
        !self.is_over(deadline)
    }

    /// The result of a future, or `None` if it takes too long; then it is dropped.
    pub(crate) async fn within<T>(&self, timeout: Duration, work: impl Future<Output = T>) -> Option<T> {
        let until = self.deadline(timeout).0;
        match select(std::pin::pin!(work), self.timer.sleep_until(until)).await {
            Either::Left((done, _)) => Some(done),
            Either::Right(_) => None,
        }
    }

    /// The deadline of a step whose adapter requests so many seconds; 0 if it does not say.
    pub(crate) fn step(&self, seconds: u32) -> Deadline {
        let timeout = match seconds {
            0 => self.settings.step_timeout,
            seconds => Duration::from_secs(seconds.into()).min(self.settings.step_longest),
        };
        self.deadline(timeout)
    }

    /// The time left until the deadline.
    pub(crate) fn left(&self, deadline: Deadline) -> Duration {
        deadline.0.since(self.now())
    }

    /// The pause before the next try after that many tries.
    pub(crate) fn backoff(&self, tries: u32) -> Duration {
        let Settings { backoff_first, backoff_last, .. } = *self.settings;
        let whole = backoff_first.saturating_mul(1 << tries.min(31)).min(backoff_last);
        let half = Duration::from_millis(whole_millis(whole) / 2);
        half + self.drawn(half)
    }

    /// The pause for a `Retry-After`: no shorter, and with jitter, so that not all retry at once. For 0,
    /// there is still a pause.
    pub(crate) fn requested_pause(&self, requested: Duration) -> Duration {
        let pause = self.settings.backoff_first;
        requested.max(pause).saturating_add(self.drawn(pause / 2))
    }

    /// A random duration of whole milliseconds, at most `most`.
    fn drawn(&self, most: Duration) -> Duration {
        Duration::from_millis(self.draw() % whole_millis(most).saturating_add(1))
    }

    /// The next number of a deterministic sequence.
    fn draw(&self) -> u64 {
        self.random.borrow_mut().draw()
    }
}

#[cfg(test)]
mod tests {
    use std::{
        cell::Cell,
        future::{pending, ready},
    };

    use futures_util::FutureExt;
    use runtime::LocalFuture;

    use super::*;

    /// A timer whose sleeps take at most 100 ms and at least one; records when each was to end.
    #[derive(Default)]
    struct Early {
        now: Cell<i64>,
        sleeps: RefCell<Vec<i64>>,
    }

    impl Timer for Early {
        fn now(&self) -> Millis {
            Millis(self.now.get())
        }

        fn sleep_until(&self, at: Millis) -> LocalFuture<()> {
            self.sleeps.borrow_mut().push(at.0);
            let left = at.0 - self.now.get();
            self.now.set(self.now.get() + left.clamp(1, 100));
            Box::pin(ready(()))
        }
    }

    fn timing_with(settings: Settings) -> (RetryTiming, Rc<Early>) {
        let timer = Rc::new(Early::default());
        timer.now.set(1_000);
        (RetryTiming::new(timer.clone(), settings), timer)
    }

    #[test]
    fn a_deadline_is_over_once_it_is_reached() {
        let (timing, timer) = timing_with(Settings::default());
        let deadline = timing.deadline(Duration::from_millis(50));
        assert_eq!((timing.now(), deadline), (Millis(1_000), Deadline(Millis(1_050))));
        for (now, left, is_over) in
            [(1_000, 50, false), (1_049, 1, false), (1_050, 0, true), (1_051, 0, true)]
        {
            timer.now.set(now);
            assert_eq!(
                (timing.left(deadline), timing.is_over(deadline)),
                (Duration::from_millis(left), is_over),
                "{now}"
            );
        }
        assert_eq!(timing.deadline(Duration::MAX), Deadline(Millis(i64::MAX)));
    }

    /// Cases: the pause and the deadline; the sleeps, the end, and whether there is time left.
    #[test]
    fn it_is_waited_for_so_long_but_not_beyond_the_deadline() {
        for (millis, deadline, sleeps, end, is_left) in [
            (0, 500, &[][..], 1_000, true),
            (0, 0, &[], 1_000, false),
            (80, 500, &[1_080], 1_080, true),
            (250, 500, &[1_250; 3], 1_250, true),
            (500, 500, &[1_500; 5], 1_500, false),
            (700, 150, &[1_150; 2], 1_150, false),
        ] {
            let (timing, timer) = timing_with(Settings::default());
            let deadline = timing.deadline(Duration::from_millis(deadline));
            let pause = Duration::from_millis(millis);
            assert_eq!(timing.wait(pause, deadline).now_or_never(), Some(is_left), "{millis}");
            assert_eq!((&timer.sleeps.borrow()[..], timer.now.get()), (sleeps, end), "{millis}");
        }
    }

    #[test]
    fn timeouts_drop_the_future() {
        let (timing, timer) = timing_with(Settings::default());
        assert_eq!(timing.within(Duration::from_millis(60), ready(5)).now_or_never(), Some(Some(5)));
        assert_eq!(timing.within(Duration::from_millis(60), pending::<u8>()).now_or_never(), Some(None));
        assert_eq!(&timer.sleeps.borrow()[..], [1_060, 1_120]);
    }

    #[test]
    fn a_step_takes_as_long_as_its_adapter_requests_within_limits() {
        let settings = Settings {
            step_timeout: Duration::from_secs(7),
            step_longest: Duration::from_secs(9),
            ..Settings::default()
        };
        let (timing, _) = timing_with(settings);
        for (seconds, end) in [(0, 8_000), (1, 2_000), (9, 10_000), (10, 10_000), (u32::MAX, 10_000)] {
            assert_eq!(timing.step(seconds), Deadline(Millis(end)), "{seconds}");
        }
    }

    /// Each pause is twice as long, up to the maximum; half of it is random.
    #[test]
    fn pauses_between_tries_grow() {
        let check = |backoff_first, backoff_last, tries: &[u32], expected: &[u64]| {
            let [backoff_first, backoff_last] = [backoff_first, backoff_last].map(Duration::from_millis);
            let (timing, _) = timing_with(Settings { backoff_first, backoff_last, ..Settings::default() });
            let pauses: Vec<u64> = tries.iter().map(|it| whole_millis(timing.backoff(*it))).collect();
            assert_eq!(pauses, expected);
        };
        let expected = [204, 459, 618, 1_025, 2_079, 5_231, 6_987, 7_882];
        check(250, 8_000, &[0, 1, 2, 3, 4, 5, 6, 40], &expected);
        check(7, 100, &[0, 1, 2, 3, 4, 5, u32::MAX], &[6, 11, 18, 55, 81, 74, 76]);
    }

    #[test]
    fn retry_after_is_a_lower_bound() {
        let (timing, _) =
            timing_with(Settings { backoff_first: Duration::from_millis(250), ..Settings::default() });
        let pauses = [0, 249, 250, 1_000, 7_000, u64::MAX]
            .map(|it| whole_millis(timing.requested_pause(Duration::from_millis(it))));
        assert_eq!(pauses, [329, 286, 287, 1_088, 7_121, u64::MAX]);
    }

    /// The reference sequence of SplitMix64.
    #[test]
    fn the_same_seed_draws_the_same_numbers() {
        let (timing, _) = timing_with(Settings { seed: 0, ..Settings::default() });
        let copy = timing.clone();
        let drawn = [timing.draw(), copy.draw(), timing.draw(), copy.draw()];
        let expected =
            [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f, 0xf88b_b8a8_724c_81ec];
        assert_eq!(drawn, expected);
    }
}
