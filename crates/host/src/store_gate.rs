use std::{
    fmt,
    future::ready,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
    time::Instant,
};

use api::Problem;
use futures_core::Stream;
use http::{Request, Response, request::Parts};
use protocol::LocalFuture;
use tokio::sync::watch;

use crate::{Access, Body, Handler};

/// A gate for requests for the content of a store. It is open at first; clones are the same gate.
#[derive(Clone, Debug, Default)]
pub struct StoreGate(Rc<watch::Sender<Status>>);

#[derive(Debug, Default)]
struct Status {
    /// The reason why it is shut.
    shut: Option<String>,
    /// The time at which it shuts by itself, and the reason.
    until: Option<(Instant, String)>,
}

impl StoreGate {
    /// Answers requests from now on, until that time; afterwards they are refused with the reason, one line for people.
    pub fn open_until(&self, time: Instant, why: &str) {
        self.0.send_replace(Status { shut: None, until: Some((time, why.to_owned())) });
    }

    /// Refuses requests from now on, with the reason, one line for people. Streams that were begun end.
    pub fn shut(&self, why: &str) {
        self.0.send_replace(Status { shut: Some(why.to_owned()), until: None });
    }

    /// The reason why requests are refused; `None` if they are answered.
    pub fn reason(&self) -> Option<String> {
        let status = self.0.borrow();
        let late = status.until.as_ref().filter(|(time, _)| Instant::now() >= *time);
        status.shut.clone().or_else(|| late.map(|(_, why)| why.clone()))
    }

    /// A handler that is behind this gate: while it is shut, each request gets 503.
    pub fn protect(&self, handler: Rc<dyn Handler>) -> GatedHandler {
        GatedHandler { gate: self.clone(), handler }
    }

    fn refusal(&self) -> Option<Response<Vec<u8>>> {
        self.reason().map(|why| Problem::unavailable(why).response())
    }

    /// The body, which ends when this gate is shut.
    fn limit(&self, body: Body) -> Body {
        let Body::Stream(parts) = body else { return body };
        let mut status = self.0.subscribe();
        let shut = async move {
            // The gate lives at least as long as the handler behind it; without it, nothing shuts it.
            drop(status.wait_for(|it| it.shut.is_some()).await);
        };
        Body::Stream(Box::pin(Limited { parts, shut: Box::pin(shut) }))
    }
}

/// The parts of a response until a gate is shut.
struct Limited {
    parts: Pin<Box<dyn Stream<Item = Vec<u8>>>>,
    shut: LocalFuture<()>,
}

impl Stream for Limited {
    type Item = Vec<u8>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Vec<u8>>> {
        match self.shut.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(None),
            Poll::Pending => self.parts.as_mut().poll_next(context),
        }
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
        if let Some(refusal) = self.gate.refusal() {
            return Box::pin(ready(refusal.map(Body::Whole)));
        }
        let (gate, response) = (self.gate.clone(), self.handler.respond(request));
        Box::pin(async move { response.await.map(|body| gate.limit(body)) })
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::{FutureExt as _, StreamExt as _, stream};

    use super::*;

    #[test]
    fn it_shuts_by_itself() {
        let gate = StoreGate::default();
        assert_eq!(gate.reason(), None);
        gate.open_until(Instant::now() + Duration::from_secs(60), "late");
        assert_eq!(gate.reason(), None);
        gate.open_until(Instant::now(), "late");
        assert_eq!(gate.reason().as_deref(), Some("late"));
        gate.shut("shut");
        assert_eq!(gate.reason().as_deref(), Some("shut"));
        gate.open_until(Instant::now() + Duration::from_secs(60), "late");
        assert_eq!(gate.reason(), None);
    }

    #[test]
    fn streams_end_when_it_is_shut() {
        let gate = StoreGate::default();
        let parts = stream::iter([vec![1]]).chain(stream::pending());
        let Body::Stream(mut parts) = gate.limit(Body::Stream(Box::pin(parts))) else { panic!("a stream") };
        assert_eq!(parts.next().now_or_never(), Some(Some(vec![1])));
        assert_eq!(parts.next().now_or_never(), None);
        gate.shut("shut");
        assert_eq!(parts.next().now_or_never(), Some(None));
    }
}
