use std::{fmt, rc::Rc, sync::Arc};

use protocol::LocalFuture;
use regions::{
    Deployment,
    references::{Reply, Request},
};
use store::Key;

use crate::Owners;

/// Sends requests to other deployments.
pub trait Peers {
    /// The reply of a deployment.
    ///
    /// # Errors
    /// The reason why there is none, in a line: whether the request was executed is not known.
    fn send(
        &self,
        to: &Deployment,
        request: &Request<Deployment, Key>,
    ) -> LocalFuture<Result<Reply<Key>, String>>;
}

/// The other deployments that an API knows.
#[derive(Clone)]
pub struct Neighbors {
    /// The region that the API is in.
    pub region: Arc<str>,
    /// The deployments that own the resources of services which it does not serve.
    pub owners: Owners,
    /// The way to them.
    pub peers: Rc<dyn Peers>,
}

impl fmt::Debug for Neighbors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Neighbors").field("owners", &self.owners).finish_non_exhaustive()
    }
}
