use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    ops::Add,
    sync::Arc,
    time::Duration,
};

use serde::{Deserialize, Serialize};

use crate::Key;

/// Texts by name that queries can ask for.
pub type Labels = BTreeMap<Arc<str>, Arc<str>>;
/// Texts by name that queries cannot ask for.
pub type Annotations = BTreeMap<Arc<str>, Arc<str>>;
/// Who still needs a resource that is going: it cannot be destroyed while this is not empty.
pub type Finalizers = BTreeSet<Arc<str>>;

/// What the store keeps about a resource. Only the store writes it; what a caller changes in a copy is ignored, but
/// for labels and annotations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// Its name; never changes.
    #[serde(flatten)]
    pub key: Key,
    /// Which of those that had this key in the course of time: another one after each create. Never given twice.
    #[serde(default)]
    pub uid: Uid,
    /// 1 when created, one more with every commit that changes anything of it.
    #[serde(default)]
    pub version: u64,
    /// The commit that changed it last.
    #[serde(default)]
    pub revision: Revision,
    /// 1 when created, one more with every commit that changes its spec.
    #[serde(default)]
    pub generation: u64,
    /// Who created it, and alone may update, tear down and destroy it; `None` is the user. Never changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Arc<str>>,
    /// Whether it is on its way out; there is no way back.
    #[serde(default)]
    pub phase: Phase,
    /// Who still needs it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub finalizers: Finalizers,
    /// What queries can ask for. Names are not empty.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: Labels,
    /// What queries cannot ask for. Names are not empty.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: Annotations,
    /// When it was created; never changes.
    #[serde(default)]
    pub created: Millis,
    /// When `version` changed last; never before `created`, even if the clock goes back.
    #[serde(default)]
    pub updated: Millis,
}

/// Whether a resource stays or goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It is meant to be there.
    #[default]
    Running,
    /// It goes as soon as nobody needs it any more.
    TearingDown,
}

/// Which incarnation of a key: fresh for each create, counted by the store. 0 is none (not stored yet).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Uid(pub(crate) u64);

/// A moment of the whole store: each commit that does something is one more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revision(pub(crate) u64);

/// Milliseconds since 1970 (UTC).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub i64);

impl Metadata {
    /// Tearing down, and nobody needs it any more: its owner can destroy it.
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

impl Revision {
    /// As a number.
    pub fn get(self) -> u64 {
        self.0
    }
}

impl Millis {
    /// How long ago an earlier moment was; nothing where it is not earlier.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0).max(0).unsigned_abs())
    }
}

/// The moment so much later, at most the last there is; parts of a millisecond do not count.
impl Add<Duration> for Millis {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add_unsigned(whole_millis(duration)))
    }
}

/// A duration in whole milliseconds, as protocols and recorded states say it; at most what fits.
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
