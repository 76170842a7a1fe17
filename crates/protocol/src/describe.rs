use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// An adapter's description of itself: the answer to `GET {base}/v1`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// The protocol's major version; 1.
    pub protocol: u32,
    /// The name of the adapter, e.g. `process`.
    pub name: String,
    /// The version of the adapter.
    #[serde(default)]
    pub version: String,
    /// A random id that distinguishes adapters of the same name. It stays the same as long as the adapter
    /// keeps its records. If it is empty, the adapter cannot be distinguished from another one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub instance: String,
    /// The optional features that the adapter supports besides the four calls. Unknown features are ignored.
    #[serde(default)]
    pub features: Vec<String>,
    /// The kinds that the adapter supports. Each has its definition in the form of `planloom.types/1`, or
    /// null for a built-in kind that is not changed.
    pub types: BTreeMap<String, Json>,
    /// The texts that the adapter accepts in attributes, by kind and by the attribute's JSON pointer, e.g. for `service` at
    /// `/payload/runtime`. Other texts are refused in the plan, before anything is created; upper and lower case are not
    /// distinguished. Attributes that are not named are not restricted.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub accepts: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// The largest number of calls at a time; 0 if the adapter has no limit.
    #[serde(default)]
    pub max_in_flight: u32,
    /// The longest time until a resource is ready, in seconds, for each call.
    #[serde(default)]
    pub timeouts: Timeouts,
}

/// The longest time until a resource is in the requested state, in seconds; 0 if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Timeouts {
    /// For a creation.
    pub create: u32,
    /// For an update.
    pub update: u32,
    /// For a destruction.
    pub destroy: u32,
}

/// An optional feature of an adapter, besides the four calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// Reads several resources in one request.
    BatchRead,
    /// Lists the resources of a deployment.
    List,
    /// Cancels an operation.
    Cancel,
    /// Records the deployment that each resource belongs to: refuses writes for another one, and lists by the
    /// name of a deployment.
    Lineage,
}

impl Feature {
    /// All features.
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
    /// True if the adapter supports the feature.
    pub fn can(&self, feature: Feature) -> bool {
        self.features.iter().any(|it| it == feature.as_str())
    }
}
