use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    ops::Add,
    sync::Arc,
    time::Duration,
};

use serde::{Deserialize, Serialize};

use crate::Key;

/// Texts by name that queries can select by.
pub type Labels = BTreeMap<Arc<str>, Arc<str>>;
/// Texts by name that queries cannot select by.
pub type Annotations = BTreeMap<Arc<str>, Arc<str>>;
/// The clients that still need a resource: it cannot be destroyed while this is not empty.
pub type Finalizers = BTreeSet<Arc<str>>;

/// The metadata that the store maintains for a resource. Only the store writes it; changes of a caller in a
/// copy are ignored, except for labels, annotations and the origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// Its name; never changes.
    #[serde(flatten)]
    pub key: Key,
    /// The incarnation of the key: each create assigns another one. Never assigned twice.
    #[serde(default)]
    pub uid: Uid,
    /// 1 when created, incremented by every commit that changes anything of it.
    #[serde(default)]
    pub version: u64,
    /// The commit that changed it last.
    #[serde(default)]
    pub revision: Revision,
    /// 1 when created, incremented by every commit that changes its spec.
    #[serde(default)]
    pub generation: u64,
    /// The owner, which created it, and which alone may update, tear down and destroy it; `None` is the user.
    /// Never changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Arc<str>>,
    /// The phase; tearing down is irreversible.
    #[serde(default)]
    pub phase: Phase,
    /// The write that this is a copy of; `None` if it was written in this store. Its author determines it, as the content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Box<Origin>>,
    /// The clients that still need it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub finalizers: Finalizers,
    /// Texts that queries can select by. Names are not empty.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: Labels,
    /// Texts that queries cannot select by. Names are not empty.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: Annotations,
    /// The time of its creation; never changes.
    #[serde(default)]
    pub created: Millis,
    /// The time of the last change of `version`; never before `created`, even if the clock goes back.
    #[serde(default)]
    pub updated: Millis,
}

/// The write that a copy was made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Origin {
    /// The region whose store it was written in.
    pub region: Arc<str>,
    /// The revision that it has there.
    pub revision: u64,
}

/// The phase of a resource, which stays or is to be destroyed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It is to stay.
    #[default]
    Running,
    /// It is to be destroyed as soon as it has no finalizers.
    TearingDown,
}

/// The incarnation of a key: assigned by each create, counted by the store. 0 is none (not stored yet).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Uid(pub(crate) u64);

/// A version of the whole store: incremented by each commit that has an effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revision(pub(crate) u64);

/// Milliseconds since 1970 (UTC).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub i64);

impl Metadata {
    /// True if it is tearing down without finalizers: its owner can destroy it.
    pub fn destroy_ready(&self) -> bool {
        self.phase == Phase::TearingDown && self.finalizers.is_empty()
    }
}

impl Uid {
    /// As a number.
    pub fn get(self) -> u64 {
        self.0
    }
}

/// The revision of this number, as [`Revision::get`] gave it.
impl From<u64> for Revision {
    fn from(number: u64) -> Self {
        Self(number)
    }
}

impl Revision {
    /// As a number.
    pub fn get(self) -> u64 {
        self.0
    }
}

impl Millis {
    /// The duration since an earlier time; zero if that is not earlier.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0).max(0).unsigned_abs())
    }
}

/// The time after a duration, at most the last one possible; fractions of a millisecond are dropped.
impl Add<Duration> for Millis {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add_unsigned(whole_millis(duration)))
    }
}

/// A duration in whole milliseconds, as in protocols and recorded states; saturates.
pub fn whole_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running => "running",
            Self::TearingDown => "tearing_down",
        })
    }
}

impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
