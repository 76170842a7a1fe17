//! The registry of deployments over HTTP: `POST /peers/v1/registry` with a request of the protocol of [`regions::registration`] as
//! JSON; the response is the reply, or a problem of RFC 9457. With `Prefer: wait=N` (RFC 7240), the reply to a request for changes
//! comes with the first one, or after a few seconds.

use std::{fmt, future::ready, rc::Rc};

use api::{Api, Problem, changed};
use http::{HeaderValue, Request, Response};
use protocol::LocalFuture;

use crate::{
    Handler,
    peer_handlers::{posted, to_its_end},
    peers::WAIT,
};

/// The path of the registry.
pub const REGISTRY: &str = "/peers/v1/registry";

/// The header of responses with the identity of the registry: another one has nothing of what was registered before.
pub(crate) const IDENTITY: &str = "planloom-registry";

/// The header of requests whose replies may wait.
pub(crate) const PREFER: &str = "prefer";

/// The handler of requests to the registry.
pub struct RegistryHandler {
    api: Rc<Api>,
    identity: HeaderValue,
}

impl RegistryHandler {
    /// For an API that serves the meta service, with a number that its store keeps.
    pub fn new(api: Rc<Api>, identity: u64) -> Self {
        Self { api, identity: identity.into() }
    }
}

impl Handler for RegistryHandler {
    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        let waits = request.headers().contains_key(PREFER);
        let request: registry::Request = match posted(&request) {
            Ok(request) => request,
            Err(problem) => return Box::pin(ready(problem.response())),
        };
        let (api, identity) = (self.api.clone(), self.identity.clone());
        // A write goes on if the client disconnects; the client reads the entry again.
        let response = to_its_end(async move { reply(&api, &request, waits).await });
        Box::pin(async move {
            let mut response = response.await;
            response.headers_mut().insert(IDENTITY, identity);
            response
        })
    }
}

async fn reply(api: &Api, request: &registry::Request, waits: bool) -> Result<registry::Reply, Problem> {
    let mut watches = api.watches(registry::SERVICE);
    let mut patience: LocalFuture<()> = Box::pin(tokio::time::sleep(WAIT));
    loop {
        let (reply, submitted) = registry::reply_to(api.transactions(), request);
        submitted.await.map_err(|error| Problem::failed_precondition(error.to_string()))?;
        let reply = reply.ok_or_else(|| Problem::internal("the request was not executed"))?;
        let is_empty = matches!(&reply, registry::Reply::Changes { changes, .. } if changes.is_empty());
        if !waits || !is_empty || !changed(&mut watches, &mut patience).await {
            return Ok(reply);
        }
    }
}

impl fmt::Debug for RegistryHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RegistryHandler")
    }
}
