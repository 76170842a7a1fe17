use std::{fmt, rc::Rc};

use adapter::{Deliver, Delivered, Delivery, Spawn};
use http::{Request, Response};
use protocol::LocalFuture;
use tokio::task;

use crate::{AnswerPosition, Fault, Handler};

/// A handler for an adapter's service, or for one with injected faults.
#[derive(Clone)]
pub struct AdapterHandler(Rc<dyn Deliver>);

impl AdapterHandler {
    /// Sends the responses of the service, with their delivery.
    pub fn new(service: Rc<dyn Deliver>) -> Self {
        Self(service)
    }
}

impl Handler for AdapterHandler {
    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        let delivered = self.0.deliver(request);
        Box::pin(async move {
            let Delivered { mut response, delivery } = delivered.await;
            if let Some(fault) = Fault::of(delivery) {
                response.extensions_mut().insert(fault);
            }
            response
        })
    }
}

impl fmt::Debug for AdapterHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdapterHandler").finish_non_exhaustive()
    }
}

impl Fault {
    /// The fault for a delivery. A server cannot refuse a connection that it has accepted: it resets the
    /// connection before it sends anything.
    pub const fn of(delivery: Delivery) -> Option<Self> {
        match delivery {
            Delivery::Whole => None,
            Delivery::Refuse | Delivery::ResetAfter(0) => Some(Self::Reset(AnswerPosition::Head(0))),
            Delivery::ResetAfter(bytes) => Some(Self::Reset(AnswerPosition::Body(bytes))),
            Delivery::Silence => Some(Self::Silent),
            Delivery::Endless => Some(Self::Endless),
        }
    }
}

/// Starts tasks of a service in this thread's `LocalSet`.
pub fn spawn() -> Spawn {
    Rc::new(|work| drop(task::spawn_local(work)))
}
