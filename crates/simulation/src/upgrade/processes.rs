use regions::{
    copies::Limits,
    upgrade::{Change, Copier, Node, View, Writing},
};

use super::{ResourceId, storage::PAGE};
use crate::registry::Id;

const LIMITS: Limits = Limits { tombstones: 1, copies: PAGE, patience: 0 };

/// A process that serves requests. In memory only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Server {
    /// Its part of the protocol.
    pub node: Node<Id>,
    /// The write that it has begun, with the resource; true if that is deleted.
    pub writing: Option<(Writing<Id>, ResourceId, bool)>,
}

/// A process that copies. In memory only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Copying {
    /// Its part of the protocol. All its requests are always due.
    pub copier: Copier<Id>,
}

impl Server {
    /// A process that knows nothing.
    pub const fn new(id: Id) -> Self {
        Self { node: Node::new(id), writing: None }
    }

    /// What it has seen, with the change that it owes.
    pub(super) fn owed(&self) -> Option<(&View<Id>, Change<Id>)> {
        self.node.view().zip(self.node.change())
    }
}

impl Default for Copying {
    fn default() -> Self {
        Self { copier: Copier::new(LIMITS) }
    }
}
