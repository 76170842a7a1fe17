//! The health of a server, for those who restart it or send requests to it: anyone may ask, without a token.

use std::{future::ready, rc::Rc};

use api::Problem;
use host::{Access, Handler, Mounts, StoreGate};
use http::{HeaderValue, Request, Response, header::CONTENT_TYPE, request::Parts};
use protocol::LocalFuture;

/// The path that says that the process responds (Kubernetes: a liveness probe).
const LIVE: &str = "/livez";
/// The path that says that it serves requests (Kubernetes: a readiness probe).
const READY: &str = "/readyz";

/// The state of health at one of the paths.
struct Health<F>(F);

impl<F: Fn() -> Option<String>> Handler for Health<F> {
    /// Who asks has no token, so that such connections are those of strangers.
    fn access(&self, _: &Parts) -> Access {
        Access::STRANGER
    }

    fn handle(&self, _: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        let response = match (self.0)() {
            Some(reason) => Problem::unavailable(reason).response(),
            None => {
                let mut response = Response::new(b"{\"status\":\"ok\"}".to_vec());
                response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
                response
            }
        };
        Box::pin(ready(response))
    }
}

/// The handler with the health beside it. It is ready unless there is a reason against it, or another server has taken over the
/// store.
pub(super) fn with_health(
    handler: Rc<dyn Handler>,
    gate: StoreGate,
    reason: impl Fn() -> Option<String> + 'static,
) -> Rc<dyn Handler> {
    let is_ready = move || gate.reason().or_else(&reason);
    let health = Mounts::new()
        .mount_exactly(LIVE, Rc::new(Health(|| None)))
        .mount_exactly(READY, Rc::new(Health(is_ready)));
    Rc::new(health.fallback(handler))
}
