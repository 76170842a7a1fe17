use std::{fmt, rc::Rc};

use http::{Request as HttpRequest, Response};

use protocol::LocalFuture;
use regions::{
    Deployment, copies,
    references::{Reply, Request},
};
use serde_json::Value;
use store::Key;

use crate::{CopyRequest, Topology};

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

    /// The reply of another region of a service to a request for what it owns.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    fn request_copies(
        &self,
        to: &Deployment,
        request: &CopyRequest,
    ) -> LocalFuture<Result<copies::Reply<Key, Value>, String>>;

    /// The response of another region of a service to a request to its API.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    fn forward(
        &self,
        to: &Deployment,
        request: HttpRequest<Vec<u8>>,
    ) -> LocalFuture<Result<Response<Vec<u8>>, String>>;
}

/// The other deployments that an API knows.
#[derive(Clone)]
pub struct Neighbors {
    /// The regions of services, and the own one.
    pub topology: Topology,
    /// The way to them.
    pub peers: Rc<dyn Peers>,
}

impl fmt::Debug for Neighbors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Neighbors").field("topology", &self.topology).finish_non_exhaustive()
    }
}
