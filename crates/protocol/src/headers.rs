use http::HeaderName;

/// The protocol's major version.
pub const VERSION: u32 = 1;

/// The header with the version of the protocol, on requests and responses.
pub const PROTOCOL_HEADER: HeaderName = HeaderName::from_static("adapter-protocol");

/// The header with the key that makes a write safe to send again.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The header that marks a repeated response: `true`.
pub const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The header with preferences for the processing of a request, e.g. `wait=20`.
pub(crate) const PREFER: HeaderName = HeaderName::from_static("prefer");

pub(crate) const JSON: &str = "application/json";
pub(crate) const PROBLEM: &str = "application/problem+json";
