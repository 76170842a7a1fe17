use std::{fmt, time::Duration};

use http_body_util::{BodyExt, Full};
use hyper::{
    Method, Request, StatusCode,
    body::Bytes,
    client::conn::http1,
    header::{AUTHORIZATION, CONTENT_TYPE, HOST},
};
use hyper_util::rt::TokioIo;
use serde_json::Value as Json;
use tokio::{net::TcpStream, time};

/// Longer than a daemon takes for any request.
const LONGEST: Duration = Duration::from_secs(70);

/// The REST API of a daemon, for one of its identities. Each request has a connection of its own.
#[derive(Clone, PartialEq, Eq)]
pub struct Api {
    authority: String,
    key: String,
}

/// An answer other than success, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The status of the answer; none if there was no answer.
    pub status: Option<u16>,
    /// The request, and the message of the daemon.
    pub message: String,
}

impl Api {
    /// The API at an address such as `127.0.0.1:7465`, with the app-key of an identity.
    pub fn new(authority: impl Into<String>, key: impl Into<String>) -> Self {
        Self { authority: authority.into(), key: key.into() }
    }

    /// Gets a resource; an event poll that ends without events gives an empty list.
    ///
    /// # Errors
    /// If the daemon does not answer, or not with success.
    pub async fn get(&self, path: &str) -> Result<Json, Failure> {
        let got = self.call(Method::GET, path, None).await;
        // `/events`, `/agreementEvents` and so on.
        let is_poll = path.contains("vents");
        got.or_else(
            |why| if is_poll && why.status == Some(408) { Ok(Json::Array(Vec::new())) } else { Err(why) },
        )
    }

    /// Posts a body, or none if it is null.
    ///
    /// # Errors
    /// If the daemon does not answer, or not with success.
    pub async fn post(&self, path: &str, body: Json) -> Result<Json, Failure> {
        self.call(Method::POST, path, Some(body)).await
    }

    /// Puts a body.
    ///
    /// # Errors
    /// If the daemon does not answer, or not with success.
    pub async fn put(&self, path: &str, body: Json) -> Result<Json, Failure> {
        self.call(Method::PUT, path, Some(body)).await
    }

    /// Deletes a resource.
    ///
    /// # Errors
    /// If the daemon does not answer, or not with success.
    pub async fn delete(&self, path: &str) -> Result<Json, Failure> {
        self.call(Method::DELETE, path, None).await
    }

    /// Sends a request; the body of the answer is JSON, or a text, or null if it is empty.
    ///
    /// # Errors
    /// If the daemon does not answer, or not with success.
    pub async fn call(&self, method: Method, path: &str, body: Option<Json>) -> Result<Json, Failure> {
        let what = format!("{method} {path}");
        let request = self.request(method, path, body).map_err(|why| Failure::new(&what, why))?;
        let exchanged = time::timeout(LONGEST, self.exchange(request)).await;
        let exchanged = exchanged.map_err(|_| Failure::new(&what, "no answer in time"))?;
        let (status, body) = exchanged.map_err(|why| Failure::new(&what, why))?;
        let text = String::from_utf8_lossy(&body).into_owned();
        if !status.is_success() {
            let message = format!("{what}: {} {text}", status.as_u16());
            return Err(Failure { status: Some(status.as_u16()), message });
        }
        Ok(if text.is_empty() {
            Json::Null
        } else {
            serde_json::from_str(&text).unwrap_or(Json::String(text))
        })
    }

    fn request(
        &self,
        method: Method,
        path: &str,
        body: Option<Json>,
    ) -> hyper::http::Result<Request<Full<Bytes>>> {
        let request = Request::builder().method(method).uri(path).header(HOST, &self.authority);
        let request = request.header(AUTHORIZATION, format!("Bearer {}", self.key));
        match body.filter(|body| !body.is_null()) {
            Some(body) => request.header(CONTENT_TYPE, "application/json").body(Full::from(body.to_string())),
            None => request.body(Full::default()),
        }
    }

    async fn exchange(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<(StatusCode, Bytes), Box<dyn std::error::Error + Send + Sync>> {
        let stream = TcpStream::connect(&self.authority).await?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        let answered = async move {
            let answer = sender.send_request(request).await?;
            let status = answer.status();
            Ok((status, answer.into_body().collect().await?.to_bytes()))
        };
        // The connection ends when the sender is dropped.
        tokio::join!(answered, connection).0
    }
}

impl Failure {
    fn new(what: &str, why: impl fmt::Display) -> Self {
        Self { status: None, message: format!("{what}: {why}") }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Api").field("authority", &self.authority).finish_non_exhaustive()
    }
}
