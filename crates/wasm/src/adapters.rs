//! Plans applied at an adapter over HTTP. Real resources are created, so every write is recorded before it is sent, and a later call continues what an earlier one could not finish.

mod given_backend;
mod input;
mod session;
mod storage;

use js_sys::{Array, Promise};
use serde::Serialize;
use wasm_bindgen_futures::future_to_promise;
use workspace::view::PlanView;

use crate::{
    answer::{self, Answer},
    failure,
    runs::{self, Call},
};
use input::Input;
use session::{AdapterSession, Recovered};
use storage::{Kept, Storage};

/// The result of an operation, with the recorded state afterwards.
#[derive(Serialize)]
struct Outcome<T> {
    #[serde(flatten)]
    result: T,
    kept: Kept,
    recovered: Vec<Recovered>,
    /// The recorded state, as text.
    state: Option<String>,
}

/// A plan for an adapter.
#[derive(Serialize)]
struct Planned {
    plan: PlanView,
    /// The name that the adapter reports.
    adapter: String,
    /// The number of resources in the recorded state.
    recorded: usize,
}

/// Plans files over the state that is kept for an adapter and what exists there, and applies the plan if that is
/// requested. The options are JSON: `files`, `adapter`, `token`, `destroy`, `state_key`, `state`, and the `digest` of the only
/// plan that may be applied. A plan changes nothing at the adapter; the outcome of an interrupted run is recorded.
///
/// The promise is rejected if the options are of another form, the adapter cannot be reached, or there is no plan.
pub(crate) fn begin(call: Array) -> Promise {
    future_to_promise(run(Call::of(&call)))
}

async fn run(Call { applies, options, on_step, backend }: Call) -> Answer {
    let input = Input::read(&options).map_err(|it| failure::bad_argument(&it))?;
    let functions = Storage::functions(&backend).map_err(|it| failure::bad_argument(&it))?;
    let session = AdapterSession::open(&input, functions).await?;
    if !applies {
        let plan = session.plan().await.map_err(|it| failure::engine(&it))?;
        let (adapter, recorded) = (session.adapter.clone(), session.engine.snapshot().resources.len());
        return answer::plain(&session.outcome(Planned { plan, adapter, recorded }).await);
    }
    session.engine.subscribe(runs::step_listener(on_step));
    let report = session.apply(&input).await.map_err(|it| failure::engine(&it))?;
    answer::plain(&session.outcome(report).await)
}
