use ::adapter::of_runtimes;
use protocol::{Description, Timeouts};

/// The fields that this adapter adds to payloads and services, as a file of type definitions. It is merged
/// with the built-in definitions.
pub const TYPES: &str = include_str!("../types/golem.yaml");

/// The description of this adapter.
pub fn describe() -> Description {
    Description {
        max_in_flight: 8,
        timeouts: Timeouts { create: 7200, update: 60, destroy: 300 },
        ..of_runtimes("golem", env!("CARGO_PKG_VERSION"), &["vm", "vm/manifest"], TYPES)
    }
}
