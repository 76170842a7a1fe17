//! Authentication of requests, and the headers of responses.

use http::{HeaderValue, Request, Response, header};
use protocol::{Answer, Call, Code, IDEMPOTENCY_REPLAYED, MAX_BODY, Problem, bearer, receive};

/// The call of a request, if the caller is authorized. An unauthorized caller receives no information on
/// other errors.
pub(super) fn call(base: &str, token: Option<&str>, request: &Request<Vec<u8>>) -> Result<Call, Problem> {
    if let Some(token) = token {
        let given = bearer(request.headers()).unwrap_or_default();
        if !same(token.as_bytes(), given.as_bytes()) {
            return Err(Problem::new(Code::Unauthorized, "the bearer token is missing or wrong"));
        }
    }
    receive(base, request).map(|received| received.call)
}

/// Compares in a time that depends on the lengths only.
fn same(right: &[u8], given: &[u8]) -> bool {
    let longest = right.len().max(given.len());
    let byte = |bytes: &[u8], at: usize| bytes.get(at).copied().unwrap_or_default();
    let differing = (0..longest).fold(0, |all, at| all | (byte(right, at) ^ byte(given, at)));
    std::hint::black_box(differing) == 0 && right.len() == given.len()
}

/// The HTTP response for an answer.
pub(super) fn response(base: &str, answer: Answer) -> Response<Vec<u8>> {
    let location = match &answer {
        Answer::Accepted(operation) => {
            HeaderValue::from_str(&format!("{base}/v1/operations/{}", operation.op)).ok()
        }
        _ => None,
    };
    let mut response = answer.into_response();
    if response.body().len() > MAX_BODY {
        let problem = Problem::new(Code::TooLarge, "the response would be too long; request less at a time");
        response = Answer::from(problem).into_response();
    }
    let unauthorized = response.status().as_u16() == Code::Unauthorized.status();
    let headers = response.headers_mut();
    if unauthorized {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(location) = location {
        headers.insert(header::LOCATION, location);
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

/// The same response, marked as a replay.
pub(super) fn replayed(mut response: Response<Vec<u8>>) -> Response<Vec<u8>> {
    response.headers_mut().insert(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
    response
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn only_the_whole_token_is_the_token() {
        assert!(same(b"secret", b"secret"));
        for given in ["", "secre", "secret\0", "secrets", "Secret"] {
            assert!(!same(b"secret", given.as_bytes()), "{given}");
        }
        assert!(!same(b"", b"\0"));
    }
}
