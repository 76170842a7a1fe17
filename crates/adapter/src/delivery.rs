use http::{Request, Response};
use protocol::LocalFuture;

/// What a server, or a [`LocalTransport`](crate::LocalTransport), asks for answers: a service, or one with faults
/// around it.
pub trait Deliver {
    /// The answer to a request, and how it goes over the network.
    fn deliver(&self, request: Request<Vec<u8>>) -> LocalFuture<Delivered>;
}

/// An answer on its way.
#[derive(Clone, Debug)]
pub struct Delivered {
    /// What is answered.
    pub response: Response<Vec<u8>>,
    /// How it is sent.
    pub delivery: Delivery,
}

impl Delivered {
    /// An answer that is sent as it is.
    pub const fn complete(response: Response<Vec<u8>>) -> Self {
        Self { response, delivery: Delivery::Whole }
    }
}

/// How an answer goes over the network. Whatever else an order says of an answer is in the answer already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// As it should.
    Whole,
    /// Not at all: the connection is closed, as far as a server can before anything was said.
    Refuse,
    /// The connection is reset after so many bytes of the body; at 0 before the head of the answer.
    ResetAfter(usize),
    /// Not at all: the connection stays open until the caller leaves.
    Silence,
    /// The head of the answer, then bytes of body without end, until the caller leaves.
    Endless,
}
