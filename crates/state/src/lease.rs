use serde::{Deserialize, Serialize};

/// Who holds a state, and for what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Holder {
    /// The lease's name, random.
    pub id: String,
    /// Who, e.g. `ada@host (1234)`.
    pub who: String,
    /// For what, e.g. `apply`.
    pub operation: String,
    /// Since when, in milliseconds since 1970.
    pub since: i64,
    /// Until when unless it is renewed, in milliseconds since 1970; 0 where the backend's locks do not end by
    /// themselves.
    pub until: i64,
}

/// The claim to hold a state for some work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The lease's name, random.
    pub id: String,
    /// Who.
    pub who: String,
    /// For what.
    pub operation: String,
    /// Now, in milliseconds since 1970.
    pub now: i64,
    /// For how long without being renewed, in milliseconds.
    pub ttl: u64,
}

/// The right to write a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Who holds it.
    pub holder: Holder,
    /// What the backend knows it by.
    pub token: String,
}
