//! Requests to servers that misbehave in each way that a socket allows.

use std::{
    cell::Cell,
    net::{SocketAddr, TcpListener as Taken},
    rc::Rc,
    time::{Duration, Instant},
};

use crate::support::{
    by_hand, get, handler, hasty, local, millis, read_head, serve, transport, transport_with,
};
use http::{Request, Response};
use planloom_host::Traffic;
use protocol::{MAX_BODY, Transport, TransportError};
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpSocket, TcpStream},
    task, time,
};

/// The outcome of a response that consists of these bytes and the end of the connection.
async fn answered(bytes: impl AsRef<[u8]> + 'static) -> Result<Response<Vec<u8>>, TransportError> {
    let act = move |mut stream: TcpStream| async move {
        let _left = stream.write_all(bytes.as_ref()).await;
    };
    send(by_hand(act).await).await
}

async fn send(address: SocketAddr) -> Result<Response<Vec<u8>>, TransportError> {
    transport().send(get(format!("http://{address}/v1"))).await
}

async fn send_in_haste(address: SocketAddr) -> Result<Response<Vec<u8>>, TransportError> {
    hasty().send(get(format!("http://{address}/v1"))).await
}

fn is_broken(error: &Result<Response<Vec<u8>>, TransportError>) -> bool {
    matches!(error, Err(TransportError::Broken(why)) if !why.is_empty() && !why.contains("http://"))
}

fn is_unreachable(error: &Result<Response<Vec<u8>>, TransportError>) -> bool {
    matches!(error, Err(lost @ (TransportError::Unreachable(_) | TransportError::Unresolved(_))) if lost.was_not_sent())
}

/// Names below `.invalid` do not exist (RFC 2606).
#[test]
fn an_unknown_host_differs_from_a_refused_connection() {
    local(async {
        let said = transport().send(get("http://nowhere.invalid/v1")).await;
        assert!(matches!(&said, Err(error) if error.was_not_sent()), "{said:?}");
    });
}

#[test]
fn a_request_arrives_as_it_was_sent_and_the_answer_too() {
    local(async {
        let server = serve(handler(|request| async move {
            assert_eq!(request.method(), "PATCH");
            assert_eq!(request.uri().path_and_query().unwrap(), "/a/v1/x%2Fy?page=1");
            assert_eq!(request.headers()["idempotency-key"], "\"k\"");
            assert_eq!(request.headers()["user-agent"], "planloom/0.1.0");
            for absent in ["cookie", "referer", "accept-encoding"] {
                assert!(!request.headers().contains_key(absent), "{absent}");
            }
            let response =
                Response::builder().status(409).header("etag", "\"1\"").header("set-cookie", "a=b");
            response.body([b"> ", request.body().as_slice()].concat()).unwrap()
        }))
        .await;
        let transport = transport();
        for _ in 0..2 {
            let request = Request::patch(format!("{}/a/v1/x%2Fy?page=1", server.origin()));
            let request = request.header("idempotency-key", "\"k\"").body(b"body".to_vec()).unwrap();
            let response = transport.send(request).await.unwrap();
            assert_eq!(response.status(), 409);
            assert_eq!(response.headers()["etag"], "\"1\"");
            assert_eq!(response.body(), b"> body");
        }
    });
}

#[test]
fn a_failed_connection_sent_nothing() {
    local(async {
        let taken = Taken::bind("127.0.0.1:0").unwrap();
        let free = taken.local_addr().unwrap();
        drop(taken);
        let error = send(free).await;
        assert!(is_unreachable(&error), "{error:?}");
        assert!(error.unwrap_err().to_string().contains("refused"));

        let error = hasty().send(get("http://no-such-host.invalid/v1")).await;
        assert!(is_unreachable(&error), "{error:?}");

        let error = transport().send(get("/v1")).await;
        assert!(is_unreachable(&error), "{error:?}");
    });
}

/// Linux accepts no more connections than a listener's backlog: others wait as if the machine did not exist.
#[cfg(target_os = "linux")]
#[test]
fn a_connection_that_does_not_come_about_in_time_was_not_used() {
    local(async {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let listener = socket.listen(1).unwrap();
        let address = listener.local_addr().unwrap();
        let mut waiting = Vec::new();
        while let Ok(stream) = time::timeout(millis(30), TcpStream::connect(address)).await {
            waiting.push(stream.unwrap());
        }
        let start = Instant::now();
        let error = transport_with(millis(3000), millis(100)).send(get(format!("http://{address}/"))).await;
        assert!(is_unreachable(&error), "{error:?}");
        assert!(start.elapsed() < millis(1000), "{:?}", start.elapsed());
    });
}

#[test]
fn servers_without_tls_are_sent_nothing() {
    local(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        task::spawn_local(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
            read_head(&mut stream).await;
        });
        let error = transport().send(get(format!("https://{address}/"))).await;
        assert!(is_unreachable(&error), "{error:?}");
    });
}

#[test]
fn a_connection_that_ends_early_is_broken() {
    local(async {
        for bytes in [
            "",
            "HTTP/1.1 200",
            "HTTP/1.1 200 OK\r\ncontent-le",
            "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{",
            "HTTP/1.1 100 Continue\r\n\r\n",
        ] {
            let error = answered(bytes).await;
            assert!(is_broken(&error), "{bytes:?}: {error:?}");
        }
    });
}

#[test]
fn a_reset_is_broken_wherever_it_comes() {
    local(async {
        for bytes in ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"a\":"] {
            let reset = move |mut stream: TcpStream| async move {
                stream.write_all(bytes.as_bytes()).await.unwrap();
                stream.set_zero_linger().unwrap();
            };
            let error = send(by_hand(reset).await).await;
            assert!(is_broken(&error), "{bytes:?}: {error:?}");
        }
    });
}

#[test]
fn non_http_answers_are_broken() {
    local(async {
        let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "a: b\r\n".repeat(10_000));
        let long = format!("HTTP/1.1 200 OK\r\na: {}\r\n\r\n", "b".repeat(4 << 20));
        for bytes in [
            "SSH-2.0-OpenSSH_9.6\r\n",
            "\0\0\0\0\0\0\0\0\0\0\0\0",
            "HTTP/1.1 2000 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
            &many,
            &long,
        ] {
            let error = answered(bytes.to_owned()).await;
            assert!(is_broken(&error), "{:.60}: {error:?}", bytes);
        }
    });
}

#[test]
fn an_answer_that_does_not_come_is_waited_for_until_its_time_is_over() {
    local(async {
        let silent = |stream: TcpStream| async move {
            time::sleep(Duration::from_secs(60)).await;
            drop(stream);
        };
        assert_eq!(send_in_haste(by_hand(silent).await).await.unwrap_err(), TransportError::TimedOut);
    });
}

#[test]
fn a_drop_now_and_then_does_not_keep_a_request_alive() {
    local(async {
        for head in ["HTTP/1.1 200 OK\r\nx: ", "HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n"] {
            let drip = move |mut stream: TcpStream| async move {
                stream.write_all(head.as_bytes()).await.unwrap();
                while stream.write_all(b"a").await.is_ok() {
                    time::sleep(millis(5)).await;
                }
            };
            let start = Instant::now();
            assert_eq!(
                send_in_haste(by_hand(drip).await).await.unwrap_err(),
                TransportError::TimedOut,
                "{head:?}"
            );
            assert!(start.elapsed() < millis(900));
        }
    });
}

#[test]
fn a_body_is_read_up_to_its_limit_and_no_further() {
    local(async {
        let longest = [
            format!("HTTP/1.1 200 OK\r\ncontent-length: {MAX_BODY}\r\n\r\n").into_bytes(),
            vec![b' '; MAX_BODY],
        ];
        let body = answered(longest.concat()).await.map(|it| it.body().len());
        assert_eq!(body, Ok(MAX_BODY));

        for declared in [MAX_BODY as u64 + 1, u64::MAX >> 2] {
            let huge = answered(format!("HTTP/1.1 200 OK\r\ncontent-length: {declared}\r\n\r\n")).await;
            assert_eq!(huge.unwrap_err(), TransportError::TooLong, "{declared}");
        }
    });
}

#[test]
fn a_body_without_end_is_given_up() {
    local(async {
        for (head, chunk) in [
            ("HTTP/1.1 200 OK\r\n\r\n", vec![b' '; 64 << 10]),
            ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", {
                [b"10000\r\n".as_slice(), &[b' '; 64 << 10], b"\r\n"].concat()
            }),
        ] {
            let written = Rc::new(Cell::new(0));
            let count = written.clone();
            let endless = move |mut stream: TcpStream| async move {
                stream.write_all(head.as_bytes()).await.unwrap();
                while stream.write_all(&chunk).await.is_ok() {
                    count.set(count.get() + chunk.len());
                }
            };
            assert_eq!(send(by_hand(endless).await).await.unwrap_err(), TransportError::TooLong, "{head:?}");
            time::sleep(millis(50)).await;
            // The system buffers a few megabytes on the way.
            assert!(written.get() < 4 * MAX_BODY, "{}", written.get());
        }
    });
}

#[test]
fn a_redirect_is_an_answer_like_others() {
    local(async {
        let requested = Rc::new(Cell::new(false));
        let seen = requested.clone();
        let other = by_hand(move |_| async move { seen.set(true) }).await;
        for status in [301, 302, 303, 307, 308] {
            let head =
                format!("HTTP/1.1 {status} Go\r\nlocation: http://{other}/\r\ncontent-length: 0\r\n\r\n");
            let response = answered(head).await.unwrap();
            assert_eq!(response.status(), status);
        }
        time::sleep(millis(20)).await;
        assert!(!requested.get());
    });
}

#[test]
fn compressed_answers_are_not_decoded() {
    local(async {
        let bytes = "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\n\x1f\u{b}zz";
        let response = answered(bytes).await.unwrap();
        assert_eq!(response.headers()["content-encoding"], "gzip");
        assert_eq!(response.body(), b"\x1f\x0bzz");
    });
}

#[test]
fn long_polls_are_waited_for() {
    local(async {
        let slow = |mut stream: TcpStream| async move {
            time::sleep(millis(500)).await;
            stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.unwrap();
        };
        let mut request = get(format!("http://{}/v1/operations/a", by_hand(slow).await));
        request.headers_mut().insert("prefer", "wait=1".parse().unwrap());
        assert_eq!(hasty().send(request).await.map(|it| it.status().as_u16()), Ok(204));
    });
}

#[test]
fn requests_are_counted_and_what_is_dropped_is_over() {
    local(async {
        let server = serve(handler(|request| async move {
            time::sleep(millis(if request.uri().path() == "/slow" { 60_000 } else { 20 })).await;
            Response::new(Vec::new())
        }))
        .await;
        let transport = transport();
        assert_eq!(transport.traffic(), Traffic::default());
        let send = |path| transport.send(get(format!("{}{path}", server.origin())));
        let (one, two, three) = tokio::join!(send("/"), send("/"), send("/"));
        assert!(one.is_ok() && two.is_ok() && three.is_ok());
        assert_eq!(transport.traffic(), Traffic { sent: 3, in_flight: 0, most_in_flight: 3 });
        assert!(time::timeout(millis(20), send("/slow")).await.is_err());
        assert_eq!(transport.traffic(), Traffic { sent: 4, in_flight: 0, most_in_flight: 3 });
        let clone = transport.clone();
        let slow = task::spawn_local(clone.send(get(format!("{}/slow", server.origin()))));
        time::sleep(millis(20)).await;
        assert_eq!(transport.traffic().in_flight, 1);
        slow.abort();
        assert!(slow.await.unwrap_err().is_cancelled());
        assert_eq!(transport.traffic().in_flight, 0);
    });
}
