//! Requests that a served API rejects, in its audit log.

use std::rc::Rc;

use ::store::{DateTime, Store};
use api::Caller;
use host::{Access, Body, FileChangeLog, Handler};
use http::{Method, Request, Response, request::Parts};
use protocol::LocalFuture;
use serde_json::{Value as Json, json};

/// A handler whose rejected writes are appended to the log of what is changed: those that are answered with a status of 4xx.
/// Requests without a token that is known do not reach it.
pub(super) struct RejectionLog {
    handler: Rc<dyn Handler>,
    log: Rc<Log>,
}

struct Log {
    file: FileChangeLog,
    /// Has the clock that changes are recorded with.
    store: Store,
}

/// What of a request is recorded.
struct Attempt {
    method: Method,
    path: String,
    user: Option<String>,
}

impl RejectionLog {
    pub(super) fn new(handler: Rc<dyn Handler>, file: FileChangeLog, store: Store) -> Self {
        Self { handler, log: Rc::new(Log { file, store }) }
    }
}

impl Attempt {
    /// A request that would change something; reads are not recorded.
    fn of(request: &Request<Vec<u8>>) -> Option<Self> {
        let is_write = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
        is_write.then(|| Self {
            method: request.method().clone(),
            path: request.uri().path().to_owned(),
            user: request.extensions().get::<Caller>().map(|it| it.user.to_string()),
        })
    }
}

impl Log {
    fn record(&self, attempt: &Attempt, status: http::StatusCode, body: &[u8]) {
        if !status.is_client_error() {
            return;
        }
        let problem: Json = serde_json::from_slice(body).unwrap_or_default();
        let mut line = json!({
            "change": "rejected", "method": attempt.method.as_str(), "path": attempt.path,
            "status": status.as_u16(), "code": problem["code"], "time": self.time(),
        });
        if let Some(user) = &attempt.user {
            line["user"] = user.clone().into();
        }
        // The request is rejected all the same.
        drop(self.file.append(&line));
    }

    fn time(&self) -> String {
        let DateTime { year, month, day, hour, minute, second, millisecond } =
            DateTime::new(self.store.now());
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z")
    }
}

impl Handler for RejectionLog {
    fn access(&self, head: &Parts) -> Access {
        self.handler.access(head)
    }

    fn refuse(&self, head: &Parts) -> Option<Response<Vec<u8>>> {
        self.handler.refuse(head)
    }

    fn respond(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Body>> {
        let (attempt, log) = (Attempt::of(&request), self.log.clone());
        let response = self.handler.respond(request);
        Box::pin(async move {
            let response = response.await;
            if let (Some(attempt), Body::Whole(body)) = (&attempt, response.body()) {
                log.record(attempt, response.status(), body);
            }
            response
        })
    }

    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        let (attempt, log) = (Attempt::of(&request), self.log.clone());
        let response = self.handler.handle(request);
        Box::pin(async move {
            let response = response.await;
            if let Some(attempt) = &attempt {
                log.record(attempt, response.status(), response.body());
            }
            response
        })
    }
}
