//! Any bytes can be what an adapter answers to any call.

use http::Response;
use protocol::{Call, ResourceId, read_reply};

pub(crate) fn run() {
    let seed = |status: u8, call: u8, body: &str| [&[status, call], body.as_bytes()].concat();
    let seeds = [
        seed(
            0,
            0,
            r#"{"name":"x","version":"1","protocol":1,"instance":"i","features":["list"],"types":{"service":null}}"#,
        ),
        seed(0, 1, RESOURCE),
        seed(1, 2, RESOURCE),
        seed(2, 3, r#"{"op":"o","state":"running","progress":{"message":"half","fraction":0.5}}"#),
        seed(0, 4, &format!(r#"{{"items":[{RESOURCE}],"missing":[]}}"#)),
        seed(0, 5, &format!(r#"{{"items":[{RESOURCE}],"next":"p"}}"#)),
        seed(
            9,
            2,
            r#"{"type":"about:blank","title":"no","status":422,"code":"invalid_spec","retryable":false,"violations":[{"pointer":"/payload","detail":"d"}]}"#,
        ),
    ];
    crate::fuzz("replies", check, &seeds, WORDS);
}

const RESOURCE: &str = r#"{"kind":"service","id":"i","deployment":"l","address":"services.a","generation":1,"phase":"active","identity":{},"spec":{},"outputs":{"a":1},"hash":"h"}"#;
const STATUS: [u16; 16] = [200, 201, 202, 204, 299, 301, 400, 401, 404, 422, 409, 410, 412, 429, 500, 503];

fn check(input: &[u8]) {
    let [status, call, body @ ..] = input else { return };
    let id = || ResourceId { kind: "service".into(), id: "i".into() };
    let call = match call % 6 {
        0 => Call::Describe,
        1 => Call::Read(id()),
        2 => Call::Cancel { op: "o".into() },
        3 => Call::Operation { op: "o".into(), wait: None },
        4 => Call::BatchRead(vec![id()]),
        _ => Call::List { deployment: "l".into(), page: None },
    };
    let head = String::from_utf8_lossy(body.get(..30).unwrap_or(body)).into_owned();
    let mut response = Response::builder().status(STATUS[usize::from(*status) % STATUS.len()]);
    for name in ["etag", "retry-after", "location"] {
        response = response.header(name, head.chars().filter(|it| !it.is_control()).collect::<String>());
    }
    let Ok(response) = response.body(body.to_vec()) else { return };
    let reply = format!("{:?}", read_reply(&call, Ok(response)));
    assert!(!reply.is_empty());
}

const WORDS: &[&str] = &[
    "\"kind\":",
    "\"id\":",
    "\"phase\":\"pending\"",
    "\"items\":[",
    "\"missing\":[",
    "\"next\":\"",
    "\"op\":\"",
    "\"state\":\"",
    "\"violations\":[",
    "\"pointer\":\"",
    "\"retryable\":true",
    "\"code\":\"",
    "\\u001b[31m",
    "\\u202e",
    "1e999",
    "\"types\":{",
    "\"features\":[",
    "\"progress\":{",
];
