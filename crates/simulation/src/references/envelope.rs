use regions::references::{Reply, Request};

use super::{NodeId, ResourceId};

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
