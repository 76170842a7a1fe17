use std::{cell::Cell, fmt, rc::Rc, time::Duration};

use http::{Method, Request, StatusCode, header};
use protocol::{Code, Problem, Transport, TransportError};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value as Json;
use tokio::time::Instant;

/// The REST API of a yagna daemon, as one identity uses it (golemfactory/ya-client, `specs`).
#[derive(Clone)]
pub(crate) struct Yagna {
    transport: Rc<dyn Transport>,
    base: String,
    key: String,
    /// The time that it may not answer before requests are no longer sent again.
    silence: Duration,
    /// Since when it does not answer.
    silent_since: Rc<Cell<Option<Instant>>>,
}

/// The reason why there is no usable answer of the daemon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum YagnaError {
    /// No answer: whether the request was executed is only known if it was not sent.
    Lost(TransportError),
    /// The daemon refused the request, or could not execute it; with its message.
    Refused(StatusCode, String),
    /// The answer is not what its API defines.
    Malformed(String),
}

impl YagnaError {
    /// True if the daemon says that what was asked for does not exist, or does no longer.
    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, Self::Refused(StatusCode::NOT_FOUND | StatusCode::GONE, _))
    }

    /// True if the daemon has answered, and accepts the app-key.
    pub(crate) const fn is_answer(&self) -> bool {
        !matches!(self, Self::Lost(_) | Self::Refused(StatusCode::UNAUTHORIZED, _))
    }

    /// True if nothing happened until the time-out of a poll.
    fn is_timeout(&self) -> bool {
        matches!(self, Self::Refused(StatusCode::REQUEST_TIMEOUT | StatusCode::GATEWAY_TIMEOUT, _))
    }
}

impl fmt::Display for YagnaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost(error) => error.fmt(f),
            Self::Refused(StatusCode::UNAUTHORIZED, _) => f.write_str("the app-key is not accepted"),
            Self::Refused(status, message) if message.is_empty() => write!(f, "answers {}", status.as_u16()),
            Self::Refused(_, message) => f.write_str(message),
            Self::Malformed(why) => write!(f, "the answer cannot be read: {why}"),
        }
    }
}

impl fmt::Debug for Yagna {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Yagna").field("base", &self.base).finish_non_exhaustive()
    }
}

impl Yagna {
    pub(crate) fn new(transport: Rc<dyn Transport>, base: &str, key: &str, silence: Duration) -> Self {
        let base = base.trim_end_matches('/').to_owned();
        Self { transport, base, key: key.to_owned(), silence, silent_since: Rc::default() }
    }

    /// The address of the API, such as `http://127.0.0.1:7465`.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// The value of the `Authorization` header.
    pub(crate) fn authorization(&self) -> String {
        format!("Bearer {}", self.key)
    }

    /// The problem for an error; `doing` is such as `create an allocation`.
    pub(crate) fn problem(&self, doing: &str, error: &YagnaError) -> Problem {
        let message = format!("yagna at {} cannot {doing}: {error}", self.base);
        match error {
            YagnaError::Refused(StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, _) => {
                Problem::new(Code::Forbidden, message)
            }
            YagnaError::Lost(_) if self.is_gone() => Problem::new(Code::Internal, message),
            _ => Problem::new(Code::Unavailable, message),
        }
    }

    /// True if it has not answered for so long that it is not waited for any more: it may have been started
    /// again, but not by itself.
    fn is_gone(&self) -> bool {
        self.silent_since.get().is_some_and(|since| since.elapsed() >= self.silence)
    }

    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, YagnaError> {
        let get = async || self.send(Method::GET, path, None::<&Json>, Duration::ZERO).await;
        match get().await {
            // A daemon that was started again has closed the connections that were kept open.
            Err(YagnaError::Lost(TransportError::Broken(_))) => read(get().await?),
            answer => read(answer?),
        }
    }

    /// A request that waits at the daemon until something happens; `None` if nothing did.
    pub(crate) async fn poll<T: DeserializeOwned>(
        &self,
        path: &str,
        wait: Duration,
    ) -> Result<Option<T>, YagnaError> {
        match self.send(Method::GET, path, None::<&Json>, wait).await {
            Err(error) if error.is_timeout() => Ok(None),
            answer => read(answer?).map(Some),
        }
    }

    pub(crate) async fn post(&self, path: &str, body: &impl Serialize) -> Result<Json, YagnaError> {
        self.send(Method::POST, path, Some(body), Duration::ZERO).await
    }

    pub(crate) async fn put(&self, path: &str, body: &impl Serialize) -> Result<(), YagnaError> {
        self.send(Method::PUT, path, Some(body), Duration::ZERO).await.map(drop)
    }

    /// [`post`](Self::post) for a request that waits at the daemon.
    pub(crate) async fn post_and_wait(
        &self,
        path: &str,
        body: &impl Serialize,
        wait: Duration,
    ) -> Result<Json, YagnaError> {
        self.send(Method::POST, path, Some(body), wait).await
    }

    /// Deletes something; it is no error if it does not exist.
    pub(crate) async fn delete(&self, path: &str, wait: Duration) -> Result<(), YagnaError> {
        match self.send(Method::DELETE, path, None::<&Json>, wait).await {
            Err(error) if !error.is_absent() => Err(error),
            _ => Ok(()),
        }
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&impl Serialize>,
        wait: Duration,
    ) -> Result<Json, YagnaError> {
        let malformed = |error: &dyn fmt::Display| YagnaError::Malformed(error.to_string());
        let body = body.map(serde_json::to_vec).transpose().map_err(|error| malformed(&error))?;
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header(header::AUTHORIZATION, self.authorization())
            .header(header::CONTENT_TYPE, "application/json")
            // Not for the daemon: the transport waits so much longer.
            .header("prefer", format!("wait={}", wait.as_secs()))
            .body(body.unwrap_or_default())
            .map_err(|error| malformed(&error))?;
        let response = self.transport.send(request).await.map_err(YagnaError::Lost);
        let silent_since = self.silent_since.get().or_else(|| Some(Instant::now()));
        self.silent_since.set(silent_since.filter(|_| response.is_err()));
        let response = response?;
        let (status, body) = (response.status(), response.into_body());
        if !status.is_success() {
            return Err(YagnaError::Refused(status, message(&body)));
        }
        if body.is_empty() {
            return Ok(Json::Null);
        }
        serde_json::from_slice(&body).map_err(|error| malformed(&error))
    }
}

fn read<T: DeserializeOwned>(answer: Json) -> Result<T, YagnaError> {
    serde_json::from_value(answer).map_err(|error| YagnaError::Malformed(error.to_string()))
}

/// The id in an answer that is one text.
pub(crate) fn id(answer: Json) -> Result<String, YagnaError> {
    read(answer)
}

/// The message of an error, on one line; it is text from outside.
fn message(body: &[u8]) -> String {
    let json: Json = serde_json::from_slice(body).unwrap_or_default();
    let text = json.get("message").and_then(Json::as_str).map(str::to_owned);
    let text = text.unwrap_or_else(|| String::from_utf8_lossy(body).into_owned());
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(400).collect()
}
