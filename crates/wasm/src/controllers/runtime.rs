use std::{rc::Rc, time::Duration};

use ::runtime::{Controller, Options, QueueBuilder, Schedule, WholeBuilder, mapper};
use ::store::Kind;
use js_sys::{Array, Promise, Reflect};
use serde::Deserialize;
use timer::HostTimer;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::{
    Store,
    callback::{Callback, Log},
    declared::{Declared, DeclaredInput, Map, Style},
    options::read,
};
use crate::{
    answer::{self, Answer},
    argument,
    failure::{self, bad_argument},
};

/// Controllers at work on a store.
#[wasm_bindgen(skip_typescript)]
#[derive(Debug)]
pub struct Runtime {
    inner: ::runtime::Runtime,
    log: bool,
}

/// The options of a runtime.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RuntimeOptions {
    seed: Option<u64>,
    log: bool,
    shuffled: bool,
    slice_ms: u64,
    longest_chain: u32,
    stuck_ms: u64,
}

#[wasm_bindgen]
impl Runtime {
    /// A runtime without controllers.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    #[wasm_bindgen(constructor)]
    pub fn new(store: &Store, options: JsValue) -> Result<Self, JsValue> {
        let options: RuntimeOptions = read(&options, "options")?;
        let (timer, log) = (Rc::new(HostTimer), options.log);
        Ok(Self { inner: ::runtime::Runtime::new(store.inner.clone(), timer, options.into()), log })
    }

    /// Adds a controller.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn register(&self, controller: JsValue) -> Result<(), JsValue> {
        let declared: Declared = read(&controller, "controller")?;
        let log = Log(self.log.then(Rc::default));
        let controller = match declared.style {
            Style::Queue => queue(&declared, &controller, &log)?,
            Style::Whole | Style::Manual => whole(&declared, &controller, log)?,
        };
        self.inner.register(controller).map_err(|why| failure::refused(why.code(), &why.to_string()))
    }

    /// A promise that is kept when the runtime has stopped.
    pub fn run(&self) -> Promise {
        let runtime = self.inner.clone();
        future_to_promise(async move {
            let ran = runtime.run().await;
            ran.map(|()| JsValue::UNDEFINED).map_err(|why| failure::refused(why.code(), &why.to_string()))
        })
    }

    /// Ends it.
    pub fn stop(&self) {
        self.inner.stop();
    }

    /// The dependency graph of the controllers and kinds.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn graph(&self) -> Answer {
        answer::plain(&self.inner.graph())
    }

    /// The dependency graph of the controllers and kinds as `dot` or `mermaid` text.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    #[wasm_bindgen(js_name = graphText)]
    pub fn graph_text(&self, format: JsValue) -> Result<String, JsValue> {
        match argument::text(&format, "format")?.as_str() {
            "dot" => Ok(self.inner.graph().dot()),
            "mermaid" => Ok(self.inner.graph().mermaid()),
            other => Err(bad_argument(&format!("`format` is \"{other}\"; it must be dot or mermaid"))),
        }
    }

    /// The current state of the controllers.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn inspect(&self) -> Answer {
        answer::plain(&self.inner.inspect())
    }
}

impl Default for RuntimeOptions {
    fn default() -> Self {
        let Options { schedule, slice, longest_chain, stuck, .. } = Options::default();
        let shuffled = schedule == Schedule::Shuffled;
        let [slice_ms, stuck_ms] = [slice, stuck].map(::store::whole_millis);
        Self { seed: None, log: true, shuffled, slice_ms, longest_chain, stuck_ms }
    }
}

impl From<RuntimeOptions> for Options {
    fn from(options: RuntimeOptions) -> Self {
        let RuntimeOptions { seed, shuffled, slice_ms, longest_chain, stuck_ms, .. } = options;
        // Tabs that lost the same server must not all come back at the same moment.
        let seed = seed.unwrap_or_else(|| (js_sys::Math::random() * 2_f64.powi(53)) as u64);
        let schedule = if shuffled { Schedule::Shuffled } else { Schedule::Fair };
        let [slice, stuck] = [slice_ms, stuck_ms].map(Duration::from_millis);
        Self { seed, schedule, slice, longest_chain, stuck }
    }
}

fn whole(declared: &Declared, controller: &JsValue, log: Log) -> Result<Controller, JsValue> {
    if declared.inputs.iter().any(|it| it.primary || it.map.is_some()) || concurrency(controller)?.is_some() {
        return Err(bad_argument("`controller`: concurrency, primary and map apply to the style queue only"));
    }
    let manual = declared.style == Style::Manual;
    let id = declared.id.clone();
    let mut builder = if manual { Controller::manual(id) } else { Controller::whole(id) };
    builder = declared.formerly.iter().cloned().fold(builder, WholeBuilder::with_alias);
    builder = declared.inputs.iter().map(DeclaredInput::input).fold(builder, WholeBuilder::input);
    builder = declared.outputs.iter().map(|it| it.output()).fold(builder, WholeBuilder::writes);
    Ok(if manual {
        let run = Callback::needed(controller, "run", log)?;
        builder.run(move |cx| {
            let run = run.clone();
            async move { run.call(cx, None).await.map(drop) }
        })
    } else {
        let reconcile = Callback::needed(controller, "reconcile", log)?;
        builder.reconcile(move |cx| reconcile.clone().reconcile(cx, None))
    })
}

fn queue(declared: &Declared, controller: &JsValue, log: &Log) -> Result<Controller, JsValue> {
    let primary = declared.inputs.iter().find(|it| it.primary).map(DeclaredInput::kind);
    let mut builder = Controller::queue(declared.id.clone());
    builder = declared.formerly.iter().cloned().fold(builder, QueueBuilder::formerly);
    for (index, input) in declared.inputs.iter().enumerate() {
        let map = Callback::map_of(&written_input(controller, index), log.clone());
        builder = match (input.primary, &map, &input.map) {
            (true, None, None) => builder.primary_input(input.input()),
            (true, ..) => return Err(bad_argument("`controller`: a primary input is not mapped")),
            (false, ..) => mapped(builder, input, map, primary.as_ref()),
        };
    }
    builder = declared.outputs.iter().map(|it| it.output()).fold(builder, QueueBuilder::writes);
    if let Some(runs) = concurrency(controller)? {
        builder = builder.concurrency(runs);
    }
    let reconcile = Callback::needed(controller, "reconcile", log.clone())?;
    Ok(builder.reconcile(move |cx, key| reconcile.clone().reconcile(cx, Some(key))))
}

/// Read by itself: in JSON what is no number would be left out.
fn concurrency(controller: &JsValue) -> Result<Option<usize>, JsValue> {
    let value = Reflect::get(controller, &"concurrency".into()).unwrap_or(JsValue::UNDEFINED);
    if value.is_undefined() || value.is_null() {
        return Ok(None);
    }
    let whole = value.as_f64().filter(|runs| runs.fract() == 0.0 && (0.0..=1e6).contains(runs));
    let refused = || bad_argument("`controller.concurrency` must be a whole number");
    whole.map(|runs| Some(runs as usize)).ok_or_else(refused)
}

/// Adds an input with its mapping: its `map` function if it has one, else the declared mapping, else the same id.
fn mapped(
    builder: QueueBuilder,
    input: &DeclaredInput,
    function: Option<Callback>,
    primary: Option<&Kind>,
) -> QueueBuilder {
    if let Some(function) = function {
        return builder.try_mapped(input.input(), move |cx, resource| function.map(cx, resource));
    }
    let Some(primary) = primary.cloned() else { return builder.mapped(input.input(), mapper::none) };
    match input.map.clone().unwrap_or(Map::SameId) {
        Map::SameId => builder.mapped(input.input(), mapper::same_id(primary)),
        Map::Label(label) => builder.mapped(input.input(), mapper::by_label(primary, label)),
        Map::None => builder.mapped(input.input(), mapper::none),
    }
}

/// The input as JavaScript wrote it.
fn written_input(controller: &JsValue, index: usize) -> JsValue {
    let inputs = Reflect::get(controller, &"inputs".into()).ok().and_then(|it| it.dyn_into::<Array>().ok());
    inputs.map_or(JsValue::UNDEFINED, |inputs| inputs.get(index as u32))
}
