//! What a controller's function returned or threw.

use std::borrow::Cow;

use ::runtime::{Action, Failure, Problem};
use js_sys::Reflect;
use serde::Deserialize;
use wasm_bindgen::JsValue;

use super::options::read;
use crate::failure::ACCESS_DENIED;

/// What a reconcile may return besides nothing.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Returned {
    RequeueAfter(f64),
    Skip(String),
}

/// The code of what was thrown without one.
const THROWN: &str = "runtime/thrown";

/// What a reconcile returned.
pub(super) fn action(returned: &JsValue) -> Result<Action, Failure> {
    if returned.is_undefined() || returned.is_null() {
        return Ok(Action::Done);
    }
    let returned = read(returned, "what reconcile returned").map_err(|error| failure(&error))?;
    Ok(match returned {
        Returned::RequeueAfter(millis) => Action::RequeueAfter(whole(millis)),
        Returned::Skip(why) => Action::Skip(Cow::Owned(why)),
    })
}

/// What a function threw: with `terminal: true` it is of no use to try again, with `retry_after` it says when.
pub(super) fn failure(thrown: &JsValue) -> Failure {
    let text = |key: &str| Reflect::get(thrown, &key.into()).ok().and_then(|value| value.as_string());
    let message =
        text("message").or_else(|| thrown.as_string()).unwrap_or_else(|| "something was thrown".into());
    let code = text("code").unwrap_or_else(|| THROWN.to_owned());
    let terminal = code == ACCESS_DENIED || is(thrown, "terminal");
    let problem = Problem::new(code, message);
    let after = Reflect::get(thrown, &"retry_after".into()).ok().and_then(|value| value.as_f64());
    match after {
        _ if terminal => Failure::Terminal(problem),
        Some(millis) => Failure::RetryAfter(problem, whole(millis)),
        None => Failure::Retry(problem),
    }
}

fn is(value: &JsValue, key: &str) -> bool {
    Reflect::get(value, &key.into()).is_ok_and(|value| value.is_truthy())
}

/// Milliseconds; what is less than none, or no number, is none.
pub(super) fn whole(millis: f64) -> u64 {
    millis.max(0.0) as u64
}
