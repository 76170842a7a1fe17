use std::{fmt, io, mem, time::Duration};

use http::{Request, Response};
use protocol::{LocalFuture, LongestAnswer, Transport, TransportError};

use crate::{
    tls,
    traffic::{Meter, Traffic},
    transport_error::lost,
};

/// Sends requests over the network, by HTTP/1.1.
///
/// Each request is sent once, to its own address: no redirect is followed, no cookie stored, and the
/// environment's proxies are only used on request. A response is returned as it came, never decompressed, and
/// only up to the length that its request [allows](LongestAnswer). Has to be used inside a tokio runtime.
/// Clones share their connections and their counters.
#[derive(Clone)]
pub struct HttpTransport {
    client: reqwest::Client,
    options: TransportOptions,
    meter: Meter,
}

/// The options for sending requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransportOptions {
    /// The longest time of a request until its response is complete. It is extended for a request that makes
    /// the other side wait (`Prefer: wait=20`).
    pub timeout: Duration,
    /// The longest time for connecting; shorter than `timeout`, so that requests that were not sent are known
    /// as such.
    pub connect_timeout: Duration,
    /// True if `HTTP_PROXY` and similar environment variables are used.
    pub environment_proxies: bool,
}

impl Default for TransportOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            connect_timeout: Duration::from_secs(5),
            environment_proxies: false,
        }
    }
}

impl HttpTransport {
    /// A transport without any connection yet.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub fn new(options: TransportOptions) -> io::Result<Self> {
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls::config().map_err(io::Error::other)?)
            .http1_only()
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .user_agent(concat!("planloom/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(options.connect_timeout)
            // Shorter than the idle timeout of most servers, so that they do not close a connection that is
            // just being used.
            .pool_idle_timeout(Duration::from_secs(4))
            // Fewer than our own servers accept, so that one idle program does not keep others out.
            .pool_max_idle_per_host(128);
        let client = if options.environment_proxies { client } else { client.no_proxy() };
        let client = client.build().map_err(io::Error::other)?;
        Ok(Self { client, options, meter: Meter::default() })
    }

    /// The requests so far.
    pub fn traffic(&self) -> Traffic {
        self.meter.traffic()
    }

    async fn exchange(self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, TransportError> {
        let _going = self.meter.begin();
        let timeout = self.options.timeout.saturating_add(patience(&request));
        let longest = LongestAnswer::of(&request);
        let mut request = reqwest::Request::try_from(request).map_err(|error| lost(&error))?;
        *request.timeout_mut() = Some(timeout);
        let response = self.client.execute(request).await.map_err(|error| lost(&error))?;
        whole(response, longest).await
    }
}

impl Transport for HttpTransport {
    fn send(&self, request: Request<Vec<u8>>) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        Box::pin(self.clone().exchange(request))
    }
}

impl fmt::Debug for HttpTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpTransport").field("options", &self.options).finish_non_exhaustive()
    }
}

/// The time that the other side is requested to wait before it responds.
fn patience(request: &Request<Vec<u8>>) -> Duration {
    let prefer = request.headers().get("prefer").and_then(|it| it.to_str().ok()).unwrap_or_default();
    let wait = prefer.split(',').find_map(|it| it.trim().strip_prefix("wait=")?.parse().ok());
    Duration::from_secs(u64::from(wait.unwrap_or(0_u32)))
}

async fn whole(mut response: reqwest::Response, longest: usize) -> Result<Response<Vec<u8>>, TransportError> {
    let declared = response.content_length().unwrap_or(0);
    if declared > longest as u64 {
        return Err(TransportError::TooLong);
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| lost(&error))? {
        if body.len() + chunk.len() > longest {
            return Err(TransportError::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    let mut answer = Response::new(body);
    *answer.status_mut() = response.status();
    *answer.headers_mut() = mem::take(response.headers_mut());
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_polls_have_a_longer_timeout() {
        for (prefer, seconds) in [
            ("wait=20", 20),
            ("respond-async, wait=5", 5),
            ("wait=-1", 0),
            ("wait=x", 0),
            ("handling=lenient", 0),
        ] {
            let request = Request::builder().header("Prefer", prefer).body(Vec::new()).unwrap();
            assert_eq!(patience(&request), Duration::from_secs(seconds), "{prefer}");
        }
    }
}
