//! Runs of an engine: plans that a simulator applies, and plans for an adapter over HTTP. Both are parts of the module, which
//! answer with promises; they are in the npm package only, so the table of parts does not have them.

use std::{pin::pin, rc::Rc, sync::Arc};

use js_sys::{Array, Function, Promise};
use timer::{DateClock, HostTimer};
use wasm_bindgen::{JsCast, prelude::*};
use wasm_bindgen_futures::spawn_local;
use workspace::engine::{Environment, Event};

use crate::{adapters, answer, failure, parts, simulation};

/// The names of the parts.
#[cfg(not(feature = "split"))]
pub(crate) const PARTS: [&str; 2] = ["simulation", "adapters"];

/// The arguments of a run.
pub(crate) struct Call {
    /// The plan is applied, not only made.
    pub(crate) applies: bool,
    /// JSON text.
    pub(crate) options: String,
    /// Called with each step whenever its state changes.
    pub(crate) on_step: Function,
    /// The functions `load` and `save`, or undefined.
    pub(crate) backend: JsValue,
}

impl Call {
    /// The arguments in a list, as `web/npm/src/runs.js` passes them.
    pub(crate) fn of(list: &Array) -> Self {
        let options = list.get(1).as_string().unwrap_or_default();
        let (on_step, backend) = (list.get(2).unchecked_into(), list.get(3));
        Self { applies: list.get(0).is_truthy(), options, on_step, backend }
    }
}

/// Begins a run.
type Begin = fn(Array) -> Promise;

capabilities::load_functions! {
    simulation: fn load_simulation() -> Begin { simulation::begin }
    adapters: fn load_adapters() -> Begin { adapters::begin }
}

/// Begins a run, whose part JavaScript has instantiated. One function for all of them, whose arguments the parts read, because
/// each export makes the core larger.
///
/// # Errors
/// `capability/not-loaded` where the part is not loaded.
#[wasm_bindgen(skip_typescript, js_name = runEngine)]
pub fn run_engine(simulates: bool, call: Array) -> Result<Promise, JsValue> {
    let (part, begin) = match simulates {
        true => ("simulation", parts::ready(pin!(load_simulation()))),
        false => ("adapters", parts::ready(pin!(load_adapters()))),
    };
    Ok(begin.ok_or_else(|| failure::not_loaded(part))?(call))
}

/// The environment of an engine in a JavaScript host.
pub(crate) fn environment(who: String) -> Result<Environment, JsValue> {
    let none = "there are no random bits: `crypto.getRandomValues` is missing";
    let random = timer::random().ok_or_else(|| failure::internal(none))?;
    let (timer, clock) = (Rc::new(HostTimer), Arc::new(DateClock));
    Ok(Environment { timer, clock, random, spawn: Rc::new(spawn_local), who })
}

/// A listener that passes each step to a function.
pub(crate) fn step_listener(on_step: Function) -> impl Fn(&Event) {
    move |event| {
        let Event::Step(step) = event else { return };
        // A function that throws does not end the run.
        let _ = answer::plain(step).and_then(|it| on_step.call1(&JsValue::UNDEFINED, &it));
    }
}
