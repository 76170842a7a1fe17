use std::{collections::BTreeMap, sync::Arc};

use crate::{Address, Value};

/// The stage of a resource's life, as the Golem application model defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Being made; nothing may rely on it.
    Pending,
    /// There, and as it should be as far as the adapter can tell.
    Active,
    /// Gone.
    Terminated,
}

impl Phase {
    /// `pending`, `active`, `terminated`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Active => "active",
            Self::Terminated => "terminated",
        }
    }

    /// The phase with this text; the inverse of [`as_str`](Self::as_str).
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Pending, Self::Active, Self::Terminated].into_iter().find(|it| it.as_str() == text)
    }
}

/// The persisted state: resources as they were written down when they were last changed.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// The deployment it belongs to.
    pub deployment: Option<Arc<str>>,
    /// Grows by one with each write.
    pub serial: u64,
    /// The resources by address.
    pub resources: BTreeMap<Address, RecordedResource>,
}

/// One resource as it was recorded.
#[derive(Clone, Debug)]
pub struct RecordedResource {
    /// Its kind.
    pub kind: Arc<str>,
    /// Its stage of life.
    pub phase: Phase,
    /// The identity by which the adapter finds the resource; `None` or an empty map if it was lost before it could be stored.
    pub identity: Option<Value>,
    /// The attributes that were sent, with `${…}` text as written; `None` if it was not stored.
    pub template: Option<Value>,
    /// The attributes that were sent.
    pub spec: Value,
    /// The outputs that the adapter reported: values that exist only since the resource does.
    pub outputs: Value,
    /// The resources that it depended on.
    pub depends_on: Vec<Address>,
    /// It must not be destroyed.
    pub protected: bool,
    /// Its last change failed and left it unusable.
    pub tainted: bool,
    /// A user requested that it is rebuilt.
    pub replace: bool,
    /// The address that its adapter knows it by, if that is not its own: it was created under another name.
    pub created_as: Option<Address>,
    /// The address that it is recorded under, if descriptors say that it has moved since.
    pub moved_from: Option<Address>,
}

/// The observed state, which adapters saw.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// By address. An address that is not here was not observed and is taken to be as recorded;
    /// `None` was searched and does not exist.
    pub resources: BTreeMap<Address, Option<ObservedResource>>,
    /// The reasons why resources have ended, in the words of their adapters, as far as these report them.
    pub ended: BTreeMap<Address, String>,
}

/// One resource as an adapter saw it.
#[derive(Clone, Debug)]
pub struct ObservedResource {
    /// Its stage of life.
    pub phase: Phase,
    /// The attributes it really has; `None` when only its phase is known.
    pub spec: Option<Value>,
    /// Its values that exist only since it does; `None` when as recorded.
    pub outputs: Option<Value>,
}
