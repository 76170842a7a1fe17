//! Programs of this machine that have no token and keep many connections open must not lock out clients with
//! the token.

use std::{fs, path::Path, rc::Rc};

use crate::support::{echo, handler, local, millis, read_head, serve_with, transport};
use http::{Request, Response};
use planloom_host::{Handler, Limits, Mounts, Server, StaticFiles, TokenAuth};
use protocol::Transport;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
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
