use std::{cell::RefCell, rc::Rc, sync::Arc};

use fetch::{Fetch, Network, Obstacle, Reached};
use js_sys::{Date, Reflect};
use serde::Serialize;
use state::Backend;
use timer::{DateClock, HostTimer};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::Crypto;
use workspace::{
    Deployment, File, PlanOptions, Workspace,
    engine::{
        ApplyOptions, Connection, Engine, EngineError, Event, FormerAdapters, Planned, Planner, Report,
        Route, Settings, Setup,
    },
    view::{Action, PlanView},
};

use super::Input;

/// An engine with its state and its adapter.
pub(super) struct Session {
    engine: Engine,
    deployment: Rc<Deployment>,
    backend: Rc<dyn Backend>,
    operation: &'static str,
    adapter: String,
    recovered: Rc<RefCell<Vec<Recovered>>>,
}

/// A write that an interrupted run had started, and whether its resource exists.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Recovered {
    address: String,
    verb: Action,
    found: bool,
}

/// Reads the description of the adapter.
///
/// # Errors
/// The obstacle to reaching the adapter.
pub(super) async fn reach(input: &Input) -> Result<Reached, Obstacle> {
    fetch::ask(&Fetch, &HostTimer, input.caller.clone()).await
}

/// The files, with the kinds that the adapter defines.
pub(super) fn workspace(input: &Input, reached: &Reached) -> Workspace {
    let mut workspace = Workspace::new();
    workspace.set_files(input.files.clone());
    let own = File::of_adapter(reached.caller.base(), &reached.description.types);
    workspace.set_types(own.into_iter().collect());
    workspace
}

/// The descriptors as an engine plans them.
pub(super) fn deployment(workspace: &mut Workspace, input: &Input) -> Rc<Deployment> {
    let options = PlanOptions { destroy: input.destroy, ..PlanOptions::default() };
    workspace.deployment(&options)
}

/// The name under which the state is stored, as in the app: a state belongs to one deployment at one adapter.
pub(super) fn name(input: &Input, deployment: &Deployment, reached: &Reached) -> String {
    let desired = deployment.desired();
    let named = input.state_key.as_deref().or(desired.deployment.as_deref());
    format!("{} @ {}", named.unwrap_or("deployment"), reached.caller.base())
}

impl Session {
    /// Starts the engine. Nothing is read yet.
    ///
    /// # Errors
    /// The host has no random bits.
    pub(super) fn new(
        reached: Reached,
        deployment: Rc<Deployment>,
        backend: Rc<dyn Backend>,
        destroy: bool,
    ) -> Result<Self, &'static str> {
        let adapter = reached.description.name.clone();
        let engine = Engine::new(Setup {
            planner: deployment.clone(),
            backend: backend.clone(),
            routes: vec![Route { kind: None, connection: connection(reached) }],
            former: FormerAdapters::default(),
            timer: Rc::new(HostTimer),
            clock: Arc::new(DateClock),
            random: random()?,
            who: who(),
            settings: Settings::default(),
        });
        let recovered: Rc<RefCell<Vec<_>>> = Rc::default();
        let listed = recovered.clone();
        engine.subscribe(move |event| listed.borrow_mut().extend(recovered_by(event)));
        let running = engine.clone();
        spawn_local(async move {
            // It was not started before.
            let _ = running.run().await;
        });
        let operation = if destroy { "destroy" } else { "apply" };
        Ok(Self { engine, deployment, backend, operation, adapter, recovered })
    }

    /// Plans against the recorded state and the resources that exist. Actions that an interrupted run left in the
    /// journal are resolved and recorded first.
    ///
    /// # Errors
    /// The state is held by another tab, or the adapter does not report.
    pub(super) async fn plan(&self) -> Result<PlanView, EngineError> {
        self.engine.inspect().await?;
        if !self.engine.snapshot().journal.is_empty() {
            self.engine.open("find out the result of an interrupted run").await?;
            self.engine.close().await?;
        }
        let planned = self.engine.plan(true).await?;
        if let Some(refused) = planned.refused {
            return Err(refused);
        }
        self.deployment
            .plan()
            .ok_or_else(|| EngineError::new(workspace::engine::codes::INTERNAL, "there is no plan"))
    }

    /// Applies the plan, if it has that digest.
    ///
    /// # Errors
    /// The state is held by another tab, the plan is another one, or the adapter does not report.
    pub(super) async fn apply(&self, digest: Option<&str>) -> Result<Report, EngineError> {
        self.engine.open(self.operation).await?;
        let done = self.apply_approved(digest).await;
        let closed = self.engine.close().await;
        let report = done?;
        closed.map(|()| report)
    }

    async fn apply_approved(&self, digest: Option<&str>) -> Result<Report, EngineError> {
        let planned = self.engine.plan(true).await?;
        if digest.is_some_and(|it| it != planned.digest) {
            let message = "the plan is stale: state or real resources changed since it was made";
            return Err(EngineError::new(workspace::engine::codes::PLAN_CHANGED, message)
                .help("nothing was done; plan again"));
        }
        let report = self.engine.apply(&planned.digest, ApplyOptions::default()).await?;
        self.record_ready(&planned).await?;
        Ok(report)
    }

    /// Records what became ready after a run that did not wait for it.
    async fn record_ready(&self, planned: &Planned) -> Result<(), EngineError> {
        if planned.is_empty() && self.engine.has_become_ready() {
            self.engine.record_ready().await?;
        }
        Ok(())
    }

    /// Notifies of what happens from now on.
    pub(super) fn subscribe(&self, listener: impl Fn(&Event) + 'static) {
        self.engine.subscribe(listener);
    }

    /// Ends the engine.
    pub(super) fn stop(&self) {
        self.engine.stop();
    }

    pub(super) fn adapter(&self) -> &str {
        &self.adapter
    }

    /// The number of recorded resources.
    pub(super) fn recorded(&self) -> usize {
        self.engine.snapshot().resources.len()
    }

    pub(super) fn recovered(&self) -> Vec<Recovered> {
        self.recovered.borrow().clone()
    }

    /// The kept state, as text.
    pub(super) async fn state(&self) -> Option<String> {
        self.backend.load().await.ok().flatten().map(|it| it.to_text())
    }
}

fn connection(reached: Reached) -> Connection {
    let caller = reached.caller;
    Connection { name: caller.base().to_owned(), transport: Fetch.transport(), caller, credentials: None }
}

fn recovered_by(event: &Event) -> Option<Recovered> {
    match event {
        Event::Recovered { address, verb, found } => {
            Some(Recovered { address: address.clone(), verb: *verb, found: *found })
        }
        _ => None,
    }
}

/// Random bits that nobody can guess.
fn random() -> Result<Rc<dyn Fn() -> [u8; 16]>, &'static str> {
    let none = "there are no random bits: `crypto.getRandomValues` is missing";
    let crypto = Reflect::get(&js_sys::global(), &"crypto".into()).unwrap_or_default();
    let crypto: Crypto = if crypto.is_object() { crypto.unchecked_into() } else { return Err(none) };
    crypto.get_random_values_with_u8_array(&mut [0; 16]).map_err(|_| none)?;
    Ok(Rc::new(move || {
        let mut bytes = [0; 16];
        // It fails for arrays of 64 KB and more only.
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
        bytes
    }))
}

/// The name of this holder of the lease, as it is shown to others who find the state locked.
fn who() -> String {
    let now = Date::new_0();
    let time = format!("{:02}:{:02}:{:02}", now.get_hours(), now.get_minutes(), now.get_seconds());
    match &*Fetch.origin() {
        "" => format!("a program that began at {time}"),
        origin => format!("a page of {origin}, at {time}"),
    }
}
