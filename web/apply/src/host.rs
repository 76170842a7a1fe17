//! The environment of an [`ApplySession`](crate::ApplySession): time, storage, network and the way to the page.

use std::{fmt, rc::Rc};

use fetch::Network;
use protocol::LocalFuture;
use state::Backend;
use web::apply::message::Response;
use workspace::engine::Environment;

/// Time, random bits, tasks, network and storage.
#[derive(Clone)]
pub struct Host {
    /// The environment of engines.
    pub environment: Environment,
    /// Opens the storage of a deployment.
    pub open: Rc<dyn Fn(String) -> LocalFuture<DeploymentStorage>>,
    /// Reaches adapters elsewhere.
    pub network: Rc<dyn Network>,
    /// Tells the page.
    pub tell: Rc<dyn Fn(Response)>,
}

/// The storage of one deployment.
#[derive(Clone)]
pub struct DeploymentStorage {
    /// Its state.
    pub backend: Rc<dyn Backend>,
    /// The simulated world as it was kept last.
    pub world: Option<String>,
    /// The simulated world as it is kept by now: another page may have changed it.
    pub reread: Rc<dyn Fn() -> LocalFuture<Option<String>>>,
    /// Saves the simulated world; if that is not possible, the world lives as long as the page.
    pub save: Rc<dyn Fn(String) -> LocalFuture<()>>,
    /// Both outlive the page.
    pub kept: bool,
    /// The random name of this browser among those that share a state.
    pub browser: String,
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").field("environment", &self.environment).finish_non_exhaustive()
    }
}

impl fmt::Debug for DeploymentStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeploymentStorage").field("kept", &self.kept).finish_non_exhaustive()
    }
}
