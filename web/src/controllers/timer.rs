//! Time in a browser: the store's clock and the runtime's timer.

use std::rc::Rc;

use gloo::timers::future::TimeoutFuture;
use js_sys::Date;
use runtime::{LocalFuture, Timer};
use store::{Clock, Millis};

/// The clock of the device.
#[derive(Clone, Copy, Debug, Default)]
pub struct DateClock;

impl Clock for DateClock {
    fn now(&self) -> Millis {
        now()
    }
}

/// `setTimeout`, and the device's clock. Tells whenever it wakes somebody: then something is about to happen.
pub struct HostTimer {
    woke: Rc<dyn Fn()>,
}

impl HostTimer {
    /// A timer that calls back whenever it wakes somebody.
    pub fn new(woke: Rc<dyn Fn()>) -> Rc<Self> {
        Rc::new(Self { woke })
    }
}

impl std::fmt::Debug for HostTimer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HostTimer")
    }
}

impl Timer for HostTimer {
    fn now(&self) -> Millis {
        now()
    }

    fn sleep_until(&self, at: Millis) -> LocalFuture<()> {
        let woke = self.woke.clone();
        let millis = at.0.saturating_sub(now().0).clamp(0, i64::from(i32::MAX));
        let sleep = TimeoutFuture::new(u32::try_from(millis).unwrap_or_default());
        Box::pin(async move {
            sleep.await;
            woke();
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "milliseconds since 1970 are far from the limits")]
fn now() -> Millis {
    Millis(Date::now() as i64)
}
