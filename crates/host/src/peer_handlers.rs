use std::{fmt, future::ready, rc::Rc};

use api::{Api, CopyReader, CopyRequest, Problem};
use http::{HeaderValue, Method, Request, Response, header::CONTENT_TYPE};
use protocol::LocalFuture;
use regions::{Deployment, references::Request as Asked};
use serde::{Serialize, de::DeserializeOwned};
use store::Key;

use crate::{
    ApiHandler, Handler, HttpPeers,
    peers::{AGAIN, WAIT},
};

/// The handler of requests of other deployments.
pub struct PeerHandler {
    api: Rc<Api>,
    peers: Rc<HttpPeers>,
}

impl PeerHandler {
    /// For an API. Requests of deployments without an address are refused: they could not be asked later.
    pub fn new(api: Rc<Api>, peers: Rc<HttpPeers>) -> Self {
        Self { api, peers }
    }

    /// The request in a body.
    fn read(&self, request: &Request<Vec<u8>>) -> Result<Asked<Deployment, Key>, Problem> {
        let request: Asked<Deployment, Key> = posted(request)?;
        match &request {
            Asked::Establish { id, .. } if !self.peers.has(&id.source) => {
                let detail =
                    format!("{} has no address here: name it with `--peer`, or register it", id.source);
                Err(Problem::failed_precondition(detail))
            }
            _ => Ok(request),
        }
    }
}

impl Handler for PeerHandler {
    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        let request = match self.read(&request) {
            Ok(request) => request,
            Err(problem) => return Box::pin(ready(problem.response())),
        };
        let api = self.api.clone();
        // It goes on if the client disconnects: what was submitted is kept, and the client asks again.
        Box::pin(to_its_end(async move { api.reply_to(request).await }))
    }
}

/// The handler of regions that have copies of what this one owns.
pub struct CopyHandler(Rc<Api>);

impl CopyHandler {
    /// For an API.
    pub fn new(api: Rc<Api>) -> Self {
        Self(api)
    }
}

impl Handler for CopyHandler {
    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        let request: CopyRequest = match posted(&request) {
            Ok(request) => request,
            Err(problem) => return Box::pin(ready(problem.response())),
        };
        let api = self.0.clone();
        Box::pin(async move {
            let patience = Box::pin(tokio::time::sleep(WAIT));
            let reply = api.reply_to_reader(&request, patience).await;
            reply.map_or_else(|problem| problem.response(), |reply| json(&reply))
        })
    }
}

impl fmt::Debug for CopyHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CopyHandler")
    }
}

/// The handler of requests for the state of the region.
pub struct StatusHandler(Rc<Api>);

impl StatusHandler {
    /// For an API.
    pub fn new(api: Rc<Api>) -> Self {
        Self(api)
    }
}

impl Handler for StatusHandler {
    fn handle(&self, _: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        Box::pin(ready(self.0.region_status().map_or_else(
            || Problem::not_found("the server has no other deployments").response(),
            |status| json(&status),
        )))
    }
}

impl fmt::Debug for StatusHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StatusHandler")
    }
}

/// Copies what another region owns, as long as it is one of the other regions. After what was copied, `handler` does the work that
/// follows.
pub async fn copy(handler: ApiHandler, api: Rc<Api>, owner: Deployment) {
    let mut reader = CopyReader::new(owner.clone(), api.transactions().store().now());
    while api.other_regions().contains(&owner) {
        match api.copy(&mut reader).await {
            Ok(true) => handler.work(),
            Ok(false) => {}
            Err(_) => tokio::time::sleep(AGAIN).await,
        }
        tokio::task::yield_now().await;
    }
}

/// The response to a request that is executed to its end, also if the client disconnects and nobody awaits it any more.
pub(crate) fn to_its_end<T: Serialize + 'static>(
    reply: impl Future<Output = Result<T, Problem>> + 'static,
) -> impl Future<Output = Response<Vec<u8>>> {
    let replied = tokio::task::spawn_local(reply);
    async move {
        match replied.await {
            Ok(Ok(reply)) => json(&reply),
            Ok(Err(problem)) => problem.response(),
            Err(_) => Problem::internal("the request was not executed").response(),
        }
    }
}

/// The request in a body.
pub(crate) fn posted<T: DeserializeOwned>(request: &Request<Vec<u8>>) -> Result<T, Problem> {
    if request.method() != Method::POST {
        let detail = format!("`{}` is for POST, not {}", request.uri().path(), request.method());
        return Err(Problem { allowed: vec!["POST".to_owned()], ..Problem::method_not_allowed(detail) });
    }
    let read = serde_json::from_slice(request.body());
    read.map_err(|error| Problem::invalid_argument(format!("the body is no request: {error}")))
}

pub(crate) fn json(reply: &impl Serialize) -> Response<Vec<u8>> {
    let body = match serde_json::to_vec(reply) {
        Ok(body) => body,
        Err(error) => return Problem::internal(error.to_string()).response(),
    };
    let mut response = Response::new(body);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

impl fmt::Debug for PeerHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PeerHandler").field("peers", &self.peers).finish_non_exhaustive()
    }
}
