//! A served API with users, an audit log, limits and a method that another server executes.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, Stdio},
    sync::mpsc,
    thread,
};

use serde_json::{Value as Json, json};

use crate::run::Folder;

const LIBRARY: &str = "name: library.example.com
proto: {package: {name: example.library, currentVersion: v1}}
resources:
- name: Publisher
- name: Book
  parents: [Publisher]
  fields:
  - {path: title, type: string}
  actions:
  - name: LendBook
    verb: lend
    withStoreHandle: {transaction: SNAPSHOT}
";
const POLICY: &str = "users:
- {name: alice, tokenVariable: ALICE_TOKEN}
- {name: bob, tokenSha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08}
bindings:
- {role: library-admin, members: [alice]}
- {role: library-viewer, members: [bob], scope: publishers/acme}
";
const ALICE: &str = "the token of alice";
/// Its digest is in the policy.
const BOB: &str = "test";

/// A served API; ends with the value.
struct Api {
    child: Child,
    said: Json,
}

impl Api {
    fn start(folder: &Folder, words: &str) -> Self {
        let mut command = folder.command(&format!("serve --service library.yaml --format json {words}"));
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("planloom");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        Self { child, said: serde_json::from_str(&line).expect("JSON") }
    }

    /// Status and body of the response.
    fn send(&self, token: &str, request: &str, body: &str) -> (u16, Json) {
        let address = self.said["origin"].as_str().expect("an origin").trim_start_matches("http://");
        let mut stream = TcpStream::connect(address).expect("it listens");
        let length = body.len();
        write!(
            stream,
            "{request} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("a response");
        let status = text.split(' ').nth(1).and_then(|it| it.parse().ok()).expect("a status");
        let body = text.split_once("\r\n\r\n").expect("a body").1;
        (status, serde_json::from_str(body).unwrap_or_default())
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn folder() -> Folder {
    Folder::new(&[("library.yaml", LIBRARY), ("access.yaml", POLICY)]).variable("ALICE_TOKEN", ALICE)
}

#[test]
fn users_do_what_their_roles_allow_and_the_audit_log_says_who_did_it() {
    let folder = folder();
    let api = Api::start(&folder, "--access-policy access.yaml --audit-log audit.jsonl");
    assert_eq!(api.said["token"], Json::Null, "users have their own");
    let create = "POST /v1/publishers";
    assert_eq!(api.send("stranger", create, "{}").0, 401);
    assert_eq!(api.send(BOB, create, r#"{"name": "publishers/acme"}"#).0, 403);
    assert_eq!(api.send(ALICE, create, r#"{"name": "publishers/acme"}"#).0, 200);
    let books = "POST /v1/publishers/acme/books";
    assert_eq!(api.send(ALICE, books, r#"{"name": "publishers/acme/books/one", "title": "One"}"#).0, 200);
    assert_eq!(api.send(BOB, "GET /v1/publishers/acme/books", "").1["books"][0]["title"], "One");
    assert_eq!(api.send(BOB, "GET /v1/publishers/-/books", "").0, 403);
    let (status, problem) = api.send(BOB, "DELETE /v1/publishers/acme/books/one", "");
    assert_eq!((status, &problem["code"]), (403, &json!("permission_denied")));
    assert_eq!(api.send(BOB, "GET /openapi.json", "").1["openapi"], "3.1.0");
    assert_eq!(api.send(ALICE, "DELETE /v1/publishers/acme/books/one", "").0, 200);
    let log = folder.read("audit.jsonl").expect("a log");
    let entries: Vec<Json> = log.lines().map(|it| serde_json::from_str(it).expect("JSON")).collect();
    let of = |it: &Json| json!([it["user"], it["change"], it["resource"]["name"]]);
    assert_eq!(
        entries.iter().map(of).collect::<Vec<_>>(),
        [
            json!(["alice", "creation", "publishers/acme"]),
            json!(["alice", "creation", "publishers/acme/books/one"]),
            json!(["alice", "deletion", "publishers/acme/books/one"]),
        ]
    );
    assert_eq!((&entries[2]["before"]["title"], &entries[2]["after"]), (&json!("One"), &Json::Null));
}

#[test]
fn mistakes_in_a_policy_are_shown_with_their_lines() {
    let wrong =
        POLICY.replace("library-viewer", "library-vewer").replace("publishers/acme", "publisher/acme");
    let folder = Folder::new(&[("library.yaml", LIBRARY), ("access.yaml", &wrong)]);
    let run = folder.run("serve --service library.yaml --access-policy access.yaml");
    assert_eq!(run.code, 1);
    for expected in [
        "error[access-policy/unknown-role]: there is no role `library-vewer`",
        "access.yaml:6",
        "error[access-policy/scope]: `publisher/acme` is not the name of a resource of the served services",
        "error[host/no-token]: the token of `alice` is not known: `ALICE_TOKEN` is not set",
    ] {
        assert!(run.err.contains(expected), "{expected}\n{}", run.err);
    }
    let absent = folder.run("serve --service library.yaml --access-policy none.yaml");
    assert!(absent.code == 1 && absent.err.contains("cannot read `none.yaml`"), "{}", absent.err);
}

#[test]
fn a_limit_stops_creation_and_nothing_else() {
    let api = Api::start(&folder().variable("PLANLOOM_TOKEN", "0123456789abcdef"), "--resource-limit Book=2");
    let send = |request: &str, body: &str| api.send("0123456789abcdef", request, body);
    assert_eq!(send("POST /v1/publishers", r#"{"name": "publishers/acme"}"#).0, 200);
    let create = |id: &str| {
        send("POST /v1/publishers/acme/books", &format!(r#"{{"name": "publishers/acme/books/{id}"}}"#))
    };
    assert_eq!((create("one").0, create("two").0), (200, 200));
    let (status, problem) = create("three");
    assert_eq!((status, &problem["code"]), (429, &json!("resource_exhausted")));
    assert_eq!(problem["detail"], "there may be 2 resources of `library.example.com/Book`");
    assert_eq!(send("PUT /v1/publishers/acme/books/one", r#"{"title": "Eins"}"#).0, 200);
    assert_eq!(send("DELETE /v1/publishers/acme/books/one", "").0, 200);
    assert_eq!(create("three").0, 200);
    let refused = folder().run("serve --service library.yaml --resource-limit Bok=2");
    assert!(refused.err.contains("error[host/limit]: there is no kind `Bok`"), "{}", refused.err);
}

/// A server that answers one request after the other, and says what they were.
fn other_server(responses: &'static [&'static str]) -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let origin = format!("http://{}", listener.local_addr().expect("an address"));
    let (sender, requests) = mpsc::channel();
    thread::spawn(move || {
        for response in responses {
            let (mut stream, _) = listener.accept().expect("a connection");
            let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
            let (mut text, mut length) = (String::new(), 0);
            while !text.ends_with("\r\n\r\n") {
                let start = text.len();
                reader.read_line(&mut text).expect("a line");
                let line = text[start..].to_ascii_lowercase();
                length = line
                    .strip_prefix("content-length: ")
                    .map_or(length, |it| it.trim().parse().expect("a number"));
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).expect("a body");
            text.push_str(&String::from_utf8(body).expect("UTF-8"));
            sender.send(text).expect("the test waits");
            stream.write_all(response.as_bytes()).expect("sent");
        }
    });
    (origin, requests)
}

#[test]
fn methods_that_a_specification_adds_are_executed_by_another_server() {
    let responses = &[
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Inner: 1\r\nContent-Length: 14\r\nConnection: close\r\n\r\n{\"due\": \"now\"}",
        "HTTP/1.1 409 Conflict\r\nContent-Type: application/problem+json\r\nContent-Length: 15\r\nConnection: close\r\n\r\n{\"status\": 409}",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\nConnection: close\r\n\r\n<hi>",
    ];
    let (origin, requests) = other_server(responses);
    let folder = folder();
    let hook = format!("--access-policy access.yaml --hook BookService/LendBook={origin}/lend");
    let api = Api::start(&folder, &hook);
    let lend = "POST /v1/publishers/acme/books/one:lend";
    assert_eq!(api.send(BOB, lend, "{}").0, 403, "the permission is checked before");
    assert_eq!(api.send(ALICE, lend, r#"{"days": 3}"#), (200, json!({"due": "now"})));
    let request = requests.recv().expect("a request").to_ascii_lowercase();
    assert!(request.starts_with("post /lend http/1.1\r\n"), "{request}");
    assert!(request.contains("\r\nx-forwarded-user: alice\r\n"), "{request}");
    assert!(!request.contains(ALICE), "tokens stay here: {request}");
    let body: Json = serde_json::from_str(request.split_once("\r\n\r\n").expect("a body").1).expect("JSON");
    assert_eq!(body, json!({"days": 3, "name": "publishers/acme/books/one"}));
    assert_eq!(api.send(ALICE, lend, "{}"), (409, json!({"status": 409})));
    assert_eq!(api.send(ALICE, lend, "{}").0, 502, "it answers with no JSON");
    assert_eq!(api.send(ALICE, lend, "{}").0, 502, "it does not answer any more");
    let refused = folder.run("serve --service library.yaml --hook BookService/Lend=http://localhost");
    assert!(
        refused.err.contains("there is no method `BookService/Lend` that needs a hook"),
        "{}",
        refused.err
    );
}
