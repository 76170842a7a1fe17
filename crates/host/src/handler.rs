use http::{Request, Response, request::Parts};
use protocol::{Answer, LocalFuture, PROTOCOL_HEADER, Problem};

/// What the head of a request shows of who asks, and what may be taken from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Whether a token was shown, or none is wanted. Others have few connections, and get small answers.
    pub authenticated: bool,
    /// The longest body, where it is not the server's [usual](crate::Limits::body_bytes).
    pub body_bytes: Option<usize>,
}

impl Access {
    /// Everybody may ask.
    pub const OPEN: Self = Self { authenticated: true, body_bytes: None };
    /// No token was shown.
    pub const STRANGER: Self = Self { authenticated: false, body_bytes: None };
}

/// Answers requests that were read whole.
///
/// Its future is dropped where the caller leaves before it is ready, so what must not be left half done has to go on
/// somewhere else. Any `Fn(Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>>` is one.
pub trait Handler {
    /// Who asks, by the head of a request.
    fn access(&self, _head: &Parts) -> Access {
        Access::OPEN
    }

    /// What to answer a request with this head before its body is read; `None` to have it read and
    /// [handled](Self::handle). For who may not ask: their bodies would only cost.
    fn refuse(&self, _head: &Parts) -> Option<Response<Vec<u8>>> {
        None
    }

    /// Answers one request. A [`Fault`](crate::Fault) among the answer's extensions makes the server misbehave; a
    /// [`Shared`](crate::Shared) body is sent in place of the answer's own.
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

/// A problem as an answer of the server itself, not of an adapter behind it.
pub(crate) fn refusal(problem: Problem) -> Response<Vec<u8>> {
    let mut response = Answer::from(problem).into_response();
    response.headers_mut().remove(PROTOCOL_HEADER);
    response
}
