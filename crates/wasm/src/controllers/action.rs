//! Conversion of the values that a controller's functions return or throw.

use std::{borrow::Cow, time::Duration};

use ::runtime::{AccessDenied, Action, Failure, Problem};
use js_sys::Reflect;
use wasm_bindgen::JsValue;

use crate::failure::bad_argument;

/// The code of what was thrown without one.
const THROWN: &str = ::runtime::codes::THROWN.as_str();

/// The action that a reconcile function returned; [`Action::Done`] if it returned nothing.
pub(super) fn action(returned: &JsValue) -> Result<Action, JsValue> {
    if returned.is_undefined() || returned.is_null() {
        return Ok(Action::Done);
    }
    let (after, skip) = (get(returned, "requeue_after"), get(returned, "skip"));
    match (after.as_f64().and_then(duration), skip.as_string()) {
        (Some(after), None) if skip.is_undefined() => Ok(Action::RequeueAfter(after)),
        (None, Some(why)) if after.is_undefined() => Ok(Action::Skip(Cow::Owned(why))),
        _ => Err(bad_argument(
            "`reconcile` must return nothing, { requeue_after: milliseconds from 0 } or { skip: text }",
        )),
    }
}

/// The failure for a thrown value. `terminal: true` makes it final, `retry_after` sets the delay before the next
/// attempt; a `retry_after` that is not a number from 0 is ignored.
pub(super) fn failure(thrown: &JsValue) -> Failure {
    let code = get(thrown, "code").as_string().unwrap_or_else(|| THROWN.to_owned());
    let terminal = code == AccessDenied::CODE || get(thrown, "terminal").is_truthy();
    let problem = Problem::new(code, message(thrown));
    match get(thrown, "retry_after").as_f64().and_then(duration) {
        _ if terminal => Failure::Terminal(problem),
        Some(after) => Failure::RetryAfter(problem, after),
        None => Failure::Retry(problem),
    }
}

/// The message of a thrown value.
pub(super) fn message(thrown: &JsValue) -> String {
    let said = get(thrown, "message").as_string().or_else(|| thrown.as_string());
    said.unwrap_or_else(|| match thrown.as_f64() {
        Some(number) => number.to_string(),
        None => "an error without a message was thrown".to_owned(),
    })
}

/// A property; `undefined` where there is none, or it cannot be read.
fn get(value: &JsValue, key: &str) -> JsValue {
    Reflect::get(value, &key.into()).unwrap_or(JsValue::UNDEFINED)
}

/// Milliseconds as a duration, rounded up to whole ones; `None` of what is no time.
pub(super) fn duration(millis: f64) -> Option<Duration> {
    (millis.is_finite() && millis >= 0.0).then(|| Duration::from_millis(millis.ceil() as u64))
}
