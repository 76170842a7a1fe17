//! Plans applied by a simulator in memory: the function `simulate`. Nothing real is created, and nothing is kept.

mod input;
mod world;

use std::{cell::Cell, rc::Rc};

use js_sys::{Date, Function};
use serde::Serialize;
use state::{Backend, MemoryBackend};
use timer::{DateClock, HostTimer};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use workspace::{
    PlanOptions, Workspace,
    engine::{
        ApplyOptions, Engine, EngineError, Event, FormerAdapters, Report, Route, Settings, Setup, StepView,
    },
};

use crate::{
    answer::{self, Answer},
    failure,
};
use input::Input;
use world::World;

/// The result of a simulation.
#[derive(Debug, Serialize)]
struct Simulation {
    #[serde(flatten)]
    report: Report,
    /// The recorded state afterwards, as text.
    state: Option<String>,
}

/// Plans and applies files with a simulator that has what the state records. `input` is JSON: `files`, `state`, `destroy`,
/// `latency_ms`. Each step is passed to a function whenever its state changes.
///
/// # Errors
/// The input is of another form, or nothing can be applied.
#[wasm_bindgen(skip_typescript)]
pub async fn simulate(input: String, on_step: Function) -> Answer {
    let Input { files, state, destroy, latency_ms } =
        Input::read(&input).map_err(|it| failure::bad_argument(&it))?;
    let mut workspace = Workspace::new();
    workspace.set_files(files);
    let world = World::new(state.as_ref(), latency_ms).map_err(|it| failure::internal(&it))?;
    let backend = Rc::new(state.map_or_else(MemoryBackend::default, MemoryBackend::of));
    let planner = workspace.deployment(&PlanOptions { destroy, ..PlanOptions::default() });
    let engine = Engine::new(Setup {
        planner,
        backend: backend.clone(),
        routes: vec![Route { kind: None, connection: world.connection().ok_or_else(no_address)? }],
        former: FormerAdapters::default(),
        timer: Rc::new(HostTimer),
        clock: std::sync::Arc::new(DateClock),
        random: numbers(),
        who: "simulation".into(),
        settings: Settings::default(),
    });
    engine.subscribe(move |event| report_step(event, &on_step));
    let report = drive(&engine, if destroy { "destroy" } else { "apply" }).await;
    let report = report.map_err(|it| failure::simulation(&it.code, &it.message))?;
    let state = backend.load().await.ok().flatten().map(|it| it.to_text());
    answer::plain(&Simulation { report, state })
}

/// Opens the state, applies what is planned and closes it, while the engine runs.
async fn drive(engine: &Engine, operation: &str) -> Result<Report, EngineError> {
    let running = engine.clone();
    spawn_local(async move {
        // It was not started before.
        let _ = running.run().await;
    });
    let done = apply(engine, operation).await;
    engine.stop();
    done
}

async fn apply(engine: &Engine, operation: &str) -> Result<Report, EngineError> {
    engine.open(operation).await?;
    let planned = engine.plan(true).await?;
    let report = engine.apply(&planned.digest, ApplyOptions::default()).await?;
    engine.close().await?;
    Ok(report)
}

fn report_step(event: &Event, on_step: &Function) {
    let Event::Step(step) = event else { return };
    // A listener that throws does not end the simulation.
    let _ = step_of(step).and_then(|it| on_step.call1(&JsValue::UNDEFINED, &it));
}

fn step_of(step: &StepView) -> Answer {
    answer::plain(step)
}

/// Numbers that differ from run to run; nobody else sees what they name.
fn numbers() -> Rc<dyn Fn() -> [u8; 16]> {
    let drawn = Cell::new(Date::now().to_bits());
    Rc::new(move || {
        drawn.set(drawn.get().wrapping_add(1));
        u128::from(drawn.get()).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).to_be_bytes()
    })
}

fn no_address() -> JsValue {
    failure::internal("the simulator has no address")
}
