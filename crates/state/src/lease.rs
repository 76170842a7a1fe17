use serde::{Deserialize, Serialize};

/// The holder of a state, and its purpose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Holder {
    /// The lease's id, random.
    pub id: String,
    /// The user and process, e.g. `ada@host (1234)`.
    pub who: String,
    /// The operation that it is held for, e.g. `apply`.
    pub operation: String,
    /// The time when it was acquired, in milliseconds since 1970.
    pub since: i64,
    /// The time when it expires unless it is renewed, in milliseconds since 1970; 0 if the backend's locks do not
    /// expire.
    pub until: i64,
}

/// The claim to hold a state for some work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The lease's id, random.
    pub id: String,
    /// The user and process.
    pub who: String,
    /// The operation that it is held for.
    pub operation: String,
    /// The current time, in milliseconds since 1970.
    pub now: i64,
    /// The time to live without renewal, in milliseconds.
    pub ttl: u64,
}

/// The right to write a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The holder.
    pub holder: Holder,
    /// The backend's token for it.
    pub token: String,
}
