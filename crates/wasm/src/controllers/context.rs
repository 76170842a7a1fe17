use std::{rc::Rc, sync::Arc, time::Duration};

use ::runtime::{CallError, Input};
use ::store::{Query, Resource};
use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;
use web_sys::AbortSignal;

use super::{
    action::duration,
    declared::DeclaredInput,
    given,
    left::{left, listed},
    operation,
    options::{Update, read},
    run::{Run, ignore_failure},
};
use crate::{
    answer::{self, Answer},
    failure,
};

/// The interface of one run of a controller: it can read its inputs and write its outputs, nothing else.
#[wasm_bindgen(skip_typescript)]
#[derive(Debug)]
pub struct Context {
    inner: ::runtime::Context,
    run: Rc<Run>,
}

impl Context {
    pub(super) fn new(inner: ::runtime::Context, run: Rc<Run>) -> Self {
        Self { inner, run }
    }

    /// The inner context; an error if the run is over.
    fn live(&self) -> Result<&::runtime::Context, JsValue> {
        self.run.check().map(|()| &self.inner)
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
        self.run.signal()
    }

    /// The time.
    #[wasm_bindgen(getter)]
    pub fn now(&self) -> f64 {
        self.inner.now().0 as f64
    }

    /// A resource; `null` where there is none.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn get(&self, key: JsValue) -> Answer {
        match called(self.live()?.find(&given::key(&key)?))? {
            Some(found) => answer::plain(&found),
            None => Ok(JsValue::NULL),
        }
    }

    /// The resources of a kind that match.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn list(&self, kind: JsValue, query: JsValue) -> Answer {
        let (kind, query): (_, Query) = (given::kind(&kind, "kind")?, read(&query, "query")?);
        let snapshot = called(self.live()?.list(&kind, &query))?;
        listed(&snapshot)
    }

    /// All of it or nothing.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn commit(&self, operations: JsValue) -> Answer {
        let committed = called(self.live()?.commit(operation::transaction(&operations, "operations")?))?;
        left(committed)
    }

    /// A new resource of the controller's.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn create(&self, draft: JsValue) -> Answer {
        answered(self.live()?.create(given::draft(&draft)?))
    }

    /// The controller's resource says this from now on.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn put(&self, draft: JsValue) -> Answer {
        answered(self.live()?.put(given::draft(&draft)?))
    }

    /// A resource as it was read and then changed.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn update(&self, resource: JsValue, options: JsValue) -> Answer {
        let resource = given::resource(&resource, "resource")?;
        let options: Update = read(&options, "options")?;
        answered(self.live()?.update(resource, options.options()))
    }

    /// Tears a resource down. Returns true if it has no finalizers left.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn teardown(&self, key: JsValue) -> Result<bool, JsValue> {
        called(self.live()?.teardown(&given::key(&key)?))
    }

    /// Destroys a resource.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn destroy(&self, key: JsValue) -> Result<(), JsValue> {
        called(self.live()?.destroy(&given::key(&key)?))
    }

    /// Tears down and destroys a resource of the controller. Returns true if it is gone.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn remove(&self, key: JsValue) -> Result<bool, JsValue> {
        called(self.live()?.remove(&given::key(&key)?))
    }

    /// Removes the controller's resources of a kind that this run has not written. Returns true if all of them are
    /// gone.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    #[wasm_bindgen(js_name = pruneUntouched)]
    pub fn prune_untouched(&self, kind: JsValue) -> Result<bool, JsValue> {
        called(self.live()?.prune_untouched(&given::kind(&kind, "kind")?))
    }

    /// The controller needs this input.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn hold(&self, key: JsValue) -> Answer {
        answered(self.live()?.hold(&given::key(&key)?))
    }

    /// The controller no longer needs this input.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn release(&self, key: JsValue) -> Result<(), JsValue> {
        called(self.live()?.release(&given::key(&key)?))
    }

    /// Returns true if the controller holds a resource.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn holds(&self, resource: JsValue) -> Result<bool, JsValue> {
        Ok(self.inner.holds(&given::resource(&resource, "resource")?))
    }

    /// Returns true if a resource belongs to the controller.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn owns(&self, resource: JsValue) -> Result<bool, JsValue> {
        Ok(self.inner.owns(&given::resource(&resource, "resource")?))
    }

    /// The same rights, but writing what belongs to the user.
    #[wasm_bindgen(js_name = asUser)]
    pub fn as_user(&self) -> Self {
        Self { inner: self.inner.as_user(), run: self.run.clone() }
    }

    /// Waits.
    pub fn sleep(&self, millis: f64) -> Promise {
        let (inner, run) = (self.inner.clone(), self.run.clone());
        let duration = duration(millis).unwrap_or_default();
        let slept = async move { inner.sleep(duration).await };
        ignore_failure(future_to_promise(run.unless_cancelled(slept)))
    }

    /// Has a queue controller run for this key; also after the run.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn requeue(&self, key: JsValue, millis: f64) -> Result<(), JsValue> {
        self.run.check_runtime()?;
        self.inner.requeue(&given::key(&key)?, time(millis)?);
        Ok(())
    }

    /// Has a whole-set or manual controller run; also after the run.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn wake(&self, millis: f64) -> Result<(), JsValue> {
        self.run.check_runtime()?;
        self.inner.wake(time(millis)?);
        Ok(())
    }

    /// For a manual controller: waits until an input has changed.
    pub fn woken(&self) -> Promise {
        let (inner, run) = (self.inner.clone(), self.run.clone());
        ignore_failure(future_to_promise(run.unless_cancelled(async move { inner.wait_for_changes().await })))
    }

    /// Other inputs from now on.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    #[wasm_bindgen(js_name = setInputs)]
    pub fn set_inputs(&self, inputs: JsValue) -> Result<(), JsValue> {
        let declared: Vec<DeclaredInput> = read(&inputs, "inputs")?;
        let inputs: Vec<Input> = declared.iter().map(DeclaredInput::input).collect();
        self.live()?.set_inputs(inputs).map_err(|why| failure::refused(why.code(), &why.to_string()))
    }
}

fn called<T>(result: Result<T, CallError>) -> Result<T, JsValue> {
    result.map_err(|refused| failure::call(&refused))
}

fn answered(result: Result<Arc<Resource>, CallError>) -> Answer {
    answer::plain(&called(result)?)
}

fn time(millis: f64) -> Result<Duration, JsValue> {
    duration(millis).ok_or_else(|| failure::bad_argument("`millis` must be a number from 0"))
}
