use regions::{
    copies,
    registration::{Request, State},
    upgrade::Shard,
};

use super::{ResourceId, Value};
use crate::registry::Id;

/// A process: its region and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The region.
    pub region: Id,
    /// The number, different for servers and copiers.
    pub process: Id,
}

/// Something that can happen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A client begins to write a resource at a server, in a version of the API, or to delete it.
    Write {
        /// The server.
        server: Place,
        /// The version.
        version: Id,
        /// The resource.
        resource: ResourceId,
        /// True if it is deleted.
        deletes: bool,
    },
    /// A server commits the write that it has begun.
    Commit(Place),
    /// A user begins the upgrade of a region to a version.
    Begin(Id, Id),
    /// A user cancels the upgrade of a region.
    Cancel(Id),
    /// A process sees the entry of its deployment as it is now.
    See(Place),
    /// A process sends the change that it owes.
    Announce(Place),
    /// A copier begins to copy into a shard, or asks for what is to be copied into it.
    Copy(Place, Id, Shard),
    /// A message arrives.
    Deliver(Envelope),
    /// A message arrives, and will arrive again.
    Double(Envelope),
    /// A message is lost.
    Lose(Envelope),
    /// A process crashes and starts again.
    Crash(Place),
    /// A server ends for ever, and a user who knows it says so.
    Stop(Place),
}

/// A message on its way, from or to a process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Envelope {
    /// The process.
    pub process: Place,
    /// True if nobody waits for it: it has arrived before, or its sender has crashed.
    pub late: bool,
    /// The message.
    pub body: Body,
}

/// The content of a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Body {
    /// A request, from the process to the registry.
    Request(Request<Id>),
    /// The state of the entry, from the registry to the process.
    State(State<Id>),
    /// What a copier has read from one storage, on its way into another one.
    Copied {
        /// The version that was read.
        from: Id,
        /// The version that is written.
        to: Id,
        /// The shard.
        shard: Shard,
        /// What was read.
        reply: copies::Reply<ResourceId, Value>,
    },
}
