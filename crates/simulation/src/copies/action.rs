use regions::copies::{Reply, Request};

use super::{NodeId, ResourceId, Value};

/// Something that can happen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A client creates a resource, or updates it.
    Save(ResourceId),
    /// A client deletes a resource.
    Delete(ResourceId),
    /// A client adds a reader to the policy, or removes it.
    Policy(NodeId),
    /// The owner writes a resource again that was written under another policy.
    Refresh(ResourceId),
    /// The owner sends changes to a reader that watches.
    Send(NodeId),
    /// A reader sends what its record demands.
    Upkeep(NodeId),
    /// A reader sends it, although the replies to former requests may be on their way.
    Timeout(NodeId),
    /// A message arrives.
    Deliver(Envelope),
    /// A message arrives, and will arrive again.
    Double(Envelope),
    /// A message is lost.
    Lose(Envelope),
    /// A deployment crashes and starts again. Messages from it and to it are lost.
    Crash(NodeId),
}

/// A message on its way, between a reader and the owner.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Envelope {
    /// The reader.
    pub reader: NodeId,
    /// The message.
    pub body: Body,
}

/// The content of a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Body {
    /// A request, from the reader to the owner.
    Request(Request<ResourceId>),
    /// A reply, from the owner to the reader.
    Reply(Reply<ResourceId, Value>),
}
