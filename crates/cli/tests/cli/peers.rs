//! Services that refer to each other, each served by a process of its own.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value as Json, json};

use crate::{run::Folder, serve::TOKEN};

const LIBRARY: &str = "name: library.example.com
proto: {package: {name: example.library, currentVersion: v1}}
resources:
- {name: Shelf, plural: Shelves}
- name: Author
";
const SHOP: &str = "name: shop.example.com
proto: {package: {name: example.shop, currentVersion: v1}}
imports: [library.example.com]
resources:
- name: Order
  fields:
  - {path: shelf, type: reference, resource: library.example.com/Shelf, targetDeleteBehavior: BLOCK}
  - {path: author, type: reference, resource: library.example.com/Author, targetDeleteBehavior: UNSET}
- name: Gift
  fields:
  - {path: author, type: reference, resource: library.example.com/Author, targetDeleteBehavior: CASCADE_DELETE}
";
/// Longer than servers wait before they try again to reach each other, on any machine.
const SOON: Duration = Duration::from_secs(40);

/// A server, ended with the value.
struct Server<'f> {
    folder: &'f Folder,
    words: String,
    port: u16,
    child: Child,
}

impl<'f> Server<'f> {
    fn start(folder: &'f Folder, words: String, port: u16) -> Self {
        let child = spawn(folder, &words);
        Self { folder, words, port, child }
    }

    /// Ends it as a loss of power does.
    fn kill(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }

    fn restart(&mut self) {
        self.child = spawn(self.folder, &self.words);
    }

    /// Status and body of the response; 0 without one.
    fn send(&self, request: &str, body: &Json) -> (u16, Json) {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else { return (0, Json::Null) };
        let (port, length) = (self.port, body.len());
        let sent = write!(
            stream,
            "{request} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        let mut text = String::new();
        if sent.and_then(|()| stream.read_to_string(&mut text)).is_err() {
            return (0, Json::Null);
        }
        let status = text.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or_default();
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status, serde_json::from_str(body).unwrap_or_default())
    }

    #[track_caller]
    fn expect(&self, request: &str, body: &Json, status: u16) -> Json {
        let (found, body) = self.send(request, body);
        assert_eq!(found, status, "{request}: {body}");
        body
    }

    #[track_caller]
    fn expect_soon(&self, request: &str, body: &Json, status: u16) {
        let begun = Instant::now();
        loop {
            let (found, body) = self.send(request, body);
            if found == status {
                return;
            }
            assert!(begun.elapsed() < SOON, "{request}: {found} {body}");
            thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        self.kill();
    }
}

fn spawn(folder: &Folder, words: &str) -> Child {
    let mut command = folder.command(words);
    let mut child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("planloom");
    let mut line = String::new();
    let out = child.stdout.take().expect("its output");
    BufReader::new(out).read_line(&mut line).expect("a line");
    assert!(line.starts_with('{'), "{words}: {line}");
    child
}

fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    listener.local_addr().expect("its address").port()
}

fn folder() -> Folder {
    Folder::new(&[("library.yaml", LIBRARY), ("shop.yaml", SHOP)]).variable("PLANLOOM_TOKEN", TOKEN)
}

/// A library, and a shop that refers to what it has. Each keeps its resources in a file.
fn both(folder: &Folder) -> (Server<'_>, Server<'_>) {
    let (library, shop) = (free_port(), free_port());
    let of = |words: &str, own: u16, peer: &str, at: u16| {
        format!("serve {words} --port {own} --peer {peer}=http://127.0.0.1:{at} --format json")
    };
    let library_words = of("--service library.yaml --store l.db", library, "shop.example.com", shop);
    let shop_words =
        of("--service shop.yaml --import library.yaml --store s.db", shop, "library.example.com", library);
    (Server::start(folder, library_words, library), Server::start(folder, shop_words, shop))
}

#[test]
fn references_hold_between_processes() {
    let folder = folder();
    let (library, shop) = both(&folder);
    let order = json!({"name": "orders/o1", "shelf": "shelves/s1", "author": "authors/a1"});
    let refused = shop.expect("POST /v1/orders", &order, 409);
    assert_eq!(refused["violations"][0]["field"], "author", "{refused}");
    assert_eq!(refused["violations"][1]["message"], "`shelves/s1` does not exist", "{refused}");
    library.expect("POST /v1/shelves", &json!({"name": "shelves/s1"}), 200);
    library.expect("POST /v1/authors", &json!({"name": "authors/a1"}), 200);
    shop.expect("POST /v1/orders", &order, 200);
    shop.expect("POST /v1/gifts", &json!({"name": "gifts/g1", "author": "authors/a1"}), 200);
    let blocked = library.expect("DELETE /v1/shelves/s1", &Json::Null, 409);
    assert_eq!(blocked["violations"][0]["field"], "orders/o1", "{blocked}");
    // The other references of the deleted author are changed by the shop, and only then can the name be used again.
    library.expect("DELETE /v1/authors/a1", &Json::Null, 200);
    shop.expect_soon("GET /v1/gifts/g1", &Json::Null, 404);
    library.expect_soon("POST /v1/authors", &json!({"name": "authors/a1"}), 200);
    let order = shop.expect("GET /v1/orders/o1", &Json::Null, 200);
    assert_eq!((&order["author"], &order["shelf"]), (&Json::Null, &json!("shelves/s1")), "{order}");
    shop.expect("DELETE /v1/orders/o1", &Json::Null, 200);
    library.expect("DELETE /v1/shelves/s1", &Json::Null, 200);
}

#[test]
fn references_hold_when_processes_are_killed() {
    let folder = folder();
    let (mut library, mut shop) = both(&folder);
    library.expect("POST /v1/shelves", &json!({"name": "shelves/s1"}), 200);
    library.expect("POST /v1/authors", &json!({"name": "authors/a1"}), 200);
    let order = json!({"name": "orders/o1", "shelf": "shelves/s1", "author": "authors/a1"});
    shop.expect("POST /v1/orders", &order, 200);
    // Who may refer to it cannot be asked, so it stays.
    shop.kill();
    library.expect("DELETE /v1/shelves/s1", &Json::Null, 503);
    library.kill();
    library.restart();
    library.expect("DELETE /v1/shelves/s1", &Json::Null, 503);
    shop.restart();
    library.expect("DELETE /v1/shelves/s1", &Json::Null, 409);
    // Who owns it cannot be asked, so nothing new refers to it.
    library.kill();
    shop.expect("POST /v1/gifts", &json!({"name": "gifts/g1", "author": "authors/a1"}), 503);
    shop.expect("GET /v1/gifts/g1", &Json::Null, 404);
    library.restart();
    library.expect("DELETE /v1/authors/a1", &Json::Null, 200);
    library.kill();
    library.restart();
    library.expect_soon("POST /v1/authors", &json!({"name": "authors/a1"}), 200);
    let order = shop.expect("GET /v1/orders/o1", &Json::Null, 200);
    assert_eq!(order["author"], Json::Null, "{order}");
}

#[test]
fn peers_that_cannot_be_are_refused_at_the_start() {
    let folder = folder();
    for (peer, message) in [
        ("library.example.com", "error[host/peer]: `library.example.com` is not a service with its address"),
        ("shop.example.com=http://127.0.0.1:1", "error[host/peer]: `shop.example.com` is served here"),
    ] {
        let words = format!("serve --service shop.yaml --import library.yaml --peer {peer}");
        let said = folder.run(&words);
        assert!(said.code == 1 && said.err.starts_with(message), "{}", said.err);
    }
}
