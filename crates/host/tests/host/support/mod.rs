//! Shared by the tests: a runtime like that of a host, servers that misbehave, and clients that do.
use std::{net::SocketAddr, rc::Rc, time::Duration};

use http::{Request, Response};
use planloom_host::{Handler, HttpTransport, Limits, Listener, Loopback, Server, TransportOptions, run};
use protocol::LocalFuture;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task, time,
};

/// Runs a test in one thread, for at most five seconds.
pub(crate) fn local<T>(test: impl Future<Output = T>) -> T {
    run(async { time::timeout(Duration::from_secs(5), test).await.expect("it takes too long") }).unwrap()
}

pub(crate) fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A transport with a long timeout.
pub(crate) fn transport() -> HttpTransport {
    transport_with(millis(4000), millis(2000))
}

/// A transport with a short timeout.
pub(crate) fn hasty() -> HttpTransport {
    transport_with(millis(300), millis(200))
}

pub(crate) fn transport_with(timeout: Duration, connect_timeout: Duration) -> HttpTransport {
    HttpTransport::new(TransportOptions { timeout, connect_timeout, ..TransportOptions::default() }).unwrap()
}

pub(crate) fn get(address: impl AsRef<str>) -> Request<Vec<u8>> {
    Request::get(address.as_ref()).body(Vec::new()).unwrap()
}

/// A handler from an async function.
pub(crate) fn handler<F>(answer: impl Fn(Request<Vec<u8>>) -> F + 'static) -> Rc<dyn Handler>
where
    F: Future<Output = Response<Vec<u8>>> + 'static,
{
    Rc::new(move |request| -> LocalFuture<Response<Vec<u8>>> { Box::pin(answer(request)) })
}

/// Responds with the request: method, path and body.
pub(crate) fn echo() -> Rc<dyn Handler> {
    handler(|request| async move {
        let mut body = format!("{} {}\n", request.method(), request.uri().path()).into_bytes();
        body.extend_from_slice(request.body());
        Response::new(body)
    })
}

pub(crate) async fn serve(handler: Rc<dyn Handler>) -> Server {
    serve_with(handler, Limits::default()).await
}

pub(crate) async fn serve_with(handler: Rc<dyn Handler>, limits: Limits) -> Server {
    let listener = Listener::bind(Loopback::V4, 0).await.unwrap();
    let guard = listener.guard();
    listener.serve(handler, guard, limits)
}

/// A server without a library: reads the head of one request, then calls `act` with the connection.
pub(crate) async fn by_hand<F>(act: impl FnOnce(TcpStream) -> F + 'static) -> SocketAddr
where
    F: Future<Output = ()> + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    task::spawn_local(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        read_head(&mut stream).await;
        act(stream).await;
    });
    address
}

/// Reads up to the empty line.
pub(crate) async fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => break,
        }
    }
    String::from_utf8(head).unwrap()
}

/// The response of a server to these bytes until it closes the connection.
pub(crate) async fn say(server: &Server, bytes: impl AsRef<[u8]>) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).await.unwrap();
    stream.write_all(bytes.as_ref()).await.unwrap();
    let mut answer = Vec::new();
    let _reset = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}
