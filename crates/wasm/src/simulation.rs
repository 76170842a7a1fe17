//! Plans applied by a simulator in memory. Nothing real is created, and nothing is kept.

mod input;
mod world;

use std::rc::Rc;

use js_sys::{Array, Promise};
use serde::Serialize;
use state::{Backend, MemoryBackend};
use wasm_bindgen_futures::future_to_promise;
use workspace::{
    PlanOptions, Workspace,
    engine::{ApplyOptions, Report, Session},
};

use crate::{
    answer::{self, Answer},
    failure,
    runs::{self, Call},
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

/// Plans and applies files with a simulator that has what the state records. The options are JSON: `files`, `state`,
/// `destroy`, `latency_ms`. The promise is rejected if they are of another form, or nothing can be applied.
pub(crate) fn begin(call: Array) -> Promise {
    future_to_promise(simulate(Call::of(&call)))
}

async fn simulate(Call { options, on_step, .. }: Call) -> Answer {
    let Input { files, state, destroy, latency_ms } =
        Input::read(&options).map_err(|it| failure::bad_argument(&it))?;
    let mut workspace = Workspace::new();
    workspace.set_files(files);
    let environment = runs::environment("simulation".into())?;
    let world = World::new(&environment, state.as_ref(), latency_ms).map_err(|it| failure::internal(&it))?;
    let connection = world.connection().ok_or_else(|| failure::internal("the simulator has no address"))?;
    let backend = Rc::new(state.map_or_else(MemoryBackend::default, MemoryBackend::of));
    let planner = workspace.deployment(&PlanOptions { destroy, ..PlanOptions::default() });
    let setup = environment.setup(planner, backend.clone(), vec![connection.into()]);
    let session = Session::start(&environment, setup);
    session.subscribe(runs::step_listener(on_step));
    let operation = if destroy { "destroy" } else { "apply" };
    let report = session.apply_approved(operation, |_| true, ApplyOptions::default()).await;
    let report = report.map_err(|it| failure::engine(&it))?;
    let state = backend.load().await.ok().flatten().map(|it| it.to_text());
    answer::plain(&Simulation { report, state })
}
