use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use protocol::Verb;

/// A recorded resource. Unknown fields are preserved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// Its kind.
    pub kind: String,
    /// `pending`, `active` or `terminated`.
    pub phase: String,
    /// The id that its adapter knows it by; empty if it was never created.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The identity of the resource at its adapter; empty or null if it is gone.
    pub identity: Json,
    /// The spec that was sent, with the `${…}` text as it was written.
    #[serde(skip_serializing_if = "Json::is_null")]
    pub template: Json,
    /// The spec that was sent; secrets are marks.
    pub spec: Map<String, Json>,
    /// The outputs that the adapter reported.
    pub outputs: Map<String, Json>,
    /// The addresses of its dependencies.
    pub depends_on: Vec<String>,
    /// True if it must not be destroyed.
    pub protected: bool,
    /// The number of times that it was created, from 1.
    pub generation: u64,
    /// The adapter that created it; `None` if that was not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adapter: Option<Adapter>,
    /// The address that its adapter knows it by, if that is not the one it is recorded under: it was renamed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub created_as: String,
    /// True if it was left unusable: the next plan rebuilds it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub tainted: bool,
    /// The restarts by watches; `None` if an apply has created or changed it last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restarts: Option<Restarts>,
    /// Fields of later versions.
    #[serde(flatten)]
    pub rest: Map<String, Json>,
}

/// The restarts of a resource by watches, which went on to end or to differ. Unknown fields are preserved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Restarts {
    /// The number of restarts in a row, the last one included, successful or not.
    pub times: u32,
    /// The time when the last one began, in milliseconds since 1970.
    pub at: i64,
    /// Fields of later versions.
    #[serde(flatten)]
    pub rest: Map<String, Json>,
}

/// The adapter that created a resource. Unknown fields are preserved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Adapter {
    /// Its [instance](protocol::Description::instance); empty if it does not report one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub instance: String,
    /// The name that it reports, for people.
    pub name: String,
    /// The address at which it was reached, for people.
    pub address: String,
    /// Fields of later versions.
    #[serde(flatten)]
    pub rest: Map<String, Json>,
}

/// A write that is about to be made: recorded before its call is sent, removed once its outcome is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    /// Its id, unique in the journal.
    pub id: String,
    /// The kind of write.
    pub verb: Verb,
    /// The address of the resource.
    pub address: String,
    /// The idempotency key of its calls.
    pub key: String,
    /// The time when it was written, in milliseconds since 1970.
    pub at: i64,
    /// [`spec_hash`](protocol::spec_hash) of the requested spec, or, if that contains a secret, its first 16
    /// bits: the whole would confirm a guess. Empty for a `destroy`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub spec_hash: String,
    /// The entry to record on success, as far as it is known; for a `destroy` the entry that was recorded
    /// before.
    pub entry: Entry,
    /// Fields of later versions.
    #[serde(flatten)]
    pub rest: Map<String, Json>,
}
