use regions::registration::{Reply, Request};

use super::ProcessId;
use crate::registry::Id;

/// Something that can happen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A process sends what it needs next.
    Upkeep(ProcessId),
    /// A process sends it, although the reply to a former request may be on its way.
    Timeout(ProcessId),
    /// A message arrives.
    Deliver(Envelope),
    /// A message arrives, and will arrive again.
    Double(Envelope),
    /// A message is lost.
    Lose(Envelope),
    /// A process crashes and starts again. Messages from it are still on their way.
    Crash(ProcessId),
    /// A client lets a process withdraw its deployment.
    Withdraw(ProcessId),
    /// A client lets a process that has withdrawn register its deployment again.
    Register(ProcessId),
    /// The registry forgets which entries have changed.
    Truncate,
}

/// A message on its way, between a process and the registry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Envelope {
    /// The process.
    pub process: ProcessId,
    /// The number of times that the process had started, as a connection ends with the process.
    pub starts: u8,
    /// The message.
    pub body: Body,
}

/// The content of a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Body {
    /// A request, from the process to the registry.
    Request(Request<Id>),
    /// A reply, from the registry to the process.
    Reply(Reply<Id>),
}
