//! Shared helpers for tests of this crate and of those above it: the conformance cases for backends, and
//! their environment.

mod bench;
mod cases;
mod random;
mod samples;
mod terraform;
mod timer;

pub use bench::{BackendFeatures, Bench, Opener};
pub use cases::{CASES, Case, conform};
pub use random::SeededRandom;
pub use samples::{claim, commits, entry, intent};
pub use terraform::{Fault, TerraformServer};
pub use timer::LeapingTimer;
