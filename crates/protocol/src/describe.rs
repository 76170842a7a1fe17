use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// An adapter's description of itself: the answer to `GET {base}/v1`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// The protocol's major version; 1.
    pub protocol: u32,
    /// Its name, e.g. `process`.
    pub name: String,
    /// Its own version.
    #[serde(default)]
    pub version: String,
    /// Which adapter of that name it is: random, and the same for as long as it knows what it made. Empty where it does
    /// not say; then nobody can tell it from another one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub instance: String,
    /// The optional features that the adapter supports besides the four calls. Unknown features are ignored.
    #[serde(default)]
    pub features: Vec<String>,
    /// The kinds it makes. Each with its definition in the form of `planloom.types/1`, or null where a built-in kind
    /// is meant as it is.
    pub types: BTreeMap<String, Json>,
    /// How many calls it wants at a time; 0 for no limit of its own.
    #[serde(default)]
    pub max_in_flight: u32,
    /// How long its calls may take until the resource is ready, in seconds.
    #[serde(default)]
    pub timeouts: Timeouts,
}

/// How long until a resource is as it was asked for, in seconds; 0 where the adapter does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Timeouts {
    /// To make one.
    pub create: u32,
    /// To change one.
    pub update: u32,
    /// To destroy one.
    pub destroy: u32,
}

/// An optional feature of an adapter, besides the four calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// Many reads in one round trip.
    BatchRead,
    /// List what belongs to a deployment.
    List,
    /// Give up an operation.
    Cancel,
    /// Keep to which deployment each resource belongs: refuse writes for another one, and list by a deployment's name.
    Lineage,
}

impl Feature {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::BatchRead, Self::List, Self::Cancel, Self::Lineage];

    /// `batch_read`, `list`, `cancel`, `lineage`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BatchRead => "batch_read",
            Self::List => "list",
            Self::Cancel => "cancel",
            Self::Lineage => "lineage",
        }
    }
}

impl Description {
    /// Whether it can do that.
    pub fn can(&self, feature: Feature) -> bool {
        self.features.iter().any(|it| it == feature.as_str())
    }
}
