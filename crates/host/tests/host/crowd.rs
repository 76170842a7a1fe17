//! Programs of this machine that have no token and keep many connections open must not lock out clients with
//! the token.

use std::{cell::Cell, fs, future::ready, path::Path, rc::Rc};

use crate::support::{echo, handler, local, millis, read_head, serve_with, transport};
use api::LastPart;
use futures_util::{StreamExt as _, stream};
use http::{Request, Response};
use planloom_host::{Body, Handler, Limits, Mounts, Server, StaticFiles, TokenAuth};
use protocol::{LocalFuture, Transport};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::Notify,
    time,
};

/// About the size of the app.
const PAGE: usize = 8 << 20;

/// A page for everybody, and a path that requires the token.
async fn home(name: &str, limits: Limits) -> (Server, TokenAuth, StaticFiles) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("crowd-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("app.wasm"), vec![7; PAGE]).unwrap();
    let (auth, site) = (TokenAuth::random().unwrap(), StaticFiles::new(&folder).unwrap());
    let mounts = Mounts::new()
        .mount("/state", Rc::new(auth.protect(echo())))
        .mount("/adapters/process", Rc::new(auth.identify(echo())))
        .fallback(Rc::new(site.clone()));
    (serve_with(Rc::new(mounts), limits).await, auth, site)
}

/// A connection on which only this text was sent.
async fn sent(server: &Server, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).await.unwrap();
    // Its slot may be given to another one already.
    let _evicted = stream.write_all(text.as_bytes()).await;
    stream
}

fn known(server: &Server, auth: &TokenAuth) -> Request<Vec<u8>> {
    let token = format!("Bearer {}", auth.token());
    let request = Request::get(format!("{}/state/shop", server.origin())).header("authorization", token);
    request.body(Vec::new()).unwrap()
}

#[test]
fn authenticated_clients_are_served_during_a_flood() {
    local(async {
        let limits = Limits { grace: millis(20), ..Limits::default() };
        let (server, auth, site) = home("all", limits).await;
        let page = format!("GET /app.wasm HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port());
        let mut held = Vec::new();
        for _ in 0..200 {
            held.push(sent(&server, &page).await);
        }
        for _ in 0..300 {
            held.push(sent(&server, "GET /state/shop HTTP/1.1\r\nHost: 127").await);
        }
        let answer = transport().send(known(&server, &auth)).await.unwrap();
        assert_eq!(answer.body(), b"GET /state/shop\n");
        let load = server.load();
        assert!(load.strangers <= limits.strangers, "{load:?}");
        assert!(load.most_unsent <= 64 << 10, "only what was refused: {load:?}");
        assert!(site.in_memory().await <= PAGE, "all of them share one copy");
        // Connections with the token keep their slots, and the page can be read.
        let again = transport().send(known(&server, &auth)).await.unwrap();
        assert_eq!(again.status(), 200);
        let page = Request::get(format!("{}/app.wasm", server.origin())).body(Vec::new()).unwrap();
        assert_eq!(transport().send(page).await.unwrap().body().len(), PAGE);
        drop(held);
    });
}

#[test]
fn large_bodies_without_a_token_are_refused() {
    local(async {
        let (server, ..) = home("bodies", Limits::default()).await;
        for path in ["/adapters/process/v1/resources:batchRead", "/index.html", "/state/shop"] {
            let request = Request::post(format!("{}{path}", server.origin())).body(vec![b'x'; 100_000]);
            let answer = transport().send(request.unwrap()).await.unwrap();
            assert!(matches!(answer.status().as_u16(), 401 | 413), "{path}: {}", answer.status());
        }
    });
}

#[test]
fn a_stranger_gets_no_long_answer() {
    local(async {
        let auth = TokenAuth::random().unwrap();
        let long = handler(|_| async { Response::new(vec![b'x'; 100_000]) });
        let server = serve_with(Rc::new(auth.identify(long)), Limits::default()).await;
        let answer = transport().send(crate::support::get(server.origin())).await.unwrap();
        assert_eq!(answer.status(), 401);
        let answer = transport().send(known(&server, &auth)).await.unwrap();
        assert_eq!(answer.body().len(), 100_000);
    });
}

#[test]
fn unread_answers_use_bounded_memory() {
    const ANSWER: usize = 16 << 20;
    local(async {
        let limits = Limits { unsent_bytes: 3 * ANSWER, ..Limits::default() };
        let long: Rc<dyn Handler> = handler(|_| async { Response::new(vec![b'x'; ANSWER]) });
        let server = serve_with(long, limits).await;
        let head =
            format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", server.port());
        let (mut held, mut refused) = (Vec::new(), 0);
        for _ in 0..8 {
            let mut stream = sent(&server, &head).await;
            let first = read_head(&mut stream).await;
            refused +=
                usize::from(first.starts_with("HTTP/1.1 503 ") && first.contains("retry-after: 1\r\n"));
            held.push((stream, first));
        }
        assert_eq!(refused, 5, "three answers have room");
        assert!(server.load().most_unsent <= limits.unsent_bytes + (64 << 10), "{:?}", server.load());
        // Once they are read there is room again.
        for (mut stream, first) in held {
            let mut body = Vec::new();
            stream.read_to_end(&mut body).await.unwrap();
            assert!(first.starts_with("HTTP/1.1 503 ") || body.len() == ANSWER);
        }
        while server.load().unsent > 0 {
            time::sleep(millis(1)).await;
        }
        assert!(read_head(&mut sent(&server, &head).await).await.starts_with("HTTP/1.1 200 "));
    });
}

/// A handler of responses with such a body.
struct Bodies<F>(F);

impl<F: Fn() -> Body> Handler for Bodies<F> {
    fn respond(&self, _: Request<Vec<u8>>) -> LocalFuture<Response<Body>> {
        let mut response = Response::new((self.0)());
        response.extensions_mut().insert(LastPart(|it| format!("{}\n", it.code).into_bytes()));
        Box::pin(ready(response))
    }

    fn handle(&self, _: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        unreachable!("a server calls `respond`")
    }
}

fn get_once(server: &Server) -> String {
    format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", server.port())
}

/// A requested body takes room before it is made: without room it is refused, and never made.
#[test]
fn what_is_made_in_pieces_has_room_before_it_is_made() {
    const ANSWER: usize = 1 << 20;
    local(async {
        let (begun, may_end) = (Rc::new(Cell::new(0)), Rc::new(Notify::new()));
        let (count, end) = (begun.clone(), may_end.clone());
        let body = move || {
            let (count, end) = (count.clone(), end.clone());
            Body::Long(
                ANSWER,
                Box::pin(async move {
                    count.set(count.get() + 1);
                    end.notified().await;
                    vec![b'x'; ANSWER]
                }),
            )
        };
        let limits = Limits { unsent_bytes: 3 * ANSWER, ..Limits::default() };
        let server = serve_with(Rc::new(Bodies(body)), limits).await;
        let head = get_once(&server);
        let mut making = Vec::new();
        for at in 1..=3 {
            making.push(sent(&server, &head).await);
            while begun.get() < at {
                time::sleep(millis(1)).await;
            }
        }
        for _ in 0..5 {
            let head = read_head(&mut sent(&server, &head).await).await;
            assert!(head.starts_with("HTTP/1.1 503 "), "{head}");
        }
        assert_eq!(begun.get(), 3);
        assert!(server.load().most_unsent <= limits.unsent_bytes, "{:?}", server.load());
        for mut stream in making {
            may_end.notify_one();
            let (head, mut body) = (read_head(&mut stream).await, Vec::new());
            stream.read_to_end(&mut body).await.unwrap();
            assert!(head.starts_with("HTTP/1.1 200 ") && body.len() == ANSWER, "{head}: {}", body.len());
        }
    });
}

#[test]
fn streams_that_nobody_reads_end_with_the_reason() {
    const PART: usize = 64 << 10;
    const PARTS: usize = 200;
    local(async {
        let parts = || Body::Stream(stream::iter(vec![vec![b'x'; PART]; PARTS]).boxed_local());
        let limits = Limits { unsent_bytes: 2 << 20, ..Limits::default() };
        let server = serve_with(Rc::new(Bodies(parts)), limits).await;
        let mut held = Vec::new();
        for _ in 0..8 {
            let mut stream = sent(&server, &get_once(&server)).await;
            assert!(read_head(&mut stream).await.starts_with("HTTP/1.1 200 "));
            held.push(stream);
        }
        time::sleep(millis(50)).await;
        let mut ended = 0;
        for mut stream in held {
            let mut body = Vec::new();
            stream.read_to_end(&mut body).await.unwrap();
            let is_early = body.ends_with(b"resource_exhausted\n\r\n0\r\n\r\n");
            ended += usize::from(is_early);
            let parts = body.iter().filter(|it| **it == b'x').count() / PART;
            assert!(body.ends_with(b"\r\n0\r\n\r\n") && (parts == PARTS) != is_early, "{parts} parts");
        }
        assert!(ended > 0, "eight that are not read have no room");
        assert!(server.load().most_parts <= limits.unsent_bytes / 2, "{:?}", server.load());
        while server.load().parts > 0 {
            time::sleep(millis(1)).await;
        }
        let (mut stream, mut body) = (sent(&server, &get_once(&server)).await, Vec::new());
        stream.read_to_end(&mut body).await.unwrap();
        assert!(body.len() > PART * PARTS, "there is room again for one that is read");
    });
}

#[test]
fn so_many_streams_are_open_beside_other_connections() {
    local(async {
        let parts = || Body::Stream(stream::iter([vec![b'x']]).chain(stream::pending()).boxed_local());
        let limits = Limits { streams: 2, connections: 1, ..Limits::default() };
        let server = serve_with(Rc::new(Bodies(parts)), limits).await;
        let mut open = Vec::new();
        let opened = async || {
            let mut stream = sent(&server, &get_once(&server)).await;
            (read_head(&mut stream).await, stream)
        };
        for _ in 0..2 {
            let (head, stream) = opened().await;
            assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
            open.push(stream);
        }
        let (head, _) = opened().await;
        assert!(head.starts_with("HTTP/1.1 503 ") && head.contains("retry-after: 1\r\n"), "{head}");
        open.pop();
        while opened().await.0.starts_with("HTTP/1.1 503 ") {}
    });
}

#[test]
fn many_who_have_the_token_come_at_once_and_all_are_answered() {
    local(async {
        let (server, auth, _) = home("burst", Limits { strangers: 4, ..Limits::default() }).await;
        let transport = transport();
        let all = (0..100).map(|_| transport.send(known(&server, &auth)));
        for answer in futures_util::future::join_all(all).await {
            assert_eq!(answer.unwrap().status(), 200);
        }
    });
}
