//! A served API with users, an audit log, limits and a method that another server executes.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
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
pub(crate) struct Api {
    child: Child,
    pub(crate) said: Json,
}

impl Api {
    pub(crate) fn start(folder: &Folder, words: &str) -> Self {
        Self::of(
            folder.command(&format!("serve --service library.yaml --format json {words}")),
            Stdio::null(),
        )
    }

    /// The same, and what it says to people before it serves.
    fn start_and_listen(folder: &Folder, words: &str) -> (Self, String) {
        let said = File::create(folder.path("said.txt")).expect("a file");
        let command = folder.command(&format!("serve --service library.yaml --format json {words}"));
        let api = Self::of(command, said.into());
        let start = Instant::now();
        loop {
            let said = folder.read("said.txt").expect("a file");
            if said.contains("Ctrl-C stops it") {
                return (api, said.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            assert!(start.elapsed() < Duration::from_secs(20), "{said}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn of(mut command: Command, err: Stdio) -> Self {
        let mut child = command.stdin(Stdio::null()).stderr(err).spawn().expect("planloom");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        Self { child, said: serde_json::from_str(&line).expect("JSON") }
    }

    /// Status and body of the response.
    pub(crate) fn send(&self, token: &str, request: &str, body: &str) -> (u16, Json) {
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

/// The status of a response to a request that names another host than the address it is sent to.
fn status_for_host(address: &str, token: &str, host: &str) -> u16 {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let request = format!(
        "GET /v1/publishers HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).expect("sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("a response");
    text.split(' ').nth(1).and_then(|it| it.parse().ok()).expect("a status")
}

#[test]
fn it_is_served_at_another_address_on_request_and_then_under_any_name() {
    let folder = folder();
    let token = "a-token-of-16-letters-or-more";
    let folder = folder.variable("PLANLOOM_TOKEN", token);
    let everywhere = Api::start(&folder, "--host 0.0.0.0");
    let origin = everywhere.said["origin"].as_str().expect("an origin").to_owned();
    let port = origin.strip_prefix("http://0.0.0.0:").expect("it says where");
    let here = format!("127.0.0.1:{port}");
    assert_eq!(status_for_host(&here, token, "library.example"), 200);
    assert_eq!(status_for_host(&here, "another", "library.example"), 401);
    let only_here = Api::start(&folder, "");
    let origin = only_here.said["origin"].as_str().expect("an origin").to_owned();
    assert_ne!(status_for_host(origin.trim_start_matches("http://"), token, "library.example"), 200);
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
    let (rejected, entries): (Vec<Json>, Vec<Json>) =
        entries.into_iter().partition(|it| it["change"] == "rejected");
    let of = |it: &Json| json!([it["user"], it["method"], it["path"], it["status"], it["code"]]);
    assert_eq!(
        rejected.iter().map(of).collect::<Vec<_>>(),
        [
            json!(["bob", "POST", "/v1/publishers", 403, "permission_denied"]),
            json!(["bob", "DELETE", "/v1/publishers/acme/books/one", 403, "permission_denied"]),
        ]
    );
    assert!(rejected[0]["time"].is_string(), "{rejected:?}");
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
fn the_audit_log_has_rejected_writes_and_no_reads_whatever_their_method_of_http_is() {
    let actions = "  - {name: CountPages, verb: count, withStoreHandle: {transaction: NONE, readOnly: true}}
  - {name: TouchBook, verb: touch, withStoreHandle: {transaction: SNAPSHOT}, grpcTranscoding: {httpMethod: get}}
";
    let library = LIBRARY.to_owned() + actions;
    let folder =
        Folder::new(&[("library.yaml", &library), ("access.yaml", POLICY)]).variable("ALICE_TOKEN", ALICE);
    let api = Api::start(&folder, "--access-policy access.yaml --audit-log audit.jsonl");
    let recorded = || folder.read("audit.jsonl").expect("a log").lines().count();
    for (request, body, status, is_recorded) in [
        ("GET /v1/publishers", "", 403, false),
        ("GET /v1/publishers/acme/books?filter=none%3D1", "", 400, false),
        ("GET /v1/publishers/acme/books/none", "", 404, false),
        ("GET /v1/none", "", 404, false),
        // Reads by POST.
        ("POST /v1/publishers:watch", "", 403, false),
        ("POST /v1/publishers/acme/books:watch", r#"{"filter": "="}"#, 400, false),
        ("POST /v1/publishers/acme/books/none:watch", "", 404, false),
        ("POST /v1/publishers/acme/books/one:count", "[]", 400, false),
        ("POST /v1/publishers/other/books/one:count", "{}", 403, false),
        // Writes, also by GET.
        ("GET /v1/publishers/acme/books/one:touch", "", 403, true),
        ("POST /v1/publishers/acme/books/one:lend", "{}", 403, true),
        ("POST /v1/publishers/acme/books", "{}", 403, true),
        ("PUT /v1/publishers/acme/books/one", "[]", 403, true),
        ("DELETE /v1/publishers/acme/books/one", "", 403, true),
        // What has no method.
        ("PATCH /v1/publishers/acme", "{}", 405, true),
        ("POST /v1/none", "{}", 404, true),
    ] {
        let before = recorded();
        let (found, problem) = api.send(BOB, request, body);
        assert_eq!(found, status, "{request} {body}: {problem}");
        assert_eq!(recorded() - before, usize::from(is_recorded), "{request} {body}: {problem}");
    }
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
    let same =
        Folder::new(&[("library.yaml", LIBRARY), ("access.yaml", POLICY)]).variable("ALICE_TOKEN", BOB);
    let run = same.run("serve --service library.yaml --access-policy access.yaml");
    let expected = "error[host/duplicate]: the user `alice` has the same token in `ALICE_TOKEN` as `bob`";
    assert!(run.code == 1 && run.err.contains(expected), "{}", run.err);
    let absent = folder.run("serve --service library.yaml --access-policy none.yaml");
    assert!(absent.code == 1 && absent.err.contains("cannot read `none.yaml`"), "{}", absent.err);
}

#[test]
fn two_versions_are_served_over_the_same_resources() {
    let newer =
        LIBRARY.replace("v1", "v2").replace("  actions:", "  - {path: subtitle, type: string}\n  actions:");
    let files = [("v1.yaml", LIBRARY), ("v2.yaml", &newer), ("access.yaml", POLICY)];
    let folder = Folder::new(&files).variable("ALICE_TOKEN", ALICE);
    let serve = "serve --service v1.yaml --service v2.yaml";
    let more = "--format json --access-policy access.yaml --resource-limit Book=1";
    let api = Api::of(folder.command(&format!("{serve} {more}")), Stdio::null());
    assert_eq!(api.said["services"], json!(["library.example.com v1", "library.example.com v2"]));
    let acme = r#"{"name": "publishers/acme"}"#;
    assert_eq!(api.send(ALICE, "POST /v1/publishers", acme).0, 200);
    let book = r#"{"name": "publishers/acme/books/one", "title": "One", "subtitle": "Sub"}"#;
    assert_eq!(api.send(ALICE, "POST /v2/publishers/acme/books", book).0, 200);
    let renamed = api.send(ALICE, "PUT /v1/publishers/acme/books/one", r#"{"title": "Uno"}"#).1;
    assert_eq!((&renamed["title"], &renamed["subtitle"]), (&json!("Uno"), &Json::Null));
    let found = api.send(BOB, "GET /v2/publishers/acme/books/one", "").1;
    assert_eq!((&found["title"], &found["subtitle"]), (&json!("Uno"), &json!("Sub")));
    // Limits and roles are those of both.
    assert_eq!(api.send(ALICE, "POST /v1/publishers/acme/books", r#"{"title": "Two"}"#).0, 429);
    for version in ["v1", "v2"] {
        assert_eq!(api.send(BOB, &format!("GET /{version}/publishers/acme/books"), "").0, 200);
        assert_eq!(api.send(BOB, &format!("PUT /{version}/publishers/acme/books/one"), "{}").0, 403);
        let document = api.send(BOB, &format!("GET /openapi/library.example.com/{version}.json"), "").1;
        assert!(document["paths"][format!("/{version}/publishers")].is_object(), "{version}");
    }
    drop(api);
    folder.write("v2.yaml", newer.replace("title, type: string", "title, type: int32").as_bytes());
    let refused = folder.run(serve);
    let expected = "error[host/service]: v1 and v2 of `library.example.com` cannot be served together: `Book.title` is string in \
                    v1 and int32 in v2";
    assert!(refused.code == 1 && words(&refused.err).contains(expected), "{}", refused.err);
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
pub(crate) fn other_server(responses: &'static [&'static str]) -> (String, mpsc::Receiver<String>) {
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
        "HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
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
    let (status, problem) = api.send(ALICE, lend, "{}");
    let detail = "the server that executes `BookService/LendBook` has answered with status 302 Found, which is not followed: \
                  name the address itself with `--hook`";
    assert_eq!((status, &problem["detail"]), (502, &json!(detail)));
    assert_eq!(api.send(ALICE, lend, "{}").0, 502, "it does not answer any more");
    let free = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port");
    let hook = format!("--access-policy access.yaml --hook BookService/LendBook=http://{free}/lend");
    let (status, problem) = Api::start(&folder, &hook).send(ALICE, lend, "{}");
    let detail = problem["detail"].as_str().unwrap_or_default();
    let expected = "the server that executes `BookService/LendBook` could not be reached: Connection refused";
    assert!(status == 502 && detail.starts_with(expected), "{problem}");
    let refused = folder.run("serve --service library.yaml --hook BookService/Lend=http://localhost");
    assert!(
        refused.err.contains("there is no method `BookService/Lend` that needs a hook"),
        "{}",
        refused.err
    );
}

#[test]
fn the_openapi_document_is_at_its_path_only_and_describes_previews() {
    let token = "0123456789abcdef";
    let api = Api::start(&folder().variable("PLANLOOM_TOKEN", token), "");
    for path in ["/openapi.json", "/openapi/library.example.com/v1.json"] {
        let (status, document) = api.send(token, &format!("GET {path}"), "");
        assert_eq!((status, &document["openapi"]), (200, &json!("3.1.0")), "{path}");
        for below in [format!("{path}/"), format!("{path}/x")] {
            let (status, problem) = api.send(token, &format!("GET {below}"), "");
            assert_eq!((status, &problem["code"]), (404, &json!("not_found")), "{below}: {problem}");
        }
    }
    assert_eq!(api.send(token, "POST /v1/publishers", r#"{"name": "publishers/acme"}"#).0, 200);
    assert_eq!(api.send(token, "POST /v1/publishers/acme/books", "{}").0, 200);
    let preview = api.send(token, "DELETE /v1/publishers/acme?validateOnly=true", "").1;
    let document = api.send(token, "GET /openapi.json", "").1;
    let deletion = &document["paths"]["/v1/publishers/{publisher}"]["delete"];
    let answer = &deletion["responses"]["200"]["content"]["application/json"]["schema"]["anyOf"];
    assert_eq!(answer[1]["$ref"], "#/components/schemas/deletion-preview", "{deletion}");
    let schema = &document["components"]["schemas"]["deletion-preview"];
    assert_eq!(misfit(schema, &preview), None, "{preview}");
    let steps = preview["waves"].as_array().expect("waves").len();
    assert!(steps > 0 && preview["graph"]["nodes"].as_array().is_some_and(|it| it.len() == 2), "{preview}");
}

/// The first place at which a value is not what a schema of objects, lists, texts and numbers says.
fn misfit(schema: &Json, value: &Json) -> Option<String> {
    let wrong = || Some(format!("{value} is not {schema}"));
    let types = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
    let is_of = |ty: &Json| match ty.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64(),
        Some("null") => value.is_null(),
        _ => schema["enum"].as_array().is_some_and(|it| it.contains(value)),
    };
    if !types.iter().any(is_of) {
        return wrong();
    }
    let Some(object) = value.as_object().filter(|_| schema.get("properties").is_some()) else {
        let items = value.as_array().into_iter().flatten();
        return items.into_iter().find_map(|it| misfit(&schema["items"], it));
    };
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
    if required.into_iter().any(|it| !object.contains_key(it)) {
        return wrong();
    }
    object.iter().find_map(|(name, it)| match schema["properties"].get(name) {
        Some(schema) => misfit(schema, it),
        None => Some(format!("there is no property `{name}`")),
    })
}

#[test]
fn the_start_says_which_settings_are_in_force() {
    let folder = folder().variable("PLANLOOM_TOKEN", "0123456789abcdef");
    let (_, said) = Api::start_and_listen(&folder, "");
    for expected in [
        "Access policy: none; who has the token may do everything",
        "Audit log: none; `--audit-log FILE` records who changes what",
        "Allowed origins: this server's own pages only; `--allow-origin ORIGIN` adds others",
        "Hooks: none; `--hook METHOD=ADDRESS` has another server execute a method",
        "Resource limits: none; `--resource-limit KIND=NUMBER` sets one",
    ] {
        assert!(said.contains(expected), "{expected}\n{said}");
    }
    let words = "--access-policy access.yaml --audit-log audit.jsonl --allow-origin https://docs.example \
                 --hook BookService/LendBook=http://127.0.0.1:9/lend --resource-limit Book=2 --resource-limit Publisher=1";
    let (_, said) = Api::start_and_listen(&folder, words);
    for expected in [
        "Access policy: access.yaml, 2 users, 2 bindings",
        "Audit log: audit.jsonl",
        "Allowed origins: this server's own pages, https://docs.example",
        "Hooks: BookService/LendBook=http://127.0.0.1:9/lend",
        "Resource limits: Book=2, Publisher=1",
    ] {
        assert!(said.contains(expected), "{expected}\n{said}");
    }
}

#[test]
fn a_short_token_is_refused() {
    let folder = folder().variable("ALICE_TOKEN", "äbcdé");
    let run = folder.run("serve --service library.yaml --access-policy access.yaml");
    let expected =
        "error[host/short-token]: the token of `alice` in `ALICE_TOKEN` has 5 characters, and can be guessed";
    assert!(run.code == 1 && run.err.contains(expected), "{}", run.err);
    assert!(run.err.contains("help: use at least 16 random ones"), "{}", run.err);
}

#[test]
fn what_a_specification_does_not_have_any_more_is_counted_and_kept() {
    let token = "0123456789abcdef";
    let folder = folder().variable("PLANLOOM_TOKEN", token);
    let write = |api: &Api, request: &str, name: &str| {
        assert_eq!(api.send(token, request, &format!(r#"{{"name": "{name}"}}"#)).0, 200, "{name}");
    };
    {
        let (api, said) = Api::start_and_listen(&folder, "--store kept.db");
        assert!(!said.contains("unreachable"), "{said}");
        for publisher in ["acme", "orbit", "p-2001"] {
            write(&api, "POST /v1/publishers", &format!("publishers/{publisher}"));
        }
        write(&api, "POST /v1/publishers/acme/books", "publishers/acme/books/one");
    }
    let (publishers, _) = LIBRARY.split_once("- name: Book").expect("a book");
    let newer = publishers.replace("- name: Publisher\n", "- name: Publisher\n  idPattern: 'p-[0-9]+'\n");
    folder.write("library.yaml", newer.as_bytes());
    {
        let (api, said) = Api::start_and_listen(&folder, "--store kept.db");
        for expected in [
            "warning[host/unreachable]: 1 stored resource of `library.example.com/Book` cannot be reached: no served \
             specification has the kind, as of `publishers/acme/books/one`; nothing is removed",
            "warning[host/unreachable]: 2 stored resources of `library.example.com/Publisher` cannot be reached: the patterns of \
             the specification do not allow the names, as of `publishers/acme`; nothing is removed",
            "help: serve the specification that has it with another `--service`",
        ] {
            assert!(said.contains(expected), "{expected}\n{said}");
        }
        assert_eq!(api.send(token, "GET /v1/publishers/p-2001", "").0, 200);
        assert_eq!(api.send(token, "GET /v1/publishers/acme", "").0, 400, "it is no name any more");
    }
    // What is stored is a text, and none at all.
    let typed = LIBRARY.replace(
        "- name: Publisher\n",
        "- name: Publisher\n  fields: [{path: year, type: int32, minimum: 1}]\n",
    );
    folder.write("library.yaml", typed.as_bytes());
    {
        let (_, said) = Api::start_and_listen(&folder, "--store kept.db");
        let expected = "warning[host/not-valid]: 3 stored resources of `library.example.com/Publisher` cannot be updated without \
                        a correction: the specification refuses what is stored, as in `publishers/acme` at `#/year`: ";
        assert!(said.contains(expected), "{said}");
    }
    folder.write("library.yaml", LIBRARY.as_bytes());
    let (api, said) = Api::start_and_listen(&folder, "--store kept.db");
    assert!(!said.contains("unreachable"), "{said}");
    assert_eq!(api.send(token, "GET /v1/publishers/acme/books/one", "").0, 200);
}

/// As on a full disk: the write is refused, the server goes on.
#[test]
fn a_limit_of_the_size_of_files_refuses_writes_and_ends_nothing() {
    let token = "0123456789abcdef";
    let folder = folder().variable("PLANLOOM_TOKEN", token);
    let served = folder.command("serve --service library.yaml --format json --store kept.db");
    let mut limited = Command::new("/bin/sh");
    limited
        .args(["-c", "ulimit -f 40; exec \"$0\" \"$@\""])
        .arg(served.get_program())
        .args(served.get_args());
    limited.env_clear().envs(served.get_envs().filter_map(|(name, it)| Some((name, it?))));
    limited.current_dir(served.get_current_dir().expect("a folder")).stdout(Stdio::piped());
    let api = Api::of(limited, Stdio::null());
    assert_eq!(api.send(token, "POST /v1/publishers", r#"{"name": "publishers/acme"}"#).0, 200);
    let book = format!(r#"{{"title": "{}"}}"#, "x".repeat(3000));
    let statuses: Vec<u16> =
        (0..20).map(|_| api.send(token, "POST /v1/publishers/acme/books", &book).0).collect();
    let kept = statuses.iter().filter(|it| **it == 200).count();
    assert!((3..20).contains(&kept), "{statuses:?}");
    let (status, problem) = api.send(token, "POST /v1/publishers/acme/books", &book);
    assert_eq!((status, &problem["code"]), (503, &json!("unavailable")), "{problem}");
    assert!(problem["detail"].as_str().is_some_and(|it| it.contains("File too large")), "{problem}");
    let books = api.send(token, "GET /v1/publishers/acme/books", "").1;
    assert_eq!(books["books"].as_array().map(Vec::len), Some(kept));
}

#[test]
fn references_to_kinds_that_are_not_served_are_announced_and_refused_or_marked() {
    let token = "0123456789abcdef";
    let folder = folder().variable("PLANLOOM_TOKEN", token);
    let people = "name: people.example.com\nproto: {package: {name: example.people, currentVersion: v1}}\n\
                  resources:\n- name: Person\n";
    folder.write("people.yaml", people.as_bytes());
    let author = "  - {path: title, type: string}\n  - {path: author, type: reference, \
                  resource: people.example.com/Person, targetDeleteBehavior: BLOCK}\n";
    let library = LIBRARY.replace("  - {path: title, type: string}\n", author);
    folder.write("library.yaml", format!("imports: [people.example.com]\n{library}").as_bytes());
    let create = |api: &Api| {
        assert_eq!(api.send(token, "POST /v1/publishers", r#"{"name": "publishers/acme"}"#).0, 200);
        api.send(token, "POST /v1/publishers/acme/books", r#"{"author": "people/ann"}"#)
    };
    let warning = "warning[host/unserved-reference]: `author` of `library.example.com/Book` refers to \
                   `people.example.com/Person`, which this server does not serve: ";
    let (api, said) = Api::start_and_listen(&folder, "--import people.yaml");
    assert!(said.contains(&format!("{warning}writes that set it are refused")), "{said}");
    assert!(said.contains("with `--accept-unserved-references`"), "{said}");
    let (status, problem) = create(&api);
    assert_eq!((status, &problem["violations"][0]["code"]), (409, &json!("api/unserved-reference")));
    let (api, said) = Api::start_and_listen(&folder, "--import people.yaml --accept-unserved-references");
    assert!(said.contains(&format!("{warning}it is stored, and nothing checks it")), "{said}");
    assert_eq!(create(&api).0, 200);
    let (_, said) = Api::start_and_listen(&folder, "--service people.yaml");
    assert!(!said.contains("unserved-reference"), "{said}");
}

/// Waits until what the server says to people contains a text. Returns the whole.
fn listen(folder: &Folder, expected: &str) -> String {
    let start = Instant::now();
    loop {
        let said = words(&folder.read("said.txt").expect("a file"));
        if said.contains(expected) {
            return said;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "{expected}\n{said}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_changed_access_policy_is_in_force_without_a_restart_unless_it_cannot_be_used() {
    let folder = folder();
    let (api, _) = Api::start_and_listen(&folder, "--access-policy access.yaml");
    assert_eq!(api.send(ALICE, "POST /v1/publishers", r#"{"name": "publishers/acme"}"#).0, 200);
    let statuses = || [ALICE, BOB].map(|it| api.send(it, "GET /v1/publishers/acme", "").0);
    assert_eq!(statuses(), [200, 200]);
    let without_role = POLICY.replace("members: [bob]", "members: []");
    folder.write("access.yaml", without_role.as_bytes());
    listen(&folder, "Access policy: access.yaml was changed and is in force: 2 users, 2 bindings");
    assert_eq!(statuses(), [200, 403]);
    for (text, expected) in [
        (POLICY.replace("library-viewer", "library-reader"), "there is no role `library-reader`"),
        (POLICY.replace("ALICE_TOKEN", "OTHER_TOKEN"), "`OTHER_TOKEN` is not set"),
        ("users: [".to_owned(), "error["),
    ] {
        folder.write("said.txt", b"");
        folder.write("access.yaml", text.as_bytes());
        let said = listen(
            &folder,
            "warning[host/policy-kept]: `access.yaml` was changed and cannot be used: the former access policy stays in force",
        );
        assert!(said.contains(expected), "{expected}\n{said}");
        assert_eq!(statuses(), [200, 403], "{expected}");
    }
    fs::remove_file(folder.path("access.yaml")).expect("it is there");
    listen(&folder, "error[host/not-found]");
    assert_eq!(statuses(), [200, 403]);
    let without_bob = POLICY.replace("- {name: bob", "- {name: carol").replace("bob", "carol");
    folder.write("said.txt", b"");
    folder.write("access.yaml", without_bob.replace("9f86", "0f86").as_bytes());
    listen(&folder, "access.yaml was changed and is in force");
    assert_eq!(statuses(), [200, 401]);
}

#[test]
fn the_audit_log_marks_what_was_not_committed() {
    let token = "0123456789abcdef";
    let folder = folder().variable("PLANLOOM_TOKEN", token);
    let entries = || -> Vec<Json> {
        let log = folder.read("audit.jsonl").expect("a log");
        log.lines().map(|it| serde_json::from_str(it).expect("JSON")).collect()
    };
    {
        let api = Api::start(&folder, "--store kept.db --audit-log audit.jsonl");
        let create = |name: &str| {
            api.send(token, "POST /v1/publishers", &format!(r#"{{"name": "publishers/{name}"}}"#)).0
        };
        assert_eq!(create("one"), 200);
        fs::rename(folder.path("kept.db"), folder.path("aside.db")).expect("it is there");
        assert_eq!(create("two"), 503);
        fs::rename(folder.path("aside.db"), folder.path("kept.db")).expect("it is there");
        assert_eq!(create("three"), 200);
    }
    let of = |it: &Json| json!([it["change"], it["resource"]["name"], it["revision"], it["commit"]]);
    let [one, two, mark, three] = &entries()[..] else { panic!("{:?}", entries()) };
    assert_eq!(of(one)[1], "publishers/one");
    assert_eq!((&of(two)[0], &of(two)[1]), (&json!("creation"), &json!("publishers/two")));
    assert_eq!(of(mark), json!(["not_committed", "publishers/two", two["revision"], two["commit"]]));
    assert_eq!((&of(three)[0], &of(three)[1]), (&json!("creation"), &json!("publishers/three")));
    assert_eq!(two["revision"], three["revision"], "the revision was given again");
    // What a server that is killed between the two leaves.
    let mut log = folder.read("audit.jsonl").expect("a log");
    let beyond = three["revision"].as_u64().expect("a number") + 1;
    log.push_str(&json!({"change": "creation", "revision": beyond}).to_string());
    folder.write("audit.jsonl", (log + "\n").as_bytes());
    for _ in 0..2 {
        Api::start(&folder, "--store kept.db --audit-log audit.jsonl");
        let expected = json!({"change": "not_committed", "afterRevision": three["revision"]});
        assert_eq!((entries().len(), &entries()[5]), (6, &expected));
    }
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_store_that_was_cut_short_is_refused_until_its_losses_are_accepted() {
    let token = "0123456789abcdef";
    let folder = folder().variable("PLANLOOM_TOKEN", token);
    let create = |api: &Api, name: &str| {
        let sent = api.send(token, "POST /v1/publishers", &format!(r#"{{"name": "publishers/{name}"}}"#));
        assert_eq!(sent.0, 200, "{}", sent.1);
    };
    {
        let (api, said) = Api::start_and_listen(&folder, "--store kept.db");
        assert!(!said.contains("warning["), "{said}");
        ["one", "two", "three"].iter().for_each(|it| create(&api, it));
    }
    let whole = fs::read(folder.path("kept.db")).expect("it is there");
    let cut = whole.windows(16).rposition(|it| it == b"publishers/three").expect("it is there");
    folder.write("kept.db", &whole[..cut]);
    let refused = folder.run("serve --service library.yaml --store kept.db");
    let said = words(&refused.err);
    for expected in [
        "error[host/lost-writes]: `kept.db` was cut short, removed or replaced by an older file: 1 acknowledged transaction, ",
        "bytes, are missing; the file is left as it is",
        "go on without them with `--accept-lost-writes`",
    ] {
        assert!(refused.code == 1 && said.contains(expected), "{expected}\n{said}");
    }
    assert_eq!(fs::read(folder.path("kept.db")).expect("it is there"), &whole[..cut]);
    {
        let (api, said) = Api::start_and_listen(&folder, "--store kept.db --accept-lost-writes");
        assert!(said.contains("warning[host/lost-writes]") && said.contains("bytes, are lost"), "{said}");
        assert_eq!(api.send(token, "GET /v1/publishers/two", "").0, 200);
        assert_eq!(api.send(token, "GET /v1/publishers/three", "").0, 404);
        create(&api, "four");
    }
    // What a crash leaves is no loss, and is said too.
    let mut bytes = fs::read(folder.path("kept.db")).expect("it is there");
    bytes.extend_from_slice(&whole[cut..cut + 9]);
    folder.write("kept.db", &bytes);
    let (api, said) = Api::start_and_listen(&folder, "--store kept.db");
    let expected = "warning[host/incomplete-write]: 1 incomplete write of 9 bytes at the end of `kept.db` was dropped; it was \
                    never acknowledged";
    assert!(said.contains(expected), "{said}");
    assert_eq!(api.send(token, "GET /v1/publishers/four", "").0, 200);
}

#[test]
fn writes_are_refused_while_the_file_of_the_store_is_away() {
    let token = "0123456789abcdef";
    let folder = folder().variable("PLANLOOM_TOKEN", token);
    let api = Api::start(&folder, "--store kept.db");
    let create =
        |name: &str| api.send(token, "POST /v1/publishers", &format!(r#"{{"name": "publishers/{name}"}}"#));
    assert_eq!(create("one").0, 200);
    fs::rename(folder.path("kept.db"), folder.path("aside.db")).expect("it is there");
    for replacement in [None, Some("something else")] {
        replacement.into_iter().for_each(|it| folder.write("kept.db", it.as_bytes()));
        let (status, problem) = create("two");
        assert_eq!((status, &problem["code"]), (503, &json!("unavailable")), "{problem}");
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(
            detail.contains("`kept.db` was moved away, deleted or replaced while it was open"),
            "{detail}"
        );
    }
    assert_eq!(folder.read("kept.db").as_deref(), Some("something else"), "it is not written to");
    assert_eq!(api.send(token, "GET /v1/publishers/one", "").0, 200, "reads are answered");
    assert_eq!(api.send(token, "GET /v1/publishers/two", "").0, 404);
    fs::rename(folder.path("aside.db"), folder.path("kept.db")).expect("it is there");
    assert_eq!(create("two").0, 200, "it is back");
}

/// A service manager sends `SIGTERM`, a terminal `SIGINT`. Requests in progress are answered, and watches end.
#[test]
fn both_signals_to_stop_let_it_finish() {
    for signal in ["-TERM", "-INT"] {
        let token = "0123456789abcdef";
        let folder = folder().variable("PLANLOOM_TOKEN", token);
        let mut api = Api::start(&folder, "--store kept.db");
        let address =
            api.said["origin"].as_str().expect("an origin").trim_start_matches("http://").to_owned();
        let mut watch = TcpStream::connect(&address).expect("it listens");
        let head = format!("Host: {address}\r\nAuthorization: Bearer {token}\r\nContent-Length: 0\r\n\r\n");
        write!(watch, "POST /v1/publishers:watch HTTP/1.1\r\n{head}").expect("sent");
        let mut first = [0; 12];
        watch.read_exact(&mut first).expect("the watch begins");
        assert_eq!(api.send(token, "POST /v1/publishers", r#"{"name": "publishers/acme"}"#).0, 200);
        let pid = api.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().expect("kill").success());
        let mut rest = String::new();
        watch.read_to_string(&mut rest).expect("the watch ends as it should");
        assert!(rest.ends_with("0\r\n\r\n"), "a whole body: {rest}");
        assert!(api.child.wait().expect("it ends").success(), "{signal}");
        let again = Api::start(&folder, "--store kept.db");
        assert_eq!(again.send(token, "GET /v1/publishers/acme", "").0, 200);
    }
}
