use http::{Request, Response};
use protocol::LocalFuture;

/// Answers the requests of a server or of a [`LocalTransport`](crate::LocalTransport). It is a service, or a
/// service with injected faults.
pub trait Deliver {
    /// Returns the response to a request, and how it is delivered over the network.
    fn deliver(&self, request: Request<Vec<u8>>) -> LocalFuture<Delivered>;
}

/// A response and its delivery.
#[derive(Clone, Debug)]
pub struct Delivered {
    /// The response.
    pub response: Response<Vec<u8>>,
    /// The delivery of the response.
    pub delivery: Delivery,
}

impl Delivered {
    /// A response that is delivered unchanged.
    pub const fn complete(response: Response<Vec<u8>>) -> Self {
        Self { response, delivery: Delivery::Whole }
    }
}

/// The delivery of a response over the network. Other effects of a fault are already in the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Completely.
    Whole,
    /// Not at all: the connection is closed, if the server can do so before it sends anything.
    Refuse,
    /// The connection is reset after that many bytes of the body; at 0 before the head of the response.
    ResetAfter(usize),
    /// Not at all: the connection stays open until the caller closes it.
    Silence,
    /// The head of the response, then bytes of the body without end, until the caller closes the connection.
    Endless,
}
