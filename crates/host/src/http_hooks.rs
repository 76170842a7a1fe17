use std::{collections::BTreeMap, fmt, future::Future, pin::Pin, rc::Rc};

use api::{Hook, HookRequest, Hooks, Problem};
use http::{
    HeaderValue, Method, Request, Response, StatusCode, Uri,
    header::{ACCEPT, CONTENT_TYPE},
};
use protocol::{Transport, TransportError};

/// The header with the name of the user who sent the request.
const USER: &str = "x-forwarded-user";

/// Methods of specifications that are executed by other servers: by a POST of the request's message to an address.
///
/// The response of that server is the response, if it is JSON; a body that is none, a redirection, which is not followed, and a
/// server that does not answer, is an error of status 502. The token of the client is not passed on; the name of its user is, in the header `X-Forwarded-User`.
pub struct HttpHooks {
    transport: Rc<dyn Transport>,
    addresses: BTreeMap<String, Uri>,
}

struct HttpHook {
    transport: Rc<dyn Transport>,
    address: Uri,
}

impl HttpHooks {
    /// With the addresses of methods: `API/Method`.
    pub fn new(transport: Rc<dyn Transport>, addresses: BTreeMap<String, Uri>) -> Self {
        Self { transport, addresses }
    }
}

impl Hooks for HttpHooks {
    fn find(&self, _: &str, method: &str) -> Option<Rc<dyn Hook>> {
        let address = self.addresses.get(method)?.clone();
        Some(Rc::new(HttpHook { transport: self.transport.clone(), address }))
    }
}

impl Hook for HttpHook {
    fn call(&self, request: HookRequest) -> Pin<Box<dyn Future<Output = Response<Vec<u8>>>>> {
        let (address, method) = (self.address.clone(), request.method.clone());
        let sent = self.transport.send(forwarded(request, address));
        Box::pin(async move {
            match sent.await {
                Ok(response) if !is_final(response.status()) => {
                    let how = format!(
                        "with status {}, which is not followed: name the address itself with `--hook`",
                        response.status()
                    );
                    failed(&method, &how).response()
                }
                Ok(response) if is_json(&response) => response_of(response),
                Ok(response) => {
                    failed(&method, &format!("with status {} and no JSON", response.status())).response()
                }
                Err(error) => unanswered(&method, &error).response(),
            }
        })
    }
}

fn forwarded(request: HookRequest, address: Uri) -> Request<Vec<u8>> {
    let mut forwarded = Request::new(request.request.to_string().into_bytes());
    (*forwarded.method_mut(), *forwarded.uri_mut()) = (Method::POST, address);
    let headers = forwarded.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    if let Some(user) = request.user.and_then(|it| HeaderValue::from_str(&it).ok()) {
        headers.insert(USER, user);
    }
    forwarded
}

/// True if it is a success or an error, and no redirection or other step on the way to one.
fn is_final(status: StatusCode) -> bool {
    status.is_success() || status.is_client_error() || status.is_server_error()
}

fn is_json(response: &Response<Vec<u8>>) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(response.body()).is_ok()
}

/// Status and body, without the headers of the other server.
fn response_of(response: Response<Vec<u8>>) -> Response<Vec<u8>> {
    let (head, body) = response.into_parts();
    let media = if head.status.is_success() { "application/json" } else { "application/problem+json" };
    let mut response = Response::new(body);
    *response.status_mut() = head.status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media));
    response
}

fn unanswered(method: &str, error: &TransportError) -> Problem {
    let why = match error {
        TransportError::Unreachable(why) => format!("could not be reached: {why}"),
        error => format!("gave no answer: {error}"),
    };
    Problem::bad_gateway(format!("the server that executes `{method}` {why}"))
}

fn failed(method: &str, how: &str) -> Problem {
    Problem::bad_gateway(format!("the server that executes `{method}` has answered {how}"))
}

impl fmt::Debug for HttpHooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(&self.addresses).finish()
    }
}
