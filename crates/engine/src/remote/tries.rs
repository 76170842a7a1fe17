use std::time::Duration;

use crate::retry_timing::{Deadline, RetryTiming};

/// Counts retries, and decides whether there is another.
pub(super) struct RetryCounter<'p> {
    timing: &'p RetryTiming,
    deadline: Deadline,
    counted: u32,
    /// Tries after which no `Retry-After` was given: they determine the length of the pauses.
    without_hint: u32,
}

/// The way in which a further try is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counts {
    /// One of [`Settings::tries`](crate::Settings::tries).
    Fully,
    /// Not counted if the adapter says when to retry: it is overloaded, not broken.
    UnlessRetryAfter,
}

impl<'p> RetryCounter<'p> {
    pub(super) const fn new(timing: &'p RetryTiming, deadline: Deadline) -> Self {
        Self { timing, deadline, counted: 0, without_hint: 0 }
    }

    /// Waits for the next try, at least as long as the adapter requires; `false` at once if there is none:
    /// the tries are used up, or the deadline would pass.
    pub(super) async fn again(&mut self, after: Option<Duration>, counts: Counts) -> bool {
        let pause = after
            .map_or_else(|| self.timing.backoff(self.without_hint), |it| self.timing.requested_pause(it));
        self.without_hint += u32::from(after.is_none());
        self.counted += u32::from(after.is_none() || counts == Counts::Fully);
        let may = self.counted < self.timing.settings.tries && pause < self.timing.left(self.deadline);
        may && self.timing.wait(pause, self.deadline).await
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use futures_util::FutureExt;
    use runtime::Timer as _;
    use state::testing::LeapingTimer;

    use super::*;
    use crate::Settings;

    /// The pause before each next try; `None` if there is none.
    fn pauses(settings: Settings, millis: u64, tries: &[(Option<u64>, Counts)]) -> Vec<Option<i64>> {
        let timer = Rc::new(LeapingTimer::at(0));
        let timing = RetryTiming::new(timer.clone(), settings);
        let mut counted = RetryCounter::new(&timing, timing.deadline(Duration::from_millis(millis)));
        let again = |(after, counts): &(Option<u64>, Counts)| {
            let before = timer.now().0;
            let is_tried = counted
                .again(after.map(Duration::from_millis), *counts)
                .now_or_never()
                .expect("no sleep takes time");
            let waited = timer.now().0 - before;
            assert!(is_tried || waited == 0, "what is not tried is not waited for");
            is_tried.then_some(waited)
        };
        tries.iter().map(again).collect()
    }

    fn settings(tries: u32) -> Settings {
        Settings {
            tries,
            backoff_first: Duration::from_millis(250),
            backoff_last: Duration::from_secs(8),
            ..Settings::default()
        }
    }

    #[test]
    fn retries_end_after_the_limit() {
        use Counts::{Fully, UnlessRetryAfter};
        let without_hint = [Some(204), Some(459), Some(618), None, None];
        for counts in [Fully, UnlessRetryAfter] {
            assert_eq!(pauses(settings(4), 60_000, &[(None, counts); 5]), without_hint);
        }
        let requested = [Some(1_079), Some(1_036), None];
        assert_eq!(pauses(settings(3), 60_000, &[(Some(1_000), Fully); 3]), requested);
        assert_eq!(pauses(settings(1), 60_000, &[(None, Fully)]), [None]);
    }

    /// A `Retry-After` is not counted, and makes no later pause longer.
    #[test]
    fn retry_after_of_an_overloaded_adapter_is_obeyed() {
        let tries: Vec<_> =
            [Some(1_000); 5].into_iter().chain([None; 3]).map(|it| (it, Counts::UnlessRetryAfter)).collect();
        let waited = [1_079, 1_036, 1_037, 1_088, 1_121, 155, 373].map(Some);
        assert_eq!(pauses(settings(3), 60_000, &tries), [waited.as_slice(), &[None]].concat());
    }

    #[test]
    fn a_pause_that_is_longer_than_there_is_time_is_not_begun() {
        let settings = || Settings { backoff_first: Duration::ZERO, ..settings(9) };
        let requested = |millis: u64| (Some(millis), Counts::UnlessRetryAfter);
        assert_eq!(
            pauses(settings(), 1_000, &[requested(999), requested(1), requested(0)]),
            [Some(999), None, Some(0)]
        );
        assert_eq!(pauses(settings(), 1_000, &[requested(1_000)]), [None]);
        assert_eq!(pauses(settings(), 1_000, &[requested(1_001)]), [None]);
    }
}
