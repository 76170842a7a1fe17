use std::{cell::RefCell, fmt, future::ready, rc::Rc};

use api::Problem;
use http::{Request, Response, request::Parts};
use protocol::LocalFuture;

use crate::{Access, Body, Handler};

/// Whether requests for what a store holds may be answered. It is open at first; clones are the same gate.
#[derive(Clone, Debug, Default)]
pub struct StoreGate(Rc<RefCell<Option<String>>>);

impl StoreGate {
    /// Answers requests from now on.
    pub fn open(&self) {
        self.0.replace(None);
    }

    /// Refuses requests from now on, with the reason, one line for people.
    pub fn shut(&self, why: &str) {
        self.0.replace(Some(why.to_owned()));
    }

    /// Why requests are refused; `None` if they are answered.
    pub fn reason(&self) -> Option<String> {
        self.0.borrow().clone()
    }

    /// A handler that is behind this gate: while it is shut, each request gets 503.
    pub fn protect(&self, handler: Rc<dyn Handler>) -> GatedHandler {
        GatedHandler { gate: self.clone(), handler }
    }

    fn refusal(&self) -> Option<Response<Vec<u8>>> {
        self.reason().map(|why| Problem::unavailable(why).response())
    }
}

/// A handler behind a [`StoreGate`].
#[derive(Clone)]
pub struct GatedHandler {
    gate: StoreGate,
    handler: Rc<dyn Handler>,
}

impl Handler for GatedHandler {
    fn access(&self, head: &Parts) -> Access {
        self.handler.access(head)
    }

    fn refuse(&self, head: &Parts) -> Option<Response<Vec<u8>>> {
        self.handler.refuse(head)
    }

    fn respond(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Body>> {
        match self.gate.refusal() {
            Some(refusal) => Box::pin(ready(refusal.map(Body::Whole))),
            None => self.handler.respond(request),
        }
    }

    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        match self.gate.refusal() {
            Some(refusal) => Box::pin(ready(refusal)),
            None => self.handler.handle(request),
        }
    }
}

impl fmt::Debug for GatedHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GatedHandler").field("gate", &self.gate).finish_non_exhaustive()
    }
}
