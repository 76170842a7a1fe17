//! Requests between deployments over HTTP: `POST /peers/v1/references` with a request of the protocol of
//! [`regions::references`] as JSON, `POST /peers/v1/copies` with one of [`regions::copies`]; the response is the reply, or a
//! problem of RFC 9457.

use std::{cell::RefCell, collections::BTreeMap, fmt, future::ready, rc::Rc, time::Duration};

use api::{CopyRequest, Peers, Problem};
use http::{
    HeaderValue, Method, Request, Response, Uri,
    header::{AUTHORIZATION, CONTENT_TYPE},
};
use protocol::{LocalFuture, LongestAnswer, Token, Transport};
use regions::{
    Deployment, copies,
    references::{Reply, Request as Asked},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use store::Key;

/// The path of requests about references.
pub const REFERENCES: &str = "/peers/v1/references";
/// The path of requests of regions that have copies.
pub const COPIES: &str = "/peers/v1/copies";

/// The path of the state of a region.
pub const STATUS: &str = "/peers/v1/status";

/// The time after which a deployment that has not replied is taken for one that does not.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time for which a region that has copies waits for changes.
pub(crate) const WAIT: Duration = Duration::from_secs(8);
/// The time after which a region that has not replied is requested again.
pub(crate) const AGAIN: Duration = Duration::from_secs(1);
/// The length of the longest response.
const LONGEST: usize = 256 << 20;

/// Other deployments at their addresses.
pub struct HttpPeers {
    transport: Rc<dyn Transport>,
    addresses: RefCell<BTreeMap<Deployment, PeerAddress>>,
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
        Self { transport, addresses: addresses.into() }
    }

    /// True if a deployment has an address.
    pub fn has(&self, deployment: &Deployment) -> bool {
        self.addresses.borrow().contains_key(deployment)
    }

    /// Replaces the addresses. Requests in progress go on.
    pub fn set_addresses(&self, addresses: BTreeMap<Deployment, PeerAddress>) {
        self.addresses.replace(addresses);
    }

    /// The response to a request whose address is the path; its deployment's is added.
    fn exchange(
        &self,
        to: &Deployment,
        request: Request<Vec<u8>>,
        patience: Duration,
    ) -> LocalFuture<Result<Response<Vec<u8>>, String>> {
        match self.addresses.borrow().get(to) {
            Some(address) => address.exchange(&*self.transport, request, patience),
            None => Box::pin(ready(Err("has no address: name it with `--peer`, or register it".to_owned()))),
        }
    }

    /// The reply to a request of a protocol.
    fn reply<T: DeserializeOwned + 'static>(
        &self,
        to: &Deployment,
        (path, request): (&str, &impl Serialize),
        patience: Duration,
    ) -> LocalFuture<Result<T, String>> {
        match posting(path, request) {
            Ok(request) => {
                let response = self.exchange(to, request, patience);
                Box::pin(async move { read_reply(&response.await?) })
            }
            Err(error) => Box::pin(ready(Err(error.to_string()))),
        }
    }
}

impl PeerAddress {
    /// The response to a request whose address is the path; this one is added.
    pub(crate) fn exchange(
        &self,
        transport: &dyn Transport,
        request: Request<Vec<u8>>,
        patience: Duration,
    ) -> LocalFuture<Result<Response<Vec<u8>>, String>> {
        let sent = match addressed(self, request) {
            Ok(request) => transport.send(request),
            Err(error) => return Box::pin(ready(Err(error.to_string()))),
        };
        Box::pin(async move {
            let response = tokio::time::timeout(patience, sent).await;
            response.map_err(|_| "has not replied in time".to_owned())?.map_err(|error| error.to_string())
        })
    }
}

/// A request of a protocol.
pub(crate) fn posting(path: &str, request: &impl Serialize) -> Result<Request<Vec<u8>>, http::Error> {
    let body = serde_json::to_vec(request).unwrap_or_default();
    let built = Request::builder().method(Method::POST).uri(path).header(CONTENT_TYPE, "application/json");
    built.body(body)
}

/// The reply of a protocol in a response.
pub(crate) fn read_reply<T: DeserializeOwned>(response: &Response<Vec<u8>>) -> Result<T, String> {
    if !response.status().is_success() {
        return Err(refusal(response));
    }
    serde_json::from_slice(response.body()).map_err(|error| format!("replies with no reply: {error}"))
}

impl Peers for HttpPeers {
    fn send(
        &self,
        to: &Deployment,
        request: &Asked<Deployment, Key>,
    ) -> LocalFuture<Result<Reply<Key>, String>> {
        self.reply(to, (REFERENCES, request), PATIENCE)
    }

    fn request_copies(
        &self,
        to: &Deployment,
        request: &CopyRequest,
    ) -> LocalFuture<Result<copies::Reply<Key, Value>, String>> {
        self.reply(to, (COPIES, request), PATIENCE + WAIT)
    }

    fn forward(
        &self,
        to: &Deployment,
        request: Request<Vec<u8>>,
    ) -> LocalFuture<Result<Response<Vec<u8>>, String>> {
        self.exchange(to, request, PATIENCE * 3)
    }
}

/// The reason that a response gives for a refusal.
fn refusal(response: &Response<Vec<u8>>) -> String {
    let problem = serde_json::from_slice::<Problem>(response.body());
    problem.map_or_else(
        |_| format!("replies with status {}", response.status()),
        |it| format!("replies: {}", it.detail),
    )
}

fn addressed(address: &PeerAddress, request: Request<Vec<u8>>) -> Result<Request<Vec<u8>>, http::Error> {
    let (mut head, body) = request.into_parts();
    let path = head.uri.path_and_query().map_or("/", |it| it.as_str());
    head.uri = format!("{}{path}", address.base.to_string().trim_end_matches('/')).parse()?;
    if let Some(token) = &address.token {
        head.headers.insert(AUTHORIZATION, HeaderValue::try_from(token.bearer())?);
    }
    head.extensions.insert(LongestAnswer(LONGEST));
    Ok(Request::from_parts(head, body))
}

impl fmt::Debug for HttpPeers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(&*self.addresses.borrow()).finish()
    }
}
