//! Plans applied at an adapter over HTTP: the functions `plan_at` and `apply_at`. They create real resources, so every
//! write is recorded before it is sent, and a later call continues what an earlier one could not finish.

mod given_backend;
mod input;
mod session;
mod storage;

use js_sys::Function;
use serde::Serialize;
use wasm_bindgen::prelude::*;
use workspace::{
    engine::{Event, Report},
    view::PlanView,
};

use crate::{
    answer::{self, Answer},
    failure,
};
use input::Input;
use session::{Recovered, Session};
use storage::{Kept, Storage};

/// The answer of `plan_at`: the plan for an adapter, and the recorded state that it was made against.
#[derive(Serialize)]
struct Planned {
    plan: PlanView,
    /// The name that the adapter reports.
    adapter: String,
    /// The number of resources in the recorded state.
    recorded: usize,
    kept: Kept,
    recovered: Vec<Recovered>,
    /// The recorded state, as text.
    state: Option<String>,
}

/// The answer of `apply_at`: the report of the run at an adapter.
#[derive(Serialize)]
struct Applied {
    #[serde(flatten)]
    report: Report,
    kept: Kept,
    recovered: Vec<Recovered>,
    /// The recorded state afterwards, as text.
    state: Option<String>,
}

/// Plans files over the state that is kept for an adapter and what exists there. Nothing is changed at the adapter; the
/// outcome of an interrupted run is recorded. `input` is JSON: `files`, `adapter`, `token`, `destroy`, `state_key`, `state`.
/// `backend` has the functions `load` and `save`, or is undefined.
///
/// # Errors
/// The input is of another form, the adapter cannot be reached, or there is no plan.
#[wasm_bindgen(skip_typescript)]
pub async fn plan_at(input: String, backend: JsValue) -> Answer {
    let input = Input::read(&input).map_err(|it| failure::bad_argument(&it))?;
    let (session, kept) = opened(&input, &backend).await?;
    let planned = session.plan().await;
    session.stop();
    let plan = planned.map_err(|it| failure::engine(&it))?;
    answer::plain(&Planned {
        plan,
        adapter: session.adapter().to_owned(),
        recorded: session.recorded(),
        kept,
        recovered: session.recovered(),
        state: session.state().await,
    })
}

/// Plans files as `plan_at` does and applies the plan, if it is the one with the `digest` of the input. Each step is passed to
/// a function whenever its state changes.
///
/// # Errors
/// The input is of another form, the adapter cannot be reached, the plan is another one, or nothing can be applied.
#[wasm_bindgen(skip_typescript)]
pub async fn apply_at(input: String, backend: JsValue, on_step: Function) -> Answer {
    let input = Input::read(&input).map_err(|it| failure::bad_argument(&it))?;
    let (session, kept) = opened(&input, &backend).await?;
    session.subscribe(move |event| report_step(event, &on_step));
    let report = session.apply(input.digest.as_deref()).await;
    session.stop();
    let report = report.map_err(|it| failure::engine(&it))?;
    let (recovered, state) = (session.recovered(), session.state().await);
    answer::plain(&Applied { report, kept, recovered, state })
}

async fn opened(input: &Input, backend: &JsValue) -> Result<(Session, Kept), JsValue> {
    let functions = Storage::functions(backend).map_err(|it| failure::bad_argument(&it))?;
    let reached = session::reach(input).await.map_err(|it| failure::obstacle(&it))?;
    let mut workspace = session::workspace(input, &reached);
    let deployment = session::deployment(&mut workspace, input);
    let name = session::name(input, &deployment, &reached);
    let Storage { backend, kept } = Storage::open(&name, input.state.clone(), functions).await;
    let session = Session::new(reached, deployment, backend, input.destroy);
    Ok((session.map_err(failure::internal)?, kept))
}

fn report_step(event: &Event, on_step: &Function) {
    let Event::Step(step) = event else { return };
    // A listener that throws does not end the run.
    let _ = answer::plain(step).and_then(|it| on_step.call1(&JsValue::UNDEFINED, &it));
}
