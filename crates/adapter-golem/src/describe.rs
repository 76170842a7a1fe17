use ::adapter::{accepted_runtimes, definitions};
use protocol::{Description, Feature, Timeouts, VERSION};

/// The fields that this adapter adds to payloads and services, as a file of type definitions. It is merged
/// with the built-in definitions.
pub const TYPES: &str = include_str!("../types/golem.yaml");

/// The description of this adapter.
pub fn describe() -> Description {
    Description {
        protocol: VERSION,
        name: "golem".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        features: vec![Feature::Cancel.as_str().into()],
        types: definitions(&["network", "service"], TYPES),
        accepts: accepted_runtimes(&["vm", "vm/manifest"]),
        max_in_flight: 8,
        timeouts: Timeouts { create: 7200, update: 60, destroy: 300 },
        ..Description::default()
    }
}
