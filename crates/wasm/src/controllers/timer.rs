use ::runtime::{LocalFuture, Timer};
use ::store::{Clock, Millis};
use gloo::timers::future::TimeoutFuture;

use super::clock::SystemClock;

/// The host's timers.
pub(super) struct HostTimer;

/// What hosts take: beyond it a timer would be due at once.
const LONGEST: i64 = i32::MAX as i64;

impl Timer for HostTimer {
    fn now(&self) -> Millis {
        SystemClock.now()
    }

    fn sleep_until(&self, at: Millis) -> LocalFuture<()> {
        let left = at.0.saturating_sub(self.now().0).clamp(0, LONGEST);
        Box::pin(TimeoutFuture::new(left as u32))
    }
}
