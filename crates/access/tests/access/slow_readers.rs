//! Watches over the network that are not read for too long: they end with the reason, and a client resumes them.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    rc::Rc,
    sync::mpsc,
    thread,
    time::Duration,
};

use futures_util::future;
use host::{ApiHandler, Limits, Listener, Loopback};
use planloom_access::{Watcher, WatcherEvent};
use serde_json::{Value, json};
use store::Millis;

use crate::support::Library;

const TEXT: usize = 64 << 10;
const BOOKS: usize = 40;
const WATCHES: usize = 6;

/// The port of a server with room for half a MiB of what is not read. It serves until the tests end.
fn serve() -> u16 {
    let (send, port) = mpsc::channel();
    thread::spawn(move || {
        host::run(async {
            let limits = Limits { unsent_bytes: 1 << 20, ..Limits::default() };
            let listener = Listener::bind(Loopback::V4, 0).await.expect("a port");
            let guard = listener.guard();
            let handler = ApiHandler::new(Library::new().api);
            let server = listener.serve(Rc::new(handler), guard, limits);
            send.send(server.origin().to_owned()).expect("it is waited for");
            future::pending::<()>().await;
        })
    });
    let origin = port.recv().expect("a server");
    origin.rsplit(':').next().and_then(|it| it.parse().ok()).expect("a port")
}

/// The connection of a request that was sent.
fn request(port: u16, method: &str, path: &str, body: &Value) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    let body = body.to_string();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
    .expect("sent");
    stream
}

fn done(port: u16, path: &str, body: &Value) {
    let mut text = String::new();
    request(port, "POST", path, body).read_to_string(&mut text).expect("a response");
    assert!(text.starts_with("HTTP/1.1 200 "), "{text}");
}

fn watch(port: u16, token: Option<&str>) -> TcpStream {
    let mut body = json!({"maxChunkSize": 1});
    body.as_object_mut().expect("an object").extend(token.map(|it| ("resumeToken".to_owned(), it.into())));
    request(port, "POST", "/v1/publishers/pan/books:watch", &body)
}

/// The messages of a watch, which are lines of JSON between those of HTTP.
fn messages(stream: TcpStream) -> impl Iterator<Item = Value> {
    let lines = BufReader::new(stream).lines().map(|it| it.expect("UTF-8"));
    lines.filter_map(|it| serde_json::from_str(&it).ok()).filter(Value::is_object)
}

/// The client of a watch.
struct Reader {
    watcher: Watcher<&'static str>,
    known: Vec<Value>,
}

impl Reader {
    fn new() -> Self {
        Self { watcher: Watcher::new(["books"], i64::MAX), known: Vec::new() }
    }

    /// Reads until all books are known; the error that ends the watch before that.
    fn read(&mut self, stream: TcpStream) -> Option<Value> {
        for message in messages(stream) {
            assert!(message.get("isHardReset").is_none(), "what was known counts");
            let events = self.watcher.receive(0, 0, &message);
            events.into_iter().for_each(|it| self.learn(it));
            if message.get("error").is_some() || self.known.len() == BOOKS {
                return message.get("error").cloned();
            }
        }
        panic!("it ends without a reason, with {} of {BOOKS} books", self.known.len());
    }

    fn learn(&mut self, event: WatcherEvent) {
        match event {
            WatcherEvent::Resync(all) => self.known = all,
            WatcherEvent::Changed(book) => self.known.push(book),
            event => panic!("{event:?}"),
        }
    }
}

#[test]
fn what_is_not_read_ends_with_the_reason_and_is_resumed() {
    let port = serve();
    done(port, "/v1/publishers", &json!({"name": "publishers/pan"}));
    let unread: Vec<TcpStream> = (0..WATCHES).map(|_| watch(port, None)).collect();
    for at in 0..BOOKS {
        let name = format!("publishers/pan/books/b{at}");
        let book = json!({"name": name, "title": "t", "text": "x".repeat(TEXT)});
        done(port, "/v1/publishers/pan/books", &book);
    }
    let mut readers: Vec<(Reader, Option<Value>)> = Vec::new();
    for stream in unread {
        let mut reader = Reader::new();
        let error = reader.read(stream);
        readers.push((reader, error));
    }
    let ended = readers.into_iter().filter_map(|(reader, error)| Some((reader, error?)));
    let ended: Vec<(Reader, Value)> = ended.collect();
    assert!(!ended.is_empty(), "{WATCHES} that are not read have no room");
    for (mut reader, error) in ended {
        assert_eq!(
            (&error["status"], &error["code"]),
            (&429.into(), &"resource_exhausted".into()),
            "{error}"
        );
        reader.watcher.disconnected(0, Millis(0));
        let token = reader.watcher.resume_token(0).expect("it was current once").to_owned();
        assert_eq!(reader.read(watch(port, Some(&token))), None);
    }
}
