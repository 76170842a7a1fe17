use std::{fmt, pin::Pin};

use futures_core::Stream;
use http::{Request, Response, request::Parts};
use protocol::{Answer, LocalFuture, PROTOCOL_HEADER, Problem};

/// The rights of a client, by the head of its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// True if a token was sent, or none is required. Other clients have few connections, and get small
    /// responses.
    pub authenticated: bool,
    /// The longest body, if it is not that of [the server](crate::Limits::body_bytes).
    pub body_bytes: Option<usize>,
}

impl Access {
    /// Access without a token.
    pub const OPEN: Self = Self { authenticated: true, body_bytes: None };
    /// Access of a client that has sent no token.
    pub const STRANGER: Self = Self { authenticated: false, body_bytes: None };
}

/// The body of a response.
pub enum Body {
    /// All of it.
    Whole(Vec<u8>),
    /// The future that makes it, with its maximum length, in bytes: there is room for that before it is made.
    Long(usize, LocalFuture<Vec<u8>>),
    /// Its parts, each of which is sent when it is there. It is dropped if the client disconnects; the server waits for its
    /// end when it stops.
    Stream(Pin<Box<dyn Stream<Item = Vec<u8>>>>),
}

impl Body {
    /// All of it; nothing of a body that comes in parts.
    pub(crate) async fn whole(self) -> Vec<u8> {
        match self {
            Self::Whole(body) => body,
            Self::Long(_, body) => body.await,
            Self::Stream(_) => Vec::new(),
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(body) => f.debug_tuple("Whole").field(&body.len()).finish(),
            Self::Long(length, _) => f.debug_tuple("Long").field(length).finish(),
            Self::Stream(_) => f.write_str("Stream"),
        }
    }
}

/// Responds to requests that were read completely.
///
/// Its future is dropped if the client disconnects before it is ready, so work that must not be interrupted
/// has to continue in a task of its own. Any `Fn(Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>>` is a
/// handler.
pub trait Handler {
    /// The rights of the client, by the head of its request.
    fn access(&self, _head: &Parts) -> Access {
        Access::OPEN
    }

    /// The response to a request with this head, before its body is read; `None` to read the body and
    /// [handle](Self::handle) the request. Used to refuse clients without reading their bodies.
    fn refuse(&self, _head: &Parts) -> Option<Response<Vec<u8>>> {
        None
    }

    /// Responds to one request, with a body that may come in parts; by default as [`handle`](Self::handle) does. The server
    /// calls this.
    fn respond(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Body>> {
        let response = self.handle(request);
        Box::pin(async move { response.await.map(Body::Whole) })
    }

    /// Responds to one request. A [`Fault`](crate::Fault) in the response's extensions makes the server
    /// misbehave; a [`Shared`](crate::Shared) body is sent in place of the response's own.
    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>>;
}

impl<F> Handler for F
where
    F: Fn(Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>>,
{
    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        self(request)
    }
}

/// A problem as a response of the server itself, not of an adapter behind it.
pub(crate) fn refusal(problem: Problem) -> Response<Vec<u8>> {
    let mut response = Answer::from(problem).into_response();
    response.headers_mut().remove(PROTOCOL_HEADER);
    response
}
