use std::sync::Arc;

use model::{Address, EdgeKind, Origin, Pointer, Value};
use view::Action;

/// An action on a resource, in its place in a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedAction {
    /// `a1`, `a2` … in order.
    pub id: String,
    /// The resource.
    pub address: Address,
    /// Its kind.
    pub kind: Arc<str>,
    /// The action.
    pub action: Action,
    /// Indices of the actions that must be done before, in order; never those of a `no_op` or `forget`.
    pub after: Vec<usize>,
    /// The reason for the action; `None` only for a `no_op`.
    pub reason: Option<Reason>,
    /// The values that differ, keys and indices in order. For a `create` all that is sent; none for a `destroy`.
    pub changes: Vec<Change>,
    /// An `update` that sends nothing: it is as it should be, and has to get ready.
    pub waits: bool,
    /// The address that it is recorded under, if it has moved since.
    pub previous: Option<Address>,
}

/// The reason for an action. For people; nothing branches on it.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// It is desired and was never made.
    New,
    /// The desired attributes differ from the recorded ones.
    Changed,
    /// The observed attributes differ from the recorded ones.
    Drifted,
    /// It was recorded and does not exist any more.
    Gone,
    /// It was begun and is not ready yet: it is waited for, and nothing of it is changed.
    NotReady,
    /// It is not desired any more.
    Removed,
    /// Something it needs acts.
    KnockOn {
        /// The index of that action.
        cause: usize,
        /// The connection.
        via: Via,
    },
    /// A person asked for it.
    Requested,
    /// Everything is to be destroyed.
    DestroyMode,
    /// It is described under another name than it is recorded.
    Moved,
}

impl Reason {
    /// `new`, `changed`, `drifted`, `gone`, `not_ready`, `removed`, `knock_on`, `requested`, `destroy_mode`, `moved`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Changed => "changed",
            Self::Drifted => "drifted",
            Self::Gone => "gone",
            Self::NotReady => "not_ready",
            Self::Removed => "removed",
            Self::KnockOn { .. } => "knock_on",
            Self::Requested => "requested",
            Self::DestroyMode => "destroy_mode",
            Self::Moved => "moved",
        }
    }
}

/// The connection along which an action causes another.
#[derive(Clone, Debug, PartialEq)]
pub struct Via {
    /// The kind of the connection.
    pub edge: EdgeKind,
    /// The attribute of the dependent.
    pub path: Pointer,
    /// The dependency.
    pub to: Address,
}

/// One value that differs.
#[derive(Clone, Debug)]
pub struct Change {
    /// The path in the resource's spec.
    pub path: Pointer,
    /// The desired value; `None` if it is to be removed.
    pub desired: Option<Value>,
    /// The recorded value; `None` if there is none.
    pub persisted: Option<Value>,
    /// The observed value; `None` if there is none or it was not observed.
    pub observed: Option<Value>,
    /// The desired value is not known yet. Of an attachment (such as the network of a service) the name stays, but the
    /// resource that it names is rebuilt.
    pub unknown: bool,
    /// None of the three may be shown.
    pub sensitive: bool,
    /// It cannot be changed in place.
    pub forces_rebuild: bool,
    /// The origin of the desired value; for a value that is removed, the resource's declaration.
    pub origin: Origin,
}

impl PartialEq for Change {
    /// Origins of the three values do not count.
    fn eq(&self, other: &Self) -> bool {
        let facts = |it: &Self| (it.unknown, it.sensitive, it.forces_rebuild, it.origin);
        let same = |a: &Option<Value>, b: &Option<Value>| match (a, b) {
            (Some(a), Some(b)) => a.same_data(b),
            (None, None) => true,
            _ => false,
        };
        self.path == other.path
            && facts(self) == facts(other)
            && same(&self.desired, &other.desired)
            && same(&self.persisted, &other.persisted)
            && same(&self.observed, &other.observed)
    }
}
