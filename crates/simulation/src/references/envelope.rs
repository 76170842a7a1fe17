use regions::references::{Reply, Request};

use super::{NodeId, ResourceId, transactions::Outgoing};

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Envelope {
    /// The sender.
    pub from: NodeId,
    /// The receiver.
    pub to: NodeId,
    /// The number that a reply has from its request, as a connection connects them; 0 for requests that records demand.
    pub exchange: u64,
    /// The message.
    pub body: Body,
}

/// The content of a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Body {
    /// A request.
    Request(Request<NodeId, ResourceId>),
    /// A reply, with its request.
    Reply(Request<NodeId, ResourceId>, Reply<ResourceId>),
}

impl Envelope {
    /// A request of a deployment.
    pub(super) fn request(from: NodeId, (to, exchange, request): Outgoing) -> Self {
        Self { from, to, exchange, body: Body::Request(request) }
    }
}
