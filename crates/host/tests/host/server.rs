//! The server with clients that behave as they should, and with others.

use std::{cell::Cell, rc::Rc, time::Instant};

use crate::support::{echo, get, handler, local, millis, read_head, say, serve, serve_with, transport};
use http::{Request, Response};
use planloom_host::{Handler, Limits, Listener, Loopback};
use protocol::{Problem, Transport, TransportError};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::Notify,
    task, time,
};

async fn status(server: &planloom_host::Server, bytes: impl AsRef<[u8]>) -> u16 {
    let answer = say(server, bytes).await;
    answer.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0)
}

fn close(server: &planloom_host::Server, first: &str, rest: &str) -> String {
    format!("{first} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n{rest}", server.port())
}

#[expect(clippy::print_stdout, reason = "what is skipped is seen")]
#[test]
fn it_responds_on_either_loopback_and_reports_its_port() {
    local(async {
        for (loopback, name) in [(Loopback::V4, "127.0.0.1"), (Loopback::V6, "[::1]")] {
            let listener = match Listener::bind(loopback, 0).await {
                Ok(listener) => listener,
                Err(error) => {
                    println!("skipped: {name}: {error}");
                    continue;
                }
            };
            assert_eq!(listener.origin(), format!("http://{name}:{}", listener.port()));
            let guard = listener.guard();
            let server = listener.serve(echo(), guard, Limits::default());
            let request = Request::put(format!("{}/a", server.origin())).body(b"x".to_vec()).unwrap();
            assert_eq!(transport().send(request).await.unwrap().body(), b"PUT /a\nx");
        }
    });
}

#[test]
fn a_port_is_taken_once() {
    local(async {
        let one = Listener::bind(Loopback::V4, 0).await.unwrap();
        let error = Listener::bind(Loopback::V4, one.port()).await.unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
    });
}

#[test]
fn connections_are_used_again() {
    local(async {
        let server = serve(echo()).await;
        let mut stream = TcpStream::connect(("127.0.0.1", server.port())).await.unwrap();
        for path in ["/a", "/b", "/c"] {
            let head = format!("GET {path} HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", server.port());
            stream.write_all(head.as_bytes()).await.unwrap();
            assert!(read_head(&mut stream).await.contains("content-length: 7\r\n"));
            let mut body = [0; 7];
            stream.read_exact(&mut body).await.unwrap();
            assert_eq!(body, *format!("GET {path}\n").as_bytes());
        }
    });
}

#[test]
fn a_body_that_is_too_long_is_refused_however_it_comes() {
    local(async {
        let limits = Limits { body_bytes: 10_000, ..Limits::default() };
        let requested = Rc::new(Cell::new(0));
        let count = requested.clone();
        let handler = handler(move |request| {
            count.set(count.get() + 1);
            async move { Response::new(request.into_body()) }
        });
        let server = serve_with(handler, limits).await;
        let send = |length| {
            let request = Request::post(server.origin()).body(vec![b'x'; length]).unwrap();
            transport().send(request)
        };
        assert_eq!(send(10_000).await.unwrap().body().len(), 10_000);
        for length in [10_001, 5 << 20] {
            let response = send(length).await.unwrap();
            assert_eq!(response.status(), 413);
            assert_eq!(response.headers()["content-type"], "application/problem+json");
            let problem: Problem = serde_json::from_slice(response.body()).unwrap();
            assert_eq!((problem.code.as_str(), problem.status), ("too_large", 413));
        }
        // A request with a `Content-Length` that is too large is refused before its body, others once the
        // body is too long.
        let announced = close(&server, "POST /", "Content-Length: 99999999999\r\n\r\n");
        assert_eq!(status(&server, announced).await, 413);
        let chunk = format!("2000\r\n{}\r\n", "x".repeat(0x2000));
        let chunked = close(&server, "POST /", "Transfer-Encoding: chunked\r\n\r\n") + &chunk + &chunk;
        assert_eq!(status(&server, chunked).await, 413);
        assert_eq!(requested.get(), 1);
    });
}

#[test]
fn slow_requests_time_out() {
    local(async {
        let limits = Limits { head: millis(100), body: millis(100), ..Limits::default() };
        let server = serve_with(echo(), limits).await;
        let start = Instant::now();
        let slow_head = async {
            let mut stream = TcpStream::connect(("127.0.0.1", server.port())).await.unwrap();
            while stream.write_all(b"a").await.is_ok() {
                time::sleep(millis(10)).await;
            }
        };
        let idle = say(&server, "");
        let slow_body = say(&server, close(&server, "PUT /", "Content-Length: 10\r\n\r\n12"));
        let ((), idle, slow_body) = tokio::join!(slow_head, idle, slow_body);
        assert_eq!(idle, "");
        assert!(slow_body.starts_with("HTTP/1.1 408 "), "{slow_body}");
        assert!(start.elapsed() < millis(900), "{:?}", start.elapsed());
    });
}

#[test]
fn clients_that_do_not_read_are_disconnected() {
    local(async {
        let limits = Limits { connections: 1, answer: millis(100), ..Limits::default() };
        let server = serve_with(
            handler(|request| async move {
                let length = if request.uri().path() == "/long" { 8 << 20 } else { 1 };
                Response::new(vec![b'x'; length])
            }),
            limits,
        )
        .await;
        let mut deaf = TcpStream::connect(("127.0.0.1", server.port())).await.unwrap();
        let head = format!("GET /long HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port());
        deaf.write_all(head.as_bytes()).await.unwrap();
        time::sleep(millis(20)).await;
        let response = transport().send(get(server.origin())).await;
        assert_eq!(response.unwrap().body(), b"x");
    });
}

#[test]
fn so_many_are_served_at_a_time_and_others_wait() {
    local(async {
        let (now, most) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
        let (count, high) = (now.clone(), most.clone());
        let handler = handler(move |_| {
            let (count, high) = (count.clone(), high.clone());
            async move {
                count.set(count.get() + 1);
                high.set(high.get().max(count.get()));
                time::sleep(millis(10)).await;
                count.set(count.get() - 1);
                Response::new(Vec::new())
            }
        });
        let server = serve_with(handler, Limits { connections: 3, ..Limits::default() }).await;
        let request = close(&server, "GET /", "\r\n");
        let all: Vec<_> = (0..12)
            .map(|_| {
                let request = request.clone();
                let port = server.port();
                task::spawn_local(async move {
                    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
                    stream.write_all(request.as_bytes()).await.unwrap();
                    read_head(&mut stream).await
                })
            })
            .collect();
        for one in all {
            assert!(one.await.unwrap().starts_with("HTTP/1.1 200 "));
        }
        assert_eq!(most.get(), 3);
    });
}

#[test]
fn non_http_requests_are_refused() {
    local(async {
        let server = serve(echo()).await;
        assert_eq!(status(&server, "nonsense\r\n\r\n").await, 400);
        assert_eq!(status(&server, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n").await, 421);
        let long = format!("a: {}\r\n\r\n", "b".repeat(100_000));
        assert_eq!(status(&server, close(&server, "GET /", &long)).await, 431);
        let both = "Content-Length: 5\r\nContent-Length: 6\r\n\r\n123456";
        assert_eq!(status(&server, close(&server, "POST /", both)).await, 400);
    });
}

#[test]
fn foreign_pages_never_reach_the_handler() {
    local(async {
        let requested = Rc::new(Cell::new(0));
        let count = requested.clone();
        let handler = handler(move |_| {
            count.set(count.get() + 1);
            async { Response::new(Vec::new()) }
        });
        let listener = Listener::bind(Loopback::V4, 0).await.unwrap();
        let guard = listener.guard().allow("https://a.example").unwrap();
        let server = listener.serve(handler, guard, Limits::default());
        let send = |headers: &[(&str, &str)]| {
            let request = Request::post(server.origin());
            let request =
                headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
            transport().send(request.body(b"{}".to_vec()).unwrap())
        };
        assert_eq!(send(&[("host", "evil.example")]).await.unwrap().status(), 421);
        assert_eq!(send(&[("origin", "https://evil.example")]).await.unwrap().status(), 403);
        assert_eq!(requested.get(), 0);
        let response = send(&[("origin", "https://a.example")]).await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["access-control-allow-origin"], "https://a.example");
        assert_eq!(response.headers()["vary"], "Origin");
        assert_eq!(requested.get(), 1);
    });
}

/// A handler that responds after that many milliseconds; notifies when it is called, and when its work is
/// over, complete or cancelled.
fn slow(after: u64) -> (Rc<dyn Handler>, Rc<Notify>, Rc<Notify>) {
    struct Over(Rc<Notify>);
    impl Drop for Over {
        fn drop(&mut self) {
            self.0.notify_one();
        }
    }
    let (requested, over) = (Rc::new(Notify::new()), Rc::new(Notify::new()));
    let (notify, over_then) = (requested.clone(), over.clone());
    let handler = handler(move |_| {
        notify.notify_one();
        let over = Over(over_then.clone());
        async move {
            time::sleep(millis(after)).await;
            drop(over);
            Response::new(b"done".to_vec())
        }
    });
    (handler, requested, over)
}

#[test]
fn the_work_for_a_caller_that_left_is_given_up() {
    local(async {
        let (handler, requested, over) = slow(60_000);
        let server = serve(handler).await;
        let caller = task::spawn_local(transport().send(get(server.origin())));
        requested.notified().await;
        caller.abort();
        over.notified().await;
    });
}

#[test]
fn stopping_waits_for_what_is_due_and_takes_nothing_new() {
    local(async {
        let (handler, requested, _) = slow(100);
        let server = serve(handler).await;
        let origin = server.origin().to_owned();
        let idle = TcpStream::connect(("127.0.0.1", server.port())).await.unwrap();
        let due = task::spawn_local(transport().send(get(&origin)));
        requested.notified().await;
        let start = Instant::now();
        server.stop(millis(4000)).await;
        assert!(start.elapsed() < millis(2000), "{:?}", start.elapsed());
        assert_eq!(due.await.unwrap().unwrap().body(), b"done");
        let late = transport().send(get(&origin)).await.unwrap_err();
        assert!(late.was_not_sent(), "{late:?}");
        drop(idle);
    });
}

#[test]
fn stopping_does_not_wait_forever() {
    local(async {
        let (handler, requested, over) = slow(60_000);
        let server = serve(handler).await;
        let due = task::spawn_local(transport().send(get(server.origin())));
        requested.notified().await;
        let start = Instant::now();
        server.stop(millis(50)).await;
        over.notified().await;
        assert!(matches!(due.await.unwrap().unwrap_err(), TransportError::Broken(_)));
        assert!(start.elapsed() < millis(2000), "{:?}", start.elapsed());
    });
}

#[test]
fn a_dropped_server_is_gone() {
    local(async {
        let (handler, requested, over) = slow(60_000);
        let server = serve(handler).await;
        let origin = server.origin().to_owned();
        let due = task::spawn_local(transport().send(get(&origin)));
        requested.notified().await;
        drop(server);
        over.notified().await;
        assert!(matches!(due.await.unwrap().unwrap_err(), TransportError::Broken(_)));
        assert!(transport().send(get(&origin)).await.unwrap_err().was_not_sent());
    });
}

#[test]
fn a_handler_that_panics_loses_its_own_connection_only() {
    local(async {
        let server = serve(handler(|request| async move {
            assert_ne!(request.uri().path(), "/panic", "as it should");
            Response::new(Vec::new())
        }))
        .await;
        let error = transport().send(get(format!("{}/panic", server.origin()))).await.unwrap_err();
        assert!(matches!(error, TransportError::Broken(_)), "{error:?}");
        assert_eq!(transport().send(get(server.origin())).await.unwrap().status(), 200);
    });
}
