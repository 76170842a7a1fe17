//! Functions of a controller written in JavaScript.

use std::{cell::RefCell, rc::Rc};

use ::runtime::{Action, Context as Cx, Failure};
use ::store::{Key, Resource};
use js_sys::{Function, Promise, Reflect};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::{
    Context,
    action::{action, failure, message},
    given::key_of,
    options::read,
    run::Run,
};
use crate::{answer, failure::bad_argument};

/// A function of a controller, with what it is called on.
#[derive(Clone)]
pub(super) struct Callback {
    this: JsValue,
    function: Function,
    log: Log,
}

/// The log for thrown values, which prints a message again only after a different one; `None` prints nothing.
#[derive(Clone)]
pub(super) struct Log(pub(super) Option<Rc<RefCell<String>>>);

/// The function that an object has under this name, if it has one.
pub(super) fn function(object: &JsValue, name: &str) -> Option<Function> {
    Reflect::get(object, &name.into()).ok()?.dyn_into().ok()
}

impl Callback {
    /// The function that a controller must have under this name.
    pub(super) fn needed(controller: &JsValue, name: &str, log: Log) -> Result<Self, JsValue> {
        let found = function(controller, name);
        let function =
            found.ok_or_else(|| bad_argument(&format!("`controller.{name}` must be a function")))?;
        Ok(Self { this: controller.clone(), function, log })
    }

    /// The function `map` of an input, if it has one.
    pub(super) fn map_of(input: &JsValue, log: Log) -> Option<Self> {
        Some(Self { this: input.clone(), function: function(input, "map")?, log })
    }

    /// Calls it with the context and perhaps a key, and waits for what it promises.
    pub(super) async fn call(self, cx: Cx, key: Option<Key>) -> Result<JsValue, Failure> {
        let id = cx.id().clone();
        let (run, guard) = Run::begin();
        let context = JsValue::from(Context::new(cx, run));
        let key = key.map(|key| answer::plain(&key)).transpose().map_err(|error| failure(&error))?;
        let called = self.function.call2(&self.this, &context, &key.unwrap_or(JsValue::UNDEFINED));
        let returned = match called {
            Ok(value) if is_thenable(&value) => JsFuture::from(Promise::resolve(&value)).await,
            other => other,
        };
        guard.ended();
        returned.map_err(|thrown| {
            self.log.say(&id, &thrown);
            failure(&thrown)
        })
    }

    /// [`call`](Self::call), for what it asks the runtime to do.
    pub(super) async fn reconcile(self, cx: Cx, key: Option<Key>) -> Result<Action, Failure> {
        let (log, id) = (self.log.clone(), cx.id().clone());
        action(&self.call(cx, key).await?).map_err(|error| {
            log.say(&id, &error);
            failure(&error)
        })
    }

    /// Calls it to learn which resources of the primary inputs another is about.
    pub(super) fn map(&self, cx: &Cx, resource: &Resource) -> Result<Vec<Key>, Failure> {
        let (run, guard) = Run::begin();
        let context = JsValue::from(Context::new(cx.clone(), run));
        let called = answer::plain(resource)
            .and_then(|resource| self.function.call2(&self.this, &resource, &context))
            .and_then(|keys| mapped(&keys));
        guard.ended();
        called.map_err(|thrown| {
            self.log.say(cx.id(), &thrown);
            failure(&thrown)
        })
    }
}

impl Log {
    fn say(&self, controller: &str, thrown: &JsValue) {
        let Some(last) = &self.0 else { return };
        let said = format!("planloom: controller `{controller}` failed: {}", message(thrown));
        if *last.borrow() != said {
            web_sys::console::error_2(&said.as_str().into(), thrown);
            last.replace(said);
        }
    }
}

/// Also promises of another realm, and those of libraries that bring their own.
fn is_thenable(value: &JsValue) -> bool {
    value.is_object() && function(value, "then").is_some()
}

fn mapped(keys: &JsValue) -> Result<Vec<Key>, JsValue> {
    if !js_sys::Array::is_array(keys) {
        return Err(bad_argument("`map` must return a list of keys"));
    }
    let keys: Vec<Value> = read(keys, "map's keys")?;
    keys.into_iter().map(|key| key_of(key, "map's keys")).collect()
}
