use std::{fmt, rc::Rc};

use http::{Request, Response};
use protocol::{LocalFuture, MAX_BODY, Transport, TransportError};
use runtime::Timer;

use crate::{
    Deliver, Delivered, Delivery,
    gather::{Either, first},
};

/// A transport to a service in the same process, for pages and for tests. Faults of a delivery become the
/// [`TransportError`] that a caller would receive over the network.
#[derive(Clone)]
pub struct LocalTransport {
    server: Rc<dyn Deliver>,
    timer: Rc<dyn Timer>,
    timeout_ms: u32,
}

impl fmt::Debug for LocalTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalTransport").field("timeout_ms", &self.timeout_ms).finish_non_exhaustive()
    }
}

impl LocalTransport {
    /// Calls time out after 60 seconds.
    pub fn new(server: Rc<dyn Deliver>, timer: Rc<dyn Timer>) -> Self {
        Self { server, timer, timeout_ms: 60_000 }
    }

    /// The same transport with another timeout, in milliseconds.
    #[must_use]
    pub fn with_timeout_ms(mut self, timeout_ms: u32) -> Self {
        self.timeout_ms = timeout_ms;
        self
    }
}

impl Transport for LocalTransport {
    fn send(&self, request: Request<Vec<u8>>) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        let this = self.clone();
        Box::pin(async move {
            let mut until = this.timer.now();
            until.0 += i64::from(this.timeout_ms);
            let patience = this.timer.sleep_until(until);
            match first(this.server.deliver(request), patience).await {
                Either::Right(()) => Err(TransportError::TimedOut),
                Either::Left(Delivered { delivery: Delivery::Silence, .. }) => {
                    this.timer.sleep_until(until).await;
                    Err(TransportError::TimedOut)
                }
                Either::Left(delivered) => arrived(delivered),
            }
        })
    }
}

fn arrived(Delivered { response, delivery }: Delivered) -> Result<Response<Vec<u8>>, TransportError> {
    let length = response.body().len();
    match delivery {
        Delivery::Silence => Err(TransportError::TimedOut),
        Delivery::Refuse => Err(TransportError::Unreachable("connection refused".into())),
        Delivery::ResetAfter(bytes) => {
            Err(TransportError::Broken(format!("reset after {} bytes", bytes.min(length))))
        }
        Delivery::Endless => Err(TransportError::TooLong),
        Delivery::Whole if length > MAX_BODY => Err(TransportError::TooLong),
        Delivery::Whole => Ok(response),
    }
}
