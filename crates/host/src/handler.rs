use http::{Request, Response, request::Parts};
use protocol::{Answer, LocalFuture, PROTOCOL_HEADER, Problem};

/// Answers requests that were read whole.
///
/// Its future is dropped where the caller leaves before it is ready, so what must not be left half done has to go on
/// somewhere else. Any `Fn(Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>>` is one.
pub trait Handler {
    /// What to answer a request with this head before its body is read; `None` to have it read and
    /// [handled](Self::handle). For who may not ask: their bodies would only cost.
    fn refuse(&self, _head: &Parts) -> Option<Response<Vec<u8>>> {
        None
    }

    /// Answers one request. A [`Fault`](crate::Fault) among the answer's extensions makes the server misbehave.
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
