use ::store::{Clock, Millis};

/// The host's time.
pub(super) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Millis {
        Millis(js_sys::Date::now() as i64)
    }
}
