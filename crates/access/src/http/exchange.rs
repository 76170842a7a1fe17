//! One request and its response.

use http::{Request, Response, header::ETAG};
use protocol::TransportError;
use serde_json::Value;
use spec::{KindId, StandardMethod};

use super::{
    Client,
    outgoing::Outgoing,
    problem,
    retry::{Attempts, is_transient},
};
use crate::{AccessError, ErrorKind, Resource};

/// A response that is no failure.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) body: Value,
    etag: Option<String>,
}

impl Incoming {
    /// The one resource that it is.
    pub(super) fn resource(self, name: &str) -> Result<Resource, AccessError> {
        let resource = Resource::new(self.body, self.etag.as_deref());
        match resource.name() == name {
            true => Ok(resource),
            false => {
                let detail = format!("the response has the name `{}` instead of `{name}`", resource.name());
                Err(AccessError::new(ErrorKind::Unreadable, detail))
            }
        }
    }
}

impl Client {
    /// The response to one request.
    ///
    /// # Errors
    /// [`ErrorKind::Unclear`] if the request may have been executed; then also for 502, 503 and 504. A request that was
    /// certainly not sent is [`ErrorKind::Unavailable`].
    pub(super) async fn once(&self, request: Request<Vec<u8>>) -> Result<Incoming, AccessError> {
        let response = self.transport.send(request).await.map_err(|error| lost(&error))?;
        if !response.status().is_success() {
            let error = problem::read(&response);
            let is_unclear = error.kind == ErrorKind::Unavailable;
            return Err(if is_unclear { AccessError { kind: ErrorKind::Unclear, ..error } } else { error });
        }
        incoming(&response)
    }

    /// The response to a request that only reads.
    pub(super) async fn read(
        &self,
        kind: KindId,
        method: StandardMethod,
        outgoing: &Outgoing,
    ) -> Result<Incoming, AccessError> {
        let mut attempts = Attempts::new(self);
        loop {
            match self.once(self.request(kind, method, outgoing)?).await {
                Err(error) if is_transient(error.kind) => {
                    // What a read did does not matter.
                    attempts.again(AccessError { kind: unavailable(error.kind), ..error }).await?;
                }
                done => return done,
            }
        }
    }
}

const fn unavailable(kind: ErrorKind) -> ErrorKind {
    match kind {
        ErrorKind::Unclear => ErrorKind::Unavailable,
        other => other,
    }
}

fn lost(error: &TransportError) -> AccessError {
    let kind = if error.was_not_sent() { ErrorKind::Unavailable } else { ErrorKind::Unclear };
    AccessError::new(kind, error.to_string())
}

fn incoming(response: &Response<Vec<u8>>) -> Result<Incoming, AccessError> {
    let etag = response.headers().get(ETAG).and_then(|it| it.to_str().ok()).map(str::to_owned);
    let body = response.body();
    if body.iter().all(u8::is_ascii_whitespace) {
        return Ok(Incoming { body: Value::Null, etag });
    }
    match serde_json::from_slice(body) {
        Ok(body) => Ok(Incoming { body, etag }),
        Err(error) => {
            let detail = format!("the response is not JSON: {error}");
            Err(AccessError::new(ErrorKind::Unreadable, detail))
        }
    }
}
