//! Any request can be sent to an adapter's service.

use http::{Method, Request};
use protocol::receive;

pub(crate) fn run() {
    let seed = |text: &str| text.as_bytes().to_vec();
    let seeds = [
        seed("0/a/v1\n\n"),
        seed("0/a/v1/resources?deployment=l&page=2\nauthorization: Bearer x\n\n"),
        seed(
            "1/a/v1/resources/service/i\nidempotency-key: k\nadapter-protocol: 1\n\n{\"deployment\":\"l\",\"address\":\"services.a\",\"generation\":1,\"spec\":{}}",
        ),
        seed("2/a/v1/resources/service/i\nif-match: \"e\"\n\n{\"deployment\":\"l\",\"spec\":{\"a\":[1]}}"),
        seed("3/a/v1/resources/service/i%2F\nidempotency-key: k\n\n"),
        seed("4/a/v1/resources:batchRead\n\n{\"ids\":[{\"kind\":\"service\",\"id\":\"i\"}]}"),
        seed("0/a/v1/operations/o\nprefer: wait=20\n\n"),
    ];
    crate::fuzz("requests", check, &seeds, WORDS);
}

/// A digit for the method, path, lines of headers, an empty line, the body.
fn check(input: &[u8]) {
    let Some((method, rest)) = input.split_first() else { return };
    let methods = [Method::GET, Method::PUT, Method::PATCH, Method::DELETE, Method::POST, Method::OPTIONS];
    let end = rest.windows(2).position(|it| it == b"\n\n").unwrap_or(rest.len());
    let (head, body) = rest.split_at(end);
    let head = String::from_utf8_lossy(head).into_owned();
    let mut lines = head.lines();
    let method = methods[usize::from(method.wrapping_sub(b'0')) % methods.len()].clone();
    let mut request = Request::builder().method(method).uri(lines.next().unwrap_or_default());
    for (name, value) in lines.filter_map(|it| it.split_once(": ")) {
        request = request.header(name, value);
    }
    let Ok(request) = request.body(body.get(2..).unwrap_or_default().to_vec()) else { return };
    match receive("/a", &request) {
        Ok(received) => assert!(!format!("{received:?}").is_empty()),
        Err(problem) => assert!((400..600).contains(&problem.status), "{problem:?}"),
    }
}

const WORDS: &[&str] = &[
    "/v1/resources/",
    "/v1/operations/",
    ":batchRead",
    "?deployment=",
    "&page=",
    "%2F",
    "%00",
    "%ff",
    "idempotency-key: ",
    "if-match: ",
    "prefer: wait=",
    "authorization: Bearer ",
    "adapter-protocol: ",
    "\n\n",
    "{\"ids\":[",
    "\"spec\":{",
];
