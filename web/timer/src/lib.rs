//! Time in browsers and Node: the store's clock and the runtime's timer; random bits.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing))]

use std::rc::Rc;

use gloo::timers::future::TimeoutFuture;
use js_sys::{Date, Reflect};
use runtime::{LocalFuture, Timer};
use store::{Clock, Millis};
use wasm_bindgen::JsCast;
use web_sys::Crypto;

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

/// The time of day, for names that people read.
pub fn time_of_day() -> String {
    let now = Date::new_0();
    format!("{:02}:{:02}:{:02}", now.get_hours(), now.get_minutes(), now.get_seconds())
}

/// A source of random bits that nobody can guess; `None` where the host has none.
pub fn random() -> Option<Rc<dyn Fn() -> [u8; 16]>> {
    let crypto = Reflect::get(&js_sys::global(), &"crypto".into()).ok()?;
    let crypto: Crypto = crypto.is_object().then(|| crypto.unchecked_into())?;
    crypto.get_random_values_with_u8_array(&mut [0; 16]).ok()?;
    Some(Rc::new(move || {
        let mut bytes = [0; 16];
        // It fails for arrays of 64 KB and more only.
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
        bytes
    }))
}
