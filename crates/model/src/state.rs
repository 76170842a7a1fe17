use std::{collections::BTreeMap, sync::Arc};

use crate::{Address, Value};

/// The stage of life a resource is at (GAP-16).
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

    /// What [`as_str`](Self::as_str) gives, read back.
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
    /// What finds the real thing; `None` or an empty map when it was lost before it could be stored.
    pub identity: Option<Value>,
    /// What was sent, with the `${…}` text as it was written; `None` when it was not kept.
    pub template: Option<Value>,
    /// What was sent.
    pub spec: Value,
    /// What came back: values that exist only since the resource does.
    pub outputs: Value,
    /// Whom it needed.
    pub depends_on: Vec<Address>,
    /// It must not be destroyed.
    pub protected: bool,
    /// Its last change failed and left it unusable.
    pub tainted: bool,
    /// Somebody asked that it is made anew.
    pub replace: bool,
}

/// The observed state, which adapters saw.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// By address. An address that is not here was not looked at and is taken to be as recorded;
    /// `None` was looked for and is not there.
    pub resources: BTreeMap<Address, Option<ObservedResource>>,
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
