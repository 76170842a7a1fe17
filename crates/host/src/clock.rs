use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

use store::{Clock, Millis};
use tokio::time::Instant;

/// The time of this machine, which never goes back.
///
/// It follows the wall clock forward, so that it is right again after the machine slept; if the wall clock is
/// set back, it continues from its last value.
#[derive(Debug)]
pub struct SystemClock {
    start: Instant,
    /// The time at its start, in milliseconds since 1970; it only increases.
    offset: AtomicI64,
}

impl SystemClock {
    /// A clock that starts at the current time.
    pub fn new() -> Self {
        Self { start: Instant::now(), offset: AtomicI64::new(wall()) }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Millis {
        let elapsed = i64::try_from(self.start.elapsed().as_millis()).unwrap_or(i64::MAX);
        let behind = wall().saturating_sub(elapsed);
        let offset = self.offset.fetch_max(behind, Ordering::Relaxed).max(behind);
        Millis(offset.saturating_add(elapsed))
    }
}

/// The wall clock in milliseconds since 1970; 0 if it is set to an earlier time.
fn wall() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_shows_the_time_of_day() {
        let before = wall();
        let shown = SystemClock::new().now().0;
        assert!((before..=wall()).contains(&shown), "{before} ≤ {shown}");
    }

    #[test]
    fn it_goes_on_where_the_wall_clock_is_behind() {
        let clock = SystemClock::new();
        let ahead = wall() + 3_600_000;
        clock.offset.store(ahead, Ordering::Relaxed);
        let first = clock.now().0;
        assert!(first >= ahead);
        assert!(clock.now().0 >= first);
    }

    #[test]
    fn it_catches_up_where_the_wall_clock_is_ahead() {
        let clock = SystemClock::new();
        clock.offset.store(wall() - 3_600_000, Ordering::Relaxed);
        assert!(wall() - clock.now().0 < 1000);
    }
}
