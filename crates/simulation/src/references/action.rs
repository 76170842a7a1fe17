use super::{Envelope, NodeId, ResourceId};

/// Something that can happen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A client creates a resource, or updates it, with this reference.
    Save(ResourceId, Option<ResourceId>),
    /// A client deletes a resource.
    Delete(ResourceId),
    /// A deployment begins to ask about a deletion.
    Ask(NodeId, ResourceId),
    /// A message arrives.
    Deliver(Envelope),
    /// A message arrives, and will arrive again.
    Double(Envelope),
    /// A message is lost.
    Lose(Envelope),
    /// A deployment crashes and starts again.
    Crash(NodeId),
    /// A deployment gives up the requests of clients that wait for others.
    GiveUp(NodeId),
    /// A deployment sends what its records demand.
    Upkeep(NodeId),
    /// A deployment clears a reference to what was deleted, or deletes the resource that has it.
    Work(NodeId, ResourceId),
}
