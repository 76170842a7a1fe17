use std::{cell::RefCell, rc::Rc};

use base64::{Engine, prelude::BASE64_STANDARD};
use http::{HeaderName, Method, Request, Response, StatusCode, header};
use md5::{Digest, Md5};
use protocol::{LongestAnswer, Transport, TransportError, line};
use runtime::Timer;
use store::Millis;

use super::TerraformOptions;
use crate::{BackendError, SealedPart, Snapshot};

const CONTENT_MD5: HeaderName = HeaderName::from_static("content-md5");

/// The HTTP client of the server, with and without retries.
pub(super) struct Server {
    pub(super) transport: Rc<dyn Transport>,
    pub(super) timer: Rc<dyn Timer>,
    pub(super) options: TerraformOptions,
    /// The address of its versions, if it has reported one.
    pub(super) history: RefCell<Option<String>>,
}

/// The outcome of a request.
pub(super) enum RequestOutcome {
    /// An answer that is final.
    Answer(Response<Vec<u8>>),
    /// It was not executed.
    NotDone(String),
    /// It is not known whether it was executed.
    Unclear(String),
}

impl Server {
    /// Sends a request once.
    pub(super) async fn once(
        &self,
        method: &Method,
        to: &str,
        body: &[u8],
    ) -> Result<RequestOutcome, BackendError> {
        let request = self.request(method, to, body)?;
        Ok(match self.transport.send(request).await {
            Ok(answer) if is_passing(answer.status()) => {
                RequestOutcome::Unclear(format!("the state's server responds with {}", answer.status()))
            }
            Ok(answer) => {
                self.read_history_link(answer.headers());
                RequestOutcome::Answer(answer)
            }
            Err(TransportError::TooLong) => {
                let longest = self.options.longest >> 20;
                return Err(BackendError::Unavailable(format!(
                    "the state is longer than {longest} MiB, which is the most that is read over HTTP"
                )));
            }
            Err(error @ TransportError::Unresolved(_)) => {
                return Err(BackendError::Unavailable(format!("the state's server: {error}")));
            }
            Err(lost) if lost.was_not_sent() => RequestOutcome::NotDone(format!("the state's server {lost}")),
            Err(lost) => RequestOutcome::Unclear(format!("the state's server: {lost}")),
        })
    }

    /// Sends an idempotent request, with retries; returns the final answer.
    pub(super) async fn send(
        &self,
        method: &Method,
        to: &str,
        body: &[u8],
    ) -> Result<Response<Vec<u8>>, BackendError> {
        let mut tries = 0;
        loop {
            match self.once(method, to, body).await? {
                RequestOutcome::Answer(answer) => return Ok(answer),
                RequestOutcome::NotDone(why) | RequestOutcome::Unclear(why) => {
                    self.again(&mut tries, why).await?
                }
            }
        }
    }

    /// The data at an address, as the server sent it.
    pub(super) async fn whole(&self, address: &str) -> Result<Response<Vec<u8>>, BackendError> {
        let mut tries = 0;
        loop {
            let answer = self.send(&Method::GET, address, &[]).await?;
            if is_whole(&answer) {
                return Ok(answer);
            }
            let why = "the state was damaged on its way from the server (Content-MD5 differs)".to_owned();
            self.again(&mut tries, why).await?;
        }
    }

    /// The snapshot in an answer from that address.
    pub(super) fn read(&self, address: &str, body: &[u8]) -> Result<Snapshot, BackendError> {
        let clear = self.options.encryption.open(SealedPart::Snapshot, body)?;
        let broken = |why: String| BackendError::Corrupt(format!("the state at {address}: {why}"));
        let text = std::str::from_utf8(&clear).map_err(|_| broken("it is not text".into()))?;
        Snapshot::read(text).map_err(|why| broken(why.to_string()))
    }

    /// Waits before the next try; if there is none left, returns the reason of the last failure as the error.
    pub(super) async fn again(&self, tries: &mut u32, why: String) -> Result<(), BackendError> {
        if *tries >= self.options.retries {
            return Err(BackendError::Unavailable(why));
        }
        let wait = self.options.wait.saturating_mul(1 << (*tries).min(16)).min(self.options.longest_wait);
        *tries += 1;
        let at = self.timer.now().0.saturating_add_unsigned(wait);
        self.timer.sleep_until(Millis(at)).await;
        Ok(())
    }

    fn request(&self, method: &Method, to: &str, body: &[u8]) -> Result<Request<Vec<u8>>, BackendError> {
        let mut request = Request::builder().method(method.clone()).uri(to);
        if !body.is_empty() {
            let digest = BASE64_STANDARD.encode(Md5::digest(body));
            request = request.header(header::CONTENT_TYPE, "application/json").header(CONTENT_MD5, digest);
        }
        let request = request.body(body.to_vec());
        let mut request = request.map_err(|why| {
            BackendError::Invalid(format!("`{}` is not an address of a state: {why}", line(to)))
        })?;
        request.headers_mut().extend(self.options.headers.clone());
        request.extensions_mut().insert(LongestAnswer(self.options.longest));
        Ok(request)
    }
}

/// True if a retry may get another answer.
fn is_passing(status: StatusCode) -> bool {
    let for_good = [StatusCode::NOT_IMPLEMENTED, StatusCode::INSUFFICIENT_STORAGE];
    status.is_server_error() && !for_good.contains(&status)
        || [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT].contains(&status)
}

/// The error for a final answer that cannot be used.
pub(super) fn refusal(answer: &Response<Vec<u8>>) -> BackendError {
    let status = answer.status();
    let why = match status.as_u16() {
        300..=399 => "redirects: give the final address of the state".to_owned(),
        401 => "requires a token, or a name and password: on the command line set PLANLOOM_STATE_TOKEN"
            .to_owned(),
        403 => "denies access: this token or name has no permission".to_owned(),
        405 | 501 => format!("does not support that method ({status}): choose the methods that it supports"),
        413 => format!("does not accept a state of that size ({status})"),
        _ => format!("responds with {status}"),
    };
    BackendError::Unavailable(format!("the state's server {why}"))
}

/// True if the body is complete, if the server sent a checksum.
fn is_whole(answer: &Response<Vec<u8>>) -> bool {
    let said = answer.headers().get(CONTENT_MD5).map(http::HeaderValue::as_bytes);
    said.is_none_or(|said| said == BASE64_STANDARD.encode(Md5::digest(answer.body())).as_bytes())
}
