//! The environment of an [`ApplySession`](crate::ApplySession): time, storage, network and the way to the page.

use std::{fmt, rc::Rc, sync::Arc};

use adapter::Spawn;
use fetch::Network;
use protocol::LocalFuture;
use runtime::Timer;
use state::Backend;
use store::Clock;
use web::apply::message::Response;

/// Time, chance, network and storage.
#[derive(Clone)]
pub struct Host {
    /// Time.
    pub timer: Rc<dyn Timer>,
    /// The same time, for stores.
    pub clock: Arc<dyn Clock>,
    /// Random bits that nobody can guess.
    pub random: Rc<dyn Fn() -> [u8; 16]>,
    /// Starts a task.
    pub spawn: Spawn,
    /// Opens the storage of a deployment.
    pub open: Rc<dyn Fn(String) -> LocalFuture<DeploymentStorage>>,
    /// Reaches adapters elsewhere.
    pub network: Rc<dyn Network>,
    /// The name of this holder of the lease, as it is shown to others who find the state locked.
    pub who: String,
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
        f.debug_struct("Host").field("who", &self.who).finish_non_exhaustive()
    }
}

impl fmt::Debug for DeploymentStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeploymentStorage").field("kept", &self.kept).finish_non_exhaustive()
    }
}
