//! A registry of images: whatever is requested exists, unless its name begins with `missing`.

use std::convert::Infallible;

use http_body_util::Full;
use hyper::{
    Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::CONTENT_TYPE,
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use serde_json::json;
use tokio::net::TcpListener;

/// The size that images are said to have, and the length of what their addresses give.
const SIZE: usize = 1024;

/// Answers at the listener for ever.
pub(crate) async fn serve(listener: TcpListener, url: String) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let url = url.clone();
        tokio::task::spawn_local(async move {
            let answer = service_fn(|request| {
                let answer = answer(&request, &url);
                async { Ok::<_, Infallible>(answer) }
            });
            // The client may go at any time.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}

fn answer(request: &Request<Incoming>, url: &str) -> Response<Full<Bytes>> {
    let path = request.uri().path();
    if path.starts_with("/image/") {
        return Response::new(Full::from(vec![0; SIZE]));
    }
    let query = request.uri().query().unwrap_or_default().split('&');
    let named = query.filter_map(|pair| pair.split_once('=')).find(|(key, _)| ["hash", "tag"].contains(key));
    match named {
        Some((key, name)) if path == "/v1/image/info" && !name.starts_with("missing") => {
            info(url, &hash(key, name))
        }
        _ => status(StatusCode::NOT_FOUND),
    }
}

fn info(url: &str, hash: &str) -> Response<Full<Bytes>> {
    let image = format!("{url}/image/{hash}.gvmi");
    let body = json!({ "http": image, "https": image, "sha3": hash, "size": SIZE });
    let mut response = Response::new(Full::from(body.to_string()));
    response.headers_mut().insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static("application/json"));
    response
}

fn status(status: StatusCode) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = status;
    response
}

/// The hash that is requested, or one that belongs to the tag.
fn hash(key: &str, name: &str) -> String {
    if key == "hash" {
        return name.rsplit(':').next().unwrap_or(name).to_owned();
    }
    let mut number = 0xcbf2_9ce4_8422_2325_u64;
    let mut words = (0..4).map(|word| {
        for byte in name.bytes().chain([word]) {
            number = (number ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        format!("{number:016x}")
    });
    // As long as SHA3-224 is in the registry.
    words.by_ref().collect::<String>().chars().take(56).collect()
}
