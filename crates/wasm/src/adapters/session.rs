use std::{cell::RefCell, rc::Rc};

use fetch::{Fetch, Network, Reached};
use serde::Serialize;
use state::Backend;
use timer::{HostTimer, time_of_day};
use wasm_bindgen::JsValue;
use workspace::{
    Deployment, File, PlanOptions, Workspace,
    engine::{ApplyOptions, Connection, EngineError, Event, Planned, Planner, Report, Session, codes},
    view::{Action, PlanView},
};

use super::{Input, Kept, Outcome, given_backend::GivenBackend, storage::Storage};
use crate::{failure, runs};

/// An engine with its state and its adapter.
pub(super) struct AdapterSession {
    pub(super) engine: Session,
    /// The name that the adapter reports.
    pub(super) adapter: String,
    deployment: Rc<Deployment>,
    backend: Rc<dyn Backend>,
    kept: Kept,
    recovered: Rc<RefCell<Vec<Recovered>>>,
}

/// A write that an interrupted run had started, and whether its resource exists.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Recovered {
    address: String,
    verb: Action,
    found: bool,
}

impl AdapterSession {
    /// Reaches the adapter, whose kinds the files may have, and starts an engine. No state is read yet.
    ///
    /// # Errors
    /// The adapter cannot be reached, or the host has no random bits.
    pub(super) async fn open(input: &Input, functions: Option<GivenBackend>) -> Result<Self, JsValue> {
        let reached = fetch::ask(&Fetch, &HostTimer, input.caller.clone()).await;
        let reached = reached.map_err(|it| failure::obstacle(&it))?;
        let deployment = deployment(input, &reached);
        let desired = deployment.desired();
        let named = input.state_key.as_deref().or(desired.deployment.as_deref());
        let name = reached.state_name(named.unwrap_or("deployment"));
        let Storage { backend, kept } = Storage::open(&name, input.state.clone(), functions).await;
        let environment = runs::environment(who())?;
        let route = Connection::new(reached.caller, Fetch.transport()).into();
        let setup = environment.setup(deployment.clone(), backend.clone(), vec![route]);
        let engine = Session::start(&environment, setup);
        let recovered: Rc<RefCell<Vec<_>>> = Rc::default();
        let listed = recovered.clone();
        engine.subscribe(move |event| listed.borrow_mut().extend(recovered_by(event)));
        Ok(Self { engine, adapter: reached.description.name, deployment, backend, kept, recovered })
    }

    /// Plans against the recorded state and the resources that exist. Actions that an interrupted run left in the
    /// journal are resolved and recorded first.
    ///
    /// # Errors
    /// The state is held by another tab, or the adapter does not report.
    pub(super) async fn plan(&self) -> Result<PlanView, EngineError> {
        self.engine.read().await?;
        match self.engine.plan(true).await?.refused {
            Some(refused) => Err(refused),
            None => {
                self.deployment.plan().ok_or_else(|| EngineError::new(codes::INTERNAL, "there is no plan"))
            }
        }
    }

    /// Applies the plan, if it has the digest of the input.
    ///
    /// # Errors
    /// The state is held by another tab, the plan is another one, or the adapter does not report.
    pub(super) async fn apply(&self, input: &Input) -> Result<Report, EngineError> {
        let operation = if input.destroy { "destroy" } else { "apply" };
        let is_approved = |it: &Planned| input.digest.as_ref().is_none_or(|digest| *digest == it.digest);
        self.engine.apply_approved(operation, is_approved, ApplyOptions::default()).await
    }

    /// A result, with the state afterwards.
    pub(super) async fn outcome<T>(&self, result: T) -> Outcome<T> {
        let state = self.backend.load().await.ok().flatten().map(|it| it.to_text());
        Outcome { result, kept: self.kept, recovered: self.recovered.borrow().clone(), state }
    }
}

fn deployment(input: &Input, reached: &Reached) -> Rc<Deployment> {
    let mut workspace = Workspace::new();
    workspace.set_files(input.files.clone());
    let own = File::of_adapter(reached.caller.base(), &reached.description.types);
    workspace.set_types(own.into_iter().collect());
    workspace.deployment(&PlanOptions { destroy: input.destroy, ..PlanOptions::default() })
}

fn recovered_by(event: &Event) -> Option<Recovered> {
    match event {
        Event::Recovered { address, verb, found } => {
            Some(Recovered { address: address.clone(), verb: *verb, found: *found })
        }
        _ => None,
    }
}

/// The name of this holder of the lease, as it is shown to others who find the state locked.
fn who() -> String {
    match &*Fetch.origin() {
        "" => format!("a program that began at {}", time_of_day()),
        origin => format!("a page of {origin}, at {}", time_of_day()),
    }
}
