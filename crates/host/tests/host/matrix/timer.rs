use std::{
    rc::Rc,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use runtime::{LocalFuture, Timer};
use store::{Clock, Millis};

/// The longest time that passes between two reads of the clock.
const STEP: Duration = Duration::from_millis(5);

/// A timer on a machine that may be busy with something else: a longer pause without a read of the clock counts as
/// `STEP`. A timeout of the engine then ends slow work, and not work that other programs delayed.
#[derive(Debug)]
pub(crate) struct CappedTimer(Arc<CappedClock>);

#[derive(Debug)]
struct CappedClock {
    now: AtomicI64,
    looked: Mutex<Instant>,
}

impl CappedTimer {
    pub(crate) fn new() -> Rc<Self> {
        let (now, looked) = (AtomicI64::new(1_700_000_000_000), Mutex::new(Instant::now()));
        Rc::new(Self(Arc::new(CappedClock { now, looked })))
    }

    /// A clock for a store with the same time.
    pub(crate) fn clock(&self) -> Arc<dyn Clock> {
        self.0.clone()
    }
}

impl Clock for CappedClock {
    fn now(&self) -> Millis {
        let mut looked = self.looked.lock().unwrap();
        let millis = looked.elapsed().as_millis();
        if millis == 0 {
            return Millis(self.now.load(Ordering::Relaxed));
        }
        *looked = Instant::now();
        let passed = i64::try_from(millis.min(STEP.as_millis())).unwrap();
        Millis(self.now.fetch_add(passed, Ordering::Relaxed) + passed)
    }
}

impl Timer for CappedTimer {
    fn now(&self) -> Millis {
        self.0.now()
    }

    fn sleep_until(&self, at: Millis) -> LocalFuture<()> {
        let clock = self.0.clone();
        Box::pin(async move {
            // Other tasks, and the network, are polled even if the time has come.
            tokio::task::yield_now().await;
            while let Ok(left @ 1..) = u64::try_from(at.0.saturating_sub(clock.now().0)) {
                tokio::time::sleep(Duration::from_millis(left).min(STEP)).await;
            }
        })
    }
}
