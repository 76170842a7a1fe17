//! An adapter some of whose answers are others than it gives.

use std::{cell::RefCell, rc::Rc};

use http::Response;
use planloom_workspace::{
    PlanOptions,
    engine::{ApplyOptions, Connection, EngineError, Event, Report, Route},
};
use protocol::{Call, Caller, LocalFuture, Problem, Transport, TransportError, receive};
use serde_json::{Value as Json, json};

use crate::environment::{Environment, Worker, deployment};

/// A replacement of the answer of the adapter, computed from the call and that answer.
type Says = Box<dyn Fn(&Call, Json) -> Result<(u16, Json), TransportError>>;

/// One call whose answer is another.
pub(crate) struct Line {
    call: &'static str,
    is_done: bool,
    says: Says,
}

/// The call is not carried out, and this is said.
pub(crate) fn instead(
    call: &'static str,
    says: impl Fn(&Call, Json) -> Result<(u16, Json), TransportError> + 'static,
) -> Line {
    Line { call, is_done: false, says: Box::new(says) }
}

/// The call is carried out, and this is said.
pub(crate) fn after(
    call: &'static str,
    says: impl Fn(&Call, Json) -> Result<(u16, Json), TransportError> + 'static,
) -> Line {
    Line { call, is_done: true, says: Box::new(says) }
}

/// A problem as an answer.
pub(crate) fn says(problem: Problem) -> impl Fn(&Call, Json) -> Result<(u16, Json), TransportError> {
    move |_, _| Ok((problem.status, serde_json::to_value(&problem).expect("JSON")))
}

/// No answer.
pub(crate) fn lost(lost: TransportError) -> impl Fn(&Call, Json) -> Result<(u16, Json), TransportError> {
    move |_, _| Err(lost.clone())
}

/// A site and the adapter in it whose answers are scripted.
pub(crate) struct Script {
    pub(crate) site: Environment,
    lines: Rc<RefCell<Vec<Line>>>,
    calls: Rc<RefCell<Vec<&'static str>>>,
}

impl Script {
    pub(crate) fn new(site: Environment) -> Self {
        Self { site, lines: Rc::default(), calls: Rc::default() }
    }

    /// The same with these lines, having asked for nothing yet. Each counts once, for the first call of its name.
    pub(crate) fn with(self, lines: Vec<Line>) -> Self {
        self.calls.borrow_mut().clear();
        self.lines.replace(lines);
        self
    }

    /// The calls that were sent, without those that read the adapter's description and its resources.
    pub(crate) fn writes(&self) -> Vec<&'static str> {
        let calls = self.calls.borrow();
        calls.iter().filter(|it| !matches!(**it, "describe" | "list" | "batch_read")).copied().collect()
    }

    /// The number of such calls that were sent.
    pub(crate) fn count(&self, call: &str) -> usize {
        self.calls.borrow().iter().filter(|it| **it == call).count()
    }

    pub(crate) fn route(&self, kind: Option<&str>, name: &str, port: u16) -> Route {
        let caller = Caller::new(&format!("http://127.0.0.1:{port}"), None).expect("an address");
        let transport: Rc<dyn Transport> = Rc::new(Scripted {
            inner: self.site.transport(),
            lines: self.lines.clone(),
            calls: self.calls.clone(),
        });
        let connection = Connection { name: name.into(), transport, caller, credentials: None };
        Route { kind: kind.map(Into::into), connection }
    }

    pub(crate) fn worker(&self, yaml: &str, destroy: bool) -> Worker {
        let planner = deployment(yaml, &PlanOptions { destroy, ..PlanOptions::default() });
        let backend = Rc::new(self.site.backend.clone());
        self.site.worker_with(planner, backend, vec![self.route(None, "simulator", 1)])
    }

    pub(crate) fn apply(&self, yaml: &str) -> Result<Report, EngineError> {
        let worker = self.worker(yaml, false);
        let done = self.site.drive(&worker, "apply", ApplyOptions::default());
        let unknown = |it: &Event| matches!(it, Event::Unauthorized { .. });
        assert!(!worker.events.borrow().iter().any(unknown), "nobody was asked for a token");
        done
    }

    pub(crate) fn destroy(&self, yaml: &str) -> Result<Report, EngineError> {
        self.site.drive(&self.worker(yaml, true), "destroy", ApplyOptions::default())
    }
}

struct Scripted {
    inner: Rc<dyn Transport>,
    lines: Rc<RefCell<Vec<Line>>>,
    calls: Rc<RefCell<Vec<&'static str>>>,
}

impl Transport for Scripted {
    fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        let call = receive("", &request).expect("a call of the protocol").call;
        let name = call.endpoint().as_str();
        self.calls.borrow_mut().push(name);
        let mut lines = self.lines.borrow_mut();
        let line = lines.iter().position(|it| it.call == name).map(|at| lines.remove(at));
        let inner = self.inner.clone();
        Box::pin(async move {
            let Some(line) = line else { return inner.send(request).await };
            let answer = if line.is_done { inner.send(request).await?.into_body() } else { Vec::new() };
            let (status, body) = (line.says)(&call, serde_json::from_slice(&answer).unwrap_or_default())?;
            let builder = Response::builder().status(status).header("content-type", "application/json");
            Ok(builder.body(body.to_string().into_bytes()).expect("an answer"))
        })
    }
}

/// The operation of a call as the adapter reports it, extended with `more`.
pub(crate) fn operation(call: &Call, more: Json) -> Json {
    let id = call.resource().expect("a resource");
    let verb = call.verb().map_or("", protocol::Verb::as_str);
    let mut operation = json!({"op": "o", "verb": verb, "kind": id.kind, "id": id.id, "done": false});
    operation.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    operation
}
