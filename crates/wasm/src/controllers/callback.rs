//! Functions of a controller written in JavaScript.

use ::runtime::{Action, Context as Cx, Failure};
use ::store::{Key, Resource};
use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortController;

use super::{
    Context,
    action::{action, failure},
    options::read,
};
use crate::{answer, failure::bad_argument};

/// Tells a function whose run is cancelled so.
struct Abort(Option<AbortController>);

impl Drop for Abort {
    fn drop(&mut self) {
        if let Some(controller) = &self.0 {
            controller.abort();
        }
    }
}

/// The function that an object has under this name, if it has one.
pub(super) fn function(object: &JsValue, name: &str) -> Option<Function> {
    Reflect::get(object, &name.into()).ok()?.dyn_into().ok()
}

/// The function that an object must have under this name.
pub(super) fn needed(object: &JsValue, name: &str) -> Result<Function, JsValue> {
    function(object, name).ok_or_else(|| bad_argument(&format!("`controller.{name}` must be a function")))
}

/// Calls a function with the context and perhaps a key, and waits for what it promises.
pub(super) async fn call(function: Function, cx: Cx, key: Option<Key>) -> Result<JsValue, Failure> {
    let mut abort = Abort(AbortController::new().ok());
    let signal = abort.0.as_ref().map(AbortController::signal);
    let context = JsValue::from(Context::new(cx, signal));
    let key = key.map(|key| answer::plain(&key)).transpose().map_err(|error| failure(&error))?;
    let called = function.call2(&JsValue::UNDEFINED, &context, &key.unwrap_or(JsValue::UNDEFINED));
    let returned = match called.map(JsCast::dyn_into::<Promise>) {
        Ok(Ok(promise)) => JsFuture::from(promise).await,
        Ok(Err(value)) => Ok(value),
        Err(thrown) => Err(thrown),
    };
    // It came to its end: nothing is cancelled.
    abort.0 = None;
    returned.map_err(|thrown| failure(&thrown))
}

/// [`call`], for what it asks the runtime to do.
pub(super) async fn reconcile(function: Function, cx: Cx, key: Option<Key>) -> Result<Action, Failure> {
    action(&call(function, cx, key).await?)
}

/// Calls a function that says which resources of the primary inputs another is about.
pub(super) fn map(function: &Function, cx: &Cx, resource: &Resource) -> Result<Vec<Key>, Failure> {
    let context = JsValue::from(Context::new(cx.clone(), None));
    let keys = answer::plain(resource)
        .and_then(|resource| function.call2(&JsValue::UNDEFINED, &resource, &context))
        .and_then(|keys| read(&keys, "what map returned"));
    keys.map_err(|error| failure(&error))
}
