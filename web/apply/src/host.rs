//! What a [`ApplySession`](crate::ApplySession) needs of where it lives.

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
    /// Where things of a deployment are kept.
    pub open: Rc<dyn Fn(String) -> LocalFuture<DeploymentStorage>>,
    /// Reaches adapters elsewhere.
    pub network: Rc<dyn Network>,
    /// Who works, for who finds the state held.
    pub who: String,
    /// Tells the page.
    pub tell: Rc<dyn Fn(Response)>,
}

/// Where things of one deployment are kept.
#[derive(Clone)]
pub struct DeploymentStorage {
    /// Its state.
    pub backend: Rc<dyn Backend>,
    /// The simulated world as it was kept last.
    pub world: Option<String>,
    /// The simulated world as it is kept by now: another page may have changed it.
    pub reread: Rc<dyn Fn() -> LocalFuture<Option<String>>>,
    /// Keeps the simulated world. Where it cannot be, it lives as long as the page.
    pub save: Rc<dyn Fn(String) -> LocalFuture<()>>,
    /// Both outlive the page.
    pub kept: bool,
    /// Which browser this is among those that share a state, random.
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
