//! One deployment with an engine: its state, and the simulator or adapter that creates its resources.

use std::{fmt, rc::Rc};

use fetch::Reached;
use state::terraform::{TerraformBackend, TerraformOptions};
use workspace::{
    Deployment,
    engine::{Connection, Event, Session},
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
    /// The engine that applies plans.
    pub engine: Session,
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
            let there =
                TerraformBackend::new(host.network.transport(), host.environment.timer.clone(), options);
            place.backend = Rc::new(SharedBackend::new(place.backend, there, &place.browser));
        }
        let world = if adapter.is_none() { Some(World::open(host, &place)?) } else { None };
        let connection = match (adapter, &world) {
            (Some(adapter), _) => Some(Connection::new(adapter.caller.clone(), host.network.transport())),
            (None, world) => world.as_ref().and_then(World::connection),
        };
        let routes = connection.into_iter().map(Into::into).collect();
        let setup = host.environment.setup(deployment, place.backend.clone(), routes);
        let engine = Session::start(&host.environment, setup);
        engine.subscribe(on_event);
        Ok(Self { name, storage: place, world, engine })
    }
}

/// The name under which a deployment's state is stored: a state belongs to one deployment at one adapter.
pub fn name(deployment: &Deployment, adapter: Option<&Reached>) -> String {
    let name = plain_name(deployment);
    adapter.map_or_else(|| name.clone(), |it| it.state_name(&name))
}

/// The name of a deployment.
pub fn plain_name(deployment: &Deployment) -> String {
    let desired = workspace::engine::Planner::desired(deployment);
    desired.deployment.as_deref().unwrap_or("deployment").to_owned()
}

impl fmt::Debug for OpenDeployment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenDeployment").field("name", &self.name).finish_non_exhaustive()
    }
}
