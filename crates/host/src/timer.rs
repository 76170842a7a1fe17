use std::{rc::Rc, sync::Arc, time::Duration};

use runtime::{LocalFuture, Timer};
use store::{Clock, Millis};
use tokio::{task, time};

use crate::SystemClock;

/// The longest sleep, because tokio has a limit.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// The time of the tokio runtime. It has to be used inside a tokio runtime.
#[derive(Debug, Default)]
pub struct SystemTimer {
    clock: Arc<SystemClock>,
}

impl SystemTimer {
    /// A timer with a clock of its own.
    pub fn new() -> Rc<Self> {
        Rc::default()
    }

    /// A clock for a store with the same time.
    pub fn clock(&self) -> Arc<dyn Clock> {
        self.clock.clone()
    }
}

impl Timer for SystemTimer {
    fn now(&self) -> Millis {
        self.clock.now()
    }

    fn sleep_until(&self, at: Millis) -> LocalFuture<()> {
        let millis = u64::try_from(at.0.saturating_sub(self.now().0)).unwrap_or(0);
        let until = time::Instant::now() + Duration::from_millis(millis).min(LONGEST);
        Box::pin(async move {
            // Other tasks, and the network, are polled even if the time has come.
            task::yield_now().await;
            time::sleep_until(until).await;
        })
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, time::Instant};

    use super::*;

    async fn slept(millis: i64) -> i64 {
        let timer = SystemTimer::new();
        let before = timer.now().0;
        timer.sleep_until(Millis(before + millis)).await;
        timer.now().0 - before
    }

    #[tokio::test]
    async fn it_wakes_at_the_time_or_later_never_early() {
        for millis in [1, 7, 30] {
            let took = slept(millis).await;
            assert!((millis..millis + 200).contains(&took), "{millis}: {took}");
        }
    }

    #[tokio::test]
    async fn elapsed_sleeps_yield_once() {
        let timer = SystemTimer::new();
        let went = Rc::new(Cell::new(0));
        let other = went.clone();
        let local = task::LocalSet::new();
        local.spawn_local(async move { other.set(1) });
        let seen = local.run_until(async move {
            let before = went.get();
            timer.sleep_until(Millis(0)).await;
            (before, went.get())
        });
        assert_eq!(seen.await, (0, 1));
    }

    #[tokio::test]
    async fn the_end_of_time_does_not_overflow() {
        let timer = SystemTimer::new();
        let far = timer.sleep_until(Millis(i64::MAX));
        assert!(time::timeout(Duration::from_millis(5), far).await.is_err());
        let start = Instant::now();
        timer.sleep_until(Millis(i64::MIN)).await;
        assert!(start.elapsed() < Duration::from_millis(200));
    }
}
