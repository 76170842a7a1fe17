use model::Phase;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::ResourceId;

/// The requested resource of an id: the body of `PUT` and `PATCH`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResourceBody {
    /// The lineage of the deployment that it belongs to, which no other deployment has.
    pub deployment: String,
    /// The name of the deployment, for people, and to find the resources of a lost state; other deployments
    /// may have the same.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub deployment_name: String,
    /// Its address in the deployment, e.g. `services.web`.
    pub address: String,
    /// The number of times that the resource was created, from 1.
    #[serde(default = "first")]
    pub generation: u64,
    /// All its attributes.
    pub spec: Map<String, Json>,
}

const fn first() -> u64 {
    1
}

/// A resource as an adapter reports it. Unknown fields are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resource {
    /// The kind and the id.
    #[serde(flatten)]
    pub id: ResourceId,
    /// The lineage of the deployment that it was created for.
    #[serde(default)]
    pub deployment: String,
    /// The name of that deployment, as it was last sent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub deployment_name: String,
    /// Its address in the deployment.
    #[serde(default)]
    pub address: String,
    /// The number of times that the resource was created.
    #[serde(default = "first")]
    pub generation: u64,
    /// `pending` until it is ready, then `active`; `terminated` when it has ended but can still be observed.
    #[serde(with = "phase")]
    pub phase: Phase,
    /// The identity of the resource in the adapter; the engine stores it without interpreting it.
    #[serde(default)]
    pub identity: Map<String, Json>,
    /// The actual attributes. One that is omitted is assumed to be as it was sent.
    #[serde(default)]
    pub spec: Map<String, Json>,
    /// Values that are only known once the resource exists; references can read them.
    #[serde(default)]
    pub outputs: Map<String, Json>,
    /// The [`spec_hash`](crate::spec_hash) of the last request.
    #[serde(default)]
    pub spec_hash: String,
    /// The state in a line, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// An ETag, which changes whenever the resource does.
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
