//! Requests that a served API rejects, in its audit log.

use std::rc::Rc;

use ::store::{DateTime, Store};
use api::{Api, Caller};
use host::{Access, Body, FileChangeLog, Handler};
use http::{Method, Request, Response, request::Parts};
use protocol::LocalFuture;
use serde_json::{Value as Json, json};

/// A handler that appends rejected writes to the log of changes: those that are answered with a status of 4xx. The
/// method in the specification determines if a request would write: watches and other reads may be a `POST`. Requests
/// without a known token do not reach it.
pub(super) struct RejectionLog {
    handler: Rc<dyn Handler>,
    api: Rc<Api>,
    log: Rc<Log>,
}

struct Log {
    file: FileChangeLog,
    /// The store, whose clock dates the recorded changes.
    store: Store,
}

/// The recorded parts of a request.
struct Attempt {
    method: Method,
    path: String,
    user: Option<String>,
}

impl RejectionLog {
    pub(super) fn new(handler: Rc<dyn Handler>, api: Rc<Api>, file: FileChangeLog) -> Self {
        let store = api.transactions().store().clone();
        Self { handler, api, log: Rc::new(Log { file, store }) }
    }

    /// A request, and the parts of it that are recorded if it is rejected.
    fn attempt(&self, request: Request<Vec<u8>>) -> (Option<Attempt>, Request<Vec<u8>>) {
        let (head, body) = request.into_parts();
        let attempt = (!self.api.only_reads(&head)).then(|| Attempt::of(&head));
        (attempt, Request::from_parts(head, body))
    }
}

impl Attempt {
    fn of(head: &Parts) -> Self {
        Self {
            method: head.method.clone(),
            path: head.uri.path().to_owned(),
            user: head.extensions.get::<Caller>().map(|it| it.user.to_string()),
        }
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
        let ((attempt, request), log) = (self.attempt(request), self.log.clone());
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
        let ((attempt, request), log) = (self.attempt(request), self.log.clone());
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
