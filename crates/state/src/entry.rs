use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use protocol::Verb;

/// One resource as it was recorded. Fields that are not known survive.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// Its kind.
    pub kind: String,
    /// `pending`, `active` or `terminated`.
    pub phase: String,
    /// The id that its adapter knows it by; empty where it was never made.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// What finds the real thing; empty or null when it is gone.
    pub identity: Json,
    /// What was sent, with the `${…}` text as it was written.
    #[serde(skip_serializing_if = "Json::is_null")]
    pub template: Json,
    /// What was sent; a secret is a mark.
    pub spec: Map<String, Json>,
    /// What came back.
    pub outputs: Map<String, Json>,
    /// Whom it needed.
    pub depends_on: Vec<String>,
    /// It must not be destroyed.
    pub protected: bool,
    /// How often it was made anew, from 1.
    pub generation: u64,
    /// Which adapter made it; `None` where that was not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adapter: Option<Adapter>,
    /// It was left unusable: the next plan rebuilds it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub tainted: bool,
    /// Fields of later versions.
    #[serde(flatten)]
    pub rest: Map<String, Json>,
}

/// The adapter that made a resource. Fields that are not known survive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Adapter {
    /// Its [instance](protocol::Description::instance); empty where it does not say one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub instance: String,
    /// What it calls itself, for people.
    pub name: String,
    /// Where it was reached, for people.
    pub address: String,
    /// Fields of later versions.
    #[serde(flatten)]
    pub rest: Map<String, Json>,
}

/// Something that is about to be done to a resource: written before its call is sent, taken away once it is known what
/// came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    /// Its name, unique in the journal.
    pub id: String,
    /// What is done.
    pub verb: Verb,
    /// To whom.
    pub address: String,
    /// The idempotency key of its calls.
    pub key: String,
    /// When it was written, in milliseconds since 1970.
    pub at: i64,
    /// [`spec_hash`](protocol::spec_hash) of what is asked for, or, where there is a secret in it, its first 16 bits:
    /// the whole would confirm a guess. Empty for a `destroy`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub spec_hash: String,
    /// What will be recorded if it goes well, as far as it is known; for a `destroy` what was recorded before.
    pub entry: Entry,
    /// Fields of later versions.
    #[serde(flatten)]
    pub rest: Map<String, Json>,
}
