//! The reading of each fault by a client, with the fault sent by the server itself.

use std::{cell::Cell, rc::Rc, time::Instant};

use crate::support::{get, handler, hasty, local, millis, say, serve, transport};
use http::Response;
use planloom_host::{AnswerPosition, Fault, HttpTransport, Server};
use protocol::{MAX_BODY, Transport, TransportError};

const BODY: &[u8] = b"{\"name\":\"process\"}";

/// A server that responds with that fault, and counts the requests.
async fn faulty(fault: Fault) -> (Server, Rc<Cell<u32>>) {
    let requested = Rc::new(Cell::new(0));
    let count = requested.clone();
    let handler = handler(move |_| {
        count.set(count.get() + 1);
        let mut response = Response::new(BODY.to_vec());
        response.headers_mut().insert("content-type", "application/json".parse().unwrap());
        response.extensions_mut().insert(fault);
        async { response }
    });
    (serve(handler).await, requested)
}

/// The outcome for a transport. The handler has done its work in any case, and once.
async fn answered(fault: Fault) -> Result<Response<Vec<u8>>, TransportError> {
    answered_to(transport(), fault).await
}

async fn answered_to(transport: HttpTransport, fault: Fault) -> Result<Response<Vec<u8>>, TransportError> {
    let (server, requested) = faulty(fault).await;
    let answer = transport.send(get(server.origin())).await;
    assert_eq!(requested.get(), 1, "{fault:?}");
    answer
}

async fn bytes(fault: Fault) -> String {
    let (server, _) = faulty(fault).await;
    say(&server, format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port())).await
}

#[test]
fn silence_is_waited_for_in_vain() {
    local(async {
        assert_eq!(answered_to(hasty(), Fault::Silent).await.unwrap_err(), TransportError::TimedOut)
    });
}

#[test]
fn a_reset_or_a_cut_is_broken_wherever_it_comes() {
    local(async {
        for spot in [
            AnswerPosition::Head(0),
            AnswerPosition::Head(1),
            AnswerPosition::Head(30),
            AnswerPosition::Body(0),
            AnswerPosition::Body(5),
        ] {
            for fault in [Fault::Reset(spot), Fault::Cut(spot)] {
                let error = answered(fault).await.unwrap_err();
                assert!(matches!(error, TransportError::Broken(_)), "{fault:?}: {error:?}");
            }
        }
    });
}

#[test]
fn the_answer_is_sent_up_to_the_cut() {
    local(async {
        let whole = bytes(Fault::Cut(AnswerPosition::Head(usize::MAX))).await;
        assert!(whole.starts_with("HTTP/1.1 200 OK\r\n"));
        assert!(whole.contains("content-type: application/json\r\n"));
        assert!(whole.contains("x-content-type-options: nosniff\r\n"));
        assert!(whole.ends_with("\r\n\r\n{\"name\":\"process\"}"));
        assert_eq!(bytes(Fault::Cut(AnswerPosition::Head(20))).await, whole[..20]);
        assert_eq!(bytes(Fault::Cut(AnswerPosition::Body(5))).await, whole[..whole.len() - BODY.len() + 5]);
        assert_eq!(answered(Fault::Cut(AnswerPosition::Body(usize::MAX))).await.unwrap().body(), BODY);
    });
}

#[test]
fn a_reset_is_a_reset() {
    local(async {
        use tokio::{
            io::{AsyncReadExt, AsyncWriteExt},
            net::TcpStream,
        };
        let (server, _) = faulty(Fault::Reset(AnswerPosition::Head(10))).await;
        let mut stream = TcpStream::connect(("127.0.0.1", server.port())).await.unwrap();
        let head = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port());
        stream.write_all(head.as_bytes()).await.unwrap();
        let error = stream.read_to_end(&mut Vec::new()).await.unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
    });
}

#[test]
fn drops_come_whole_or_too_late() {
    local(async {
        let response = answered(Fault::Drip { pause: millis(0) }).await.unwrap();
        assert_eq!(response.body(), BODY);
        assert_eq!(response.headers()["content-type"], "application/json");
        let late = answered_to(hasty(), Fault::Drip { pause: millis(20) }).await.unwrap_err();
        assert_eq!(late, TransportError::TimedOut);
    });
}

#[test]
fn a_body_without_end_is_too_long() {
    local(async { assert_eq!(answered(Fault::Endless).await.unwrap_err(), TransportError::TooLong) });
}

#[test]
fn a_wrong_length_is_seen_or_cuts_off() {
    local(async {
        let error = answered(Fault::Length(BODY.len() as u64 + 1)).await.unwrap_err();
        assert!(matches!(error, TransportError::Broken(_)), "{error:?}");
        assert_eq!(answered(Fault::Length(MAX_BODY as u64 + 1)).await.unwrap_err(), TransportError::TooLong);
        assert_eq!(answered(Fault::Length(5)).await.unwrap().body(), &BODY[..5]);
        assert_eq!(answered(Fault::Length(BODY.len() as u64)).await.unwrap().body(), BODY);
    });
}

#[test]
fn stopping_does_not_wait_for_faults() {
    local(async {
        for fault in [Fault::Silent, Fault::Endless, Fault::Drip { pause: millis(1000) }] {
            let (server, requested) = faulty(fault).await;
            let error = tokio::task::spawn_local(transport().send(get(server.origin())));
            while requested.get() == 0 {
                tokio::time::sleep(millis(1)).await;
            }
            let start = Instant::now();
            server.stop(millis(2000)).await;
            assert!(start.elapsed() < millis(200), "{fault:?}: {:?}", start.elapsed());
            assert!(error.await.unwrap().is_err());
        }
    });
}
