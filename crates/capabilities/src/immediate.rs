//! Capabilities that are no parts: whoever has the core has them.

use ::workspace::capability::Capability;

/// What makes each of them.
const IMMEDIATE: &[fn() -> Box<dyn Capability>] = &[
    #[cfg(feature = "toy")]
    || Box::new(::toy::Toy),
];

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = Box<dyn Capability>> {
    IMMEDIATE.iter().map(|make| make())
}
