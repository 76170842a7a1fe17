//! Requests between deployments over HTTP: `POST /peers/v1/references` with a request of the protocol of
//! [`regions::references`] as JSON; the response is the reply, or a problem of RFC 9457.

use std::{collections::BTreeMap, fmt, future::ready, rc::Rc, time::Duration};

use api::{Api, Peers, Problem};
use http::{
    HeaderValue, Method, Request, Response, Uri,
    header::{AUTHORIZATION, CONTENT_TYPE},
};
use protocol::{LocalFuture, Token, Transport};
use regions::{
    Deployment,
    references::{Reply, Request as Asked},
};
use store::Key;

use crate::Handler;

/// The path of the requests.
pub const REFERENCES: &str = "/peers/v1/references";

/// The time after which a deployment that has not replied is taken for one that does not.
const PATIENCE: Duration = Duration::from_secs(10);

/// Other deployments at their addresses.
pub struct HttpPeers {
    transport: Rc<dyn Transport>,
    addresses: BTreeMap<Deployment, PeerAddress>,
}

/// The address of a deployment.
#[derive(Clone, Debug)]
pub struct PeerAddress {
    /// The address that paths are added to.
    pub base: Uri,
    /// The token of its server.
    pub token: Option<Token>,
}

impl HttpPeers {
    /// With these addresses.
    pub fn new(transport: Rc<dyn Transport>, addresses: BTreeMap<Deployment, PeerAddress>) -> Self {
        Self { transport, addresses }
    }

    /// True if a deployment has an address.
    pub fn has(&self, deployment: &Deployment) -> bool {
        self.addresses.contains_key(deployment)
    }
}

impl Peers for HttpPeers {
    fn send(
        &self,
        to: &Deployment,
        request: &Asked<Deployment, Key>,
    ) -> LocalFuture<Result<Reply<Key>, String>> {
        let Some(address) = self.addresses.get(to) else {
            return Box::pin(async { Err("has no address: name it with `--peer`".to_owned()) });
        };
        let sent = match http_request(address, request) {
            Ok(request) => self.transport.send(request),
            Err(error) => return Box::pin(async move { Err(error.to_string()) }),
        };
        Box::pin(async move {
            let response = tokio::time::timeout(PATIENCE, sent).await;
            let response = response.map_err(|_| "has not replied in time".to_owned())?;
            let response = response.map_err(|error| error.to_string())?;
            if !response.status().is_success() {
                return Err(format!("replies with status {}", response.status()));
            }
            serde_json::from_slice(response.body()).map_err(|error| format!("replies with no reply: {error}"))
        })
    }
}

fn http_request(
    address: &PeerAddress,
    request: &Asked<Deployment, Key>,
) -> Result<Request<Vec<u8>>, http::Error> {
    let base = address.base.to_string();
    let builder = Request::builder()
        .method(Method::POST)
        .uri(format!("{}{REFERENCES}", base.trim_end_matches('/')))
        .header(CONTENT_TYPE, "application/json");
    let builder = match &address.token {
        Some(token) => builder.header(AUTHORIZATION, token.bearer()),
        None => builder,
    };
    builder.body(serde_json::to_vec(request).unwrap_or_default())
}

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
        if request.method() != Method::POST {
            let detail = format!("`{REFERENCES}` is for POST, not {}", request.method());
            return Err(Problem { allowed: vec!["POST".to_owned()], ..Problem::method_not_allowed(detail) });
        }
        let request: Asked<Deployment, Key> = serde_json::from_slice(request.body())
            .map_err(|error| Problem::invalid_argument(format!("the body is no request: {error}")))?;
        match &request {
            Asked::Establish { id, .. } if !self.peers.has(&id.source) => {
                let detail = format!("{} has no address here: name it with `--peer`", id.source);
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
        let replied = tokio::task::spawn_local(async move { api.reply_to(request).await });
        Box::pin(async move {
            match replied.await {
                Ok(Ok(reply)) => json(&reply),
                Ok(Err(problem)) => problem.response(),
                Err(_) => Problem::internal("the request was not executed").response(),
            }
        })
    }
}

fn json(reply: &Reply<Key>) -> Response<Vec<u8>> {
    let mut response = Response::new(serde_json::to_vec(reply).unwrap_or_default());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

impl fmt::Debug for HttpPeers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(&self.addresses).finish()
    }
}

impl fmt::Debug for PeerHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PeerHandler").field("peers", &self.peers).finish_non_exhaustive()
    }
}
