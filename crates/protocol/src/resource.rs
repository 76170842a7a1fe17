use model::Phase;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::ResourceId;

/// The resource that the engine wants at an id: the body of `PUT` and `PATCH`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResourceBody {
    /// The deployment it belongs to: its lineage, which no other deployment has.
    pub deployment: String,
    /// The deployment's name, for people, and to find what a lost state left; others may have the same.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub deployment_name: String,
    /// Its address there, e.g. `services.web`.
    pub address: String,
    /// How often it was made anew, from 1.
    #[serde(default = "first")]
    pub generation: u64,
    /// Its attributes, all of them.
    pub spec: Map<String, Json>,
}

const fn first() -> u64 {
    1
}

/// A resource as an adapter tells it. Unknown fields are passed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resource {
    /// Its name.
    #[serde(flatten)]
    pub id: ResourceId,
    /// The deployment it was made for: its lineage.
    #[serde(default)]
    pub deployment: String,
    /// That deployment's name, as it was last told.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub deployment_name: String,
    /// Its address there.
    #[serde(default)]
    pub address: String,
    /// How often it was made anew.
    #[serde(default = "first")]
    pub generation: u64,
    /// `pending` until it is ready, then `active`; `terminated` when it is gone but still known.
    #[serde(with = "phase")]
    pub phase: Phase,
    /// The identity of the resource in the adapter; the engine stores it without interpreting it.
    #[serde(default)]
    pub identity: Map<String, Json>,
    /// The attributes it really has. One that is left out counts as being as it was sent.
    #[serde(default)]
    pub spec: Map<String, Json>,
    /// Values that exist only since it does; what references can read.
    #[serde(default)]
    pub outputs: Map<String, Json>,
    /// [`spec_hash`](crate::spec_hash) of what was last asked for.
    #[serde(default)]
    pub spec_hash: String,
    /// How it is, in a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Changes whenever it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
}

mod phase {
    use model::Phase;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(phase: &Phase, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(phase.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Phase, D::Error> {
        let text = String::deserialize(deserializer)?;
        Phase::parse(&text).ok_or_else(|| D::Error::custom("a phase is `pending`, `active` or `terminated`"))
    }
}
