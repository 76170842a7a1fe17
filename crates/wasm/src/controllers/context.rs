use std::sync::Arc;

use ::runtime::{CallError, Input};
use ::store::{Draft, Key, Kind, Query, Resource};
use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;
use web_sys::AbortSignal;

use super::{
    action::whole,
    declared::DeclaredInput,
    left::{left, listed},
    operation::{self, DRAFT, KEY},
    options::{WriteOptions, read, read_only},
    runtime::code,
};
use crate::{
    answer::{self, Answer},
    failure,
};

/// What a run of a controller can do: read its inputs, write its outputs, nothing else.
#[wasm_bindgen(skip_typescript)]
#[derive(Debug)]
pub struct Context {
    inner: ::runtime::Context,
    signal: Option<AbortSignal>,
}

impl Context {
    pub(super) fn new(inner: ::runtime::Context, signal: Option<AbortSignal>) -> Self {
        Self { inner, signal }
    }
}

#[wasm_bindgen]
impl Context {
    /// The controller's id.
    #[wasm_bindgen(getter)]
    pub fn id(&self) -> String {
        self.inner.id().to_string()
    }

    /// Aborted when the run is cancelled.
    #[wasm_bindgen(getter)]
    pub fn signal(&self) -> Option<AbortSignal> {
        self.signal.clone()
    }

    /// The time.
    #[wasm_bindgen(getter)]
    pub fn now(&self) -> f64 {
        self.inner.now().0 as f64
    }

    /// A resource; `null` where there is none.
    pub fn get(&self, key: JsValue) -> Answer {
        match called(self.inner.find(&self::key(&key)?))? {
            Some(found) => answer::plain(&found),
            None => Ok(JsValue::NULL),
        }
    }

    /// The resources of a kind that match.
    pub fn list(&self, kind: JsValue, query: JsValue) -> Answer {
        let (kind, query): (_, Query) = (self::kind(&kind)?, read(&query, "query")?);
        let snapshot = called(self.inner.list(&kind, &query))?;
        listed(&snapshot)
    }

    /// All of it or nothing.
    pub fn commit(&self, operations: JsValue) -> Answer {
        let committed = called(self.inner.commit(operation::transaction(&operations, "operations")?))?;
        left(committed)
    }

    /// A new resource of the controller's.
    pub fn create(&self, draft: JsValue) -> Answer {
        answered(self.inner.create(self::draft(&draft)?))
    }

    /// The controller's resource says this from now on.
    pub fn put(&self, draft: JsValue) -> Answer {
        answered(self.inner.put(self::draft(&draft)?))
    }

    /// A resource as it was read and then changed.
    pub fn update(&self, resource: JsValue, options: JsValue) -> Answer {
        let resource: Resource = read_only(&resource, "resource", &["metadata", "spec"])?;
        let options: WriteOptions = read(&options, "options")?;
        answered(self.inner.update(resource, options.update()))
    }

    /// It shall go; whether nobody needs it.
    pub fn teardown(&self, key: JsValue) -> Result<bool, JsValue> {
        called(self.inner.teardown(&self::key(&key)?))
    }

    /// It goes.
    pub fn destroy(&self, key: JsValue) -> Result<(), JsValue> {
        called(self.inner.destroy(&self::key(&key)?))
    }

    /// Tears down and destroys what is the controller's; whether it is gone.
    pub fn remove(&self, key: JsValue) -> Result<bool, JsValue> {
        called(self.inner.remove(&self::key(&key)?))
    }

    /// Removes what is the controller's of a kind and this run has not written.
    #[wasm_bindgen(js_name = pruneUntouched)]
    pub fn prune_untouched(&self, kind: JsValue) -> Result<bool, JsValue> {
        called(self.inner.prune_untouched(&self::kind(&kind)?))
    }

    /// The controller needs this input.
    pub fn hold(&self, key: JsValue) -> Answer {
        answered(self.inner.hold(&self::key(&key)?))
    }

    /// The controller no longer needs this input.
    pub fn release(&self, key: JsValue) -> Result<(), JsValue> {
        called(self.inner.release(&self::key(&key)?))
    }

    /// Whether the controller holds a resource.
    pub fn holds(&self, resource: JsValue) -> Result<bool, JsValue> {
        Ok(self.inner.holds(&read_only(&resource, "resource", &["metadata", "spec"])?))
    }

    /// Whether a resource belongs to the controller.
    pub fn owns(&self, resource: JsValue) -> Result<bool, JsValue> {
        Ok(self.inner.owns(&read_only(&resource, "resource", &["metadata", "spec"])?))
    }

    /// The same rights, but writing what belongs to the user.
    #[wasm_bindgen(js_name = asUser)]
    pub fn as_user(&self) -> Self {
        Self { inner: self.inner.as_user(), signal: self.signal.clone() }
    }

    /// Waits.
    pub fn sleep(&self, millis: f64) -> Promise {
        let inner = self.inner.clone();
        future_to_promise(async move {
            inner.sleep(whole(millis)).await;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Has a queue controller run for this key.
    pub fn requeue(&self, key: JsValue, millis: f64) -> Result<(), JsValue> {
        self.inner.requeue(&self::key(&key)?, whole(millis));
        Ok(())
    }

    /// Has a whole-set or manual controller run.
    pub fn wake(&self, millis: f64) {
        self.inner.wake(whole(millis));
    }

    /// For a manual controller: waits until an input has changed.
    pub fn woken(&self) -> Promise {
        let inner = self.inner.clone();
        future_to_promise(async move {
            inner.woken().await;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Other inputs from now on.
    #[wasm_bindgen(js_name = setInputs)]
    pub fn set_inputs(&self, inputs: JsValue) -> Result<(), JsValue> {
        let declared: Vec<DeclaredInput> = read(&inputs, "inputs")?;
        let inputs: Vec<Input> = declared.iter().map(DeclaredInput::input).collect();
        self.inner.set_inputs(inputs).map_err(|why| failure::refused(code(&why), &why.to_string()))
    }
}

fn called<T>(result: Result<T, CallError>) -> Result<T, JsValue> {
    result.map_err(|refused| failure::call(&refused))
}

fn answered(result: Result<Arc<Resource>, CallError>) -> Answer {
    answer::plain(&called(result)?)
}

fn key(value: &JsValue) -> Result<Key, JsValue> {
    read_only(value, "key", &KEY)
}

fn kind(value: &JsValue) -> Result<Kind, JsValue> {
    read_only(value, "kind", &["namespace", "kind"])
}

fn draft(value: &JsValue) -> Result<Draft, JsValue> {
    read_only(value, "draft", &DRAFT)
}
