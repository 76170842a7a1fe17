//! The answers of the ports of activities.

use std::convert::Infallible;

use http_body_util::Full;
use hyper::{Request, Response, body::Bytes, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;

use crate::{vpn::Node, wire::Stream};

/// Serves a connection: a line about who answers, or as many bytes as the path `/bytes/N` requests.
pub(crate) async fn serve(stream: Stream, port: u16, node: Node) {
    let answer = service_fn(|request: Request<Incoming>| {
        let answer = Response::new(Full::new(body(&request, port, &node)));
        async { Ok::<_, Infallible>(answer) }
    });
    // The client may go at any time.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
}

fn body(request: &Request<Incoming>, port: u16, node: &Node) -> Bytes {
    let (method, path) = (request.method(), request.uri());
    let length = path.path().strip_prefix("/bytes/").and_then(|length| length.parse().ok());
    if let Some(length) = length {
        return Bytes::from(vec![b'x'; length]);
    }
    let Node { ip, provider, activity, .. } = node;
    format!("simulated provider {provider}: {ip}:{port} {method} {path} (activity {activity})\n").into()
}
