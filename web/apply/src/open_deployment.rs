//! One deployment with an engine: its state, and the simulator or adapter that creates its resources.

use std::{fmt, rc::Rc};

use fetch::Reached;
use state::terraform::{TerraformBackend, TerraformOptions};
use workspace::{
    Deployment,
    engine::{Connection, Engine, Event, FormerAdapters, Route, Settings, Setup},
};

use crate::{DeploymentStorage, Host, shared::SharedBackend, world::World};

/// A deployment that is open.
pub struct OpenDeployment {
    /// The name under which its state is stored.
    pub name: String,
    /// The storage of its state and of its simulated world.
    pub storage: DeploymentStorage,
    /// The simulated world, if no adapter is connected.
    pub world: Option<World>,
    /// The engine that carries out plans.
    pub engine: Engine,
}

impl OpenDeployment {
    /// Opens a deployment, on an adapter or in the simulator, its state shared with other browsers where there is a
    /// place for that. Nothing is read yet.
    ///
    /// # Errors
    /// The reason why it cannot be opened, in one line.
    pub async fn open(
        host: &Host,
        name: String,
        adapter: Option<&Reached>,
        shared: Option<TerraformOptions>,
        deployment: Rc<Deployment>,
        on_event: impl Fn(&Event) + 'static,
    ) -> Result<Self, String> {
        let mut place = (host.open)(name.clone()).await;
        if let Some(options) = shared {
            let there = TerraformBackend::new(host.network.transport(), host.timer.clone(), options);
            place.backend = Rc::new(SharedBackend::new(place.backend, there, &place.browser));
        }
        let world = if adapter.is_none() { Some(World::open(host, &place)?) } else { None };
        let connection = match (adapter, &world) {
            (Some(adapter), _) => Some(remote(host, adapter)),
            (None, world) => world.as_ref().and_then(World::connection),
        };
        let engine = Engine::new(Setup {
            planner: deployment,
            backend: place.backend.clone(),
            routes: connection.into_iter().map(|connection| Route { kind: None, connection }).collect(),
            former: FormerAdapters::default(),
            timer: host.timer.clone(),
            clock: host.clock.clone(),
            random: host.random.clone(),
            who: host.who.clone(),
            settings: Settings::default(),
        });
        engine.subscribe(on_event);
        let running = engine.clone();
        (host.spawn)(Box::pin(async move {
            // It was not started before.
            let _ = running.run().await;
        }));
        Ok(Self { name, storage: place, world, engine })
    }
}

/// The name under which a deployment's state is stored: a state belongs to one deployment at one adapter.
pub fn name(deployment: &Deployment, adapter: Option<&Reached>) -> String {
    let name = plain_name(deployment);
    match adapter {
        Some(adapter) => format!("{name} @ {}", adapter.caller.base()),
        None => name,
    }
}

/// The name of a deployment.
pub fn plain_name(deployment: &Deployment) -> String {
    let desired = workspace::engine::Planner::desired(deployment);
    desired.deployment.as_deref().unwrap_or("deployment").to_owned()
}

fn remote(host: &Host, adapter: &Reached) -> Connection {
    let caller = adapter.caller.clone();
    Connection {
        name: caller.base().to_owned(),
        transport: host.network.transport(),
        caller,
        credentials: None,
    }
}

impl Drop for OpenDeployment {
    fn drop(&mut self) {
        self.engine.stop();
    }
}

impl fmt::Debug for OpenDeployment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenDeployment").field("name", &self.name).finish_non_exhaustive()
    }
}
