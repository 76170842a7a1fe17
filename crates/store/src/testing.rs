//! Helpers for tests of this crate and of those above it.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::{Clock, Millis};

/// A clock that is advanced manually.
#[derive(Debug, Default)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// A clock that shows this time.
    pub fn at(now: Millis) -> Self {
        Self(AtomicI64::new(now.0))
    }

    /// Advances it; a negative number moves it back.
    pub fn advance(&self, millis: i64) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }

    /// Sets it.
    pub fn set(&self, now: Millis) {
        self.0.store(now.0, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Millis {
        Millis(self.0.load(Ordering::SeqCst))
    }
}
