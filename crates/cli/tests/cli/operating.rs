//! What those who operate a server see of it: its health, and its metrics.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use serde_json::{Value as Json, json};

use crate::{
    run::Folder,
    serve::TOKEN,
    server::{Server, free_port},
};

const SHELVES: &str = "name: shelves.example.com
proto: {package: {name: example.shelves, currentVersion: v1}}
resources:
- name: Shelf
  plural: Shelves
";

const NOTHING: &Json = &Json::Null;

fn folder() -> Folder {
    Folder::new(&[("shelves.yaml", SHELVES)]).variable("PLANLOOM_TOKEN", TOKEN)
}

/// The status and the body of a response to a request with these lines in its head.
fn get(port: u16, path: &str, head: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n{head}\r\n")
        .expect("it is sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("a response");
    let status = text.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or_default();
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status, body.to_owned())
}

#[test]
fn a_server_counts_its_requests() {
    let folder = folder();
    let port = free_port();
    let words = format!("serve --service shelves.yaml --store s.db --port {port} --format json");
    let server = Server::start(&folder, words, port);
    server.expect("POST /v1/shelves", &json!({"name": "shelves/s1"}), 200);
    server.expect("GET /v1/shelves", NOTHING, 200);
    server.expect("GET /v1/shelves", NOTHING, 200);
    server.expect("GET /v1/shelves/no", NOTHING, 404);
    server.expect("GET /v1/elsewhere", NOTHING, 404);

    assert_eq!(get(port, "/metrics", "").0, 401);
    let (status, text) = get(port, "/metrics", &format!("Authorization: Bearer {TOKEN}\r\n"));
    assert_eq!(status, 200, "{text}");
    let of = |method: &str, code: u16| {
        format!(
            "planloom_requests_total{{service=\"shelves.example.com\",method=\"{method}\",code=\"{code}\"}}"
        )
    };
    for (series, count) in [
        (of("CreateShelf", 200), 1),
        (of("ListShelves", 200), 2),
        (of("GetShelf", 404), 1),
        ("planloom_requests_total{service=\"\",method=\"\",code=\"404\"}".to_owned(), 1),
        ("planloom_requests_in_progress".to_owned(), 0),
        ("planloom_store_revision".to_owned(), 2),
    ] {
        assert!(text.lines().any(|it| it == format!("{series} {count}")), "{series} {count}:\n{text}");
    }
    let buckets = "planloom_request_duration_seconds_bucket{le=\"+Inf\",service=\"shelves.example.com\",method=\"ListShelves\"} 2";
    assert!(text.lines().any(|it| it == buckets), "{text}");
    assert!(text.ends_with("# EOF\n"), "{text}");
}

#[test]
fn a_server_is_ready_when_it_is_registered() {
    let folder = folder();
    let (registry, port) = (free_port(), free_port());
    let words = format!(
        "serve --service shelves.yaml --store s.db --registry http://127.0.0.1:{registry} --region eu --port {port} --format json"
    );
    let server = Server::begin(&folder, words, port);
    server.expect_until("GET /readyz", NOTHING, |status, it| {
        status == 503 && it["detail"].as_str().is_some_and(|it| it.contains("cannot be reached"))
    });
    assert_eq!(get(port, "/livez", ""), (200, "{\"status\":\"ok\"}".to_owned()));
    let words = format!("serve --serve-registry eu --store r.db --port {registry} --format json");
    let _registry = Server::start(&folder, words, registry);
    server.expect_soon("GET /readyz", NOTHING, 200);
    assert_eq!(get(port, "/readyz", ""), (200, "{\"status\":\"ok\"}".to_owned()));
    assert_eq!(get(port, "/v1/shelves", "").0, 401);
}
