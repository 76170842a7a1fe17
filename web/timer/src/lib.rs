//! Time in browsers and Node: the store's clock and the runtime's timer.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing))]

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

/// `setTimeout`, and the device's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostTimer;

impl Timer for HostTimer {
    fn now(&self) -> Millis {
        now()
    }

    fn sleep_until(&self, at: Millis) -> LocalFuture<()> {
        let millis = at.0.saturating_sub(now().0).clamp(0, i64::from(i32::MAX));
        Box::pin(TimeoutFuture::new(u32::try_from(millis).unwrap_or_default()))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "milliseconds since 1970 are far from the limits")]
fn now() -> Millis {
    Millis(Date::now() as i64)
}
