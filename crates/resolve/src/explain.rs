//! Explanations of conflicts and choices, and fixes.

mod components;
mod conflicts;
mod fixes;
mod moves;
mod probe;
mod rotate;
mod shrink;
mod smallest;
mod why;

pub use conflicts::conflicts;
pub(crate) use conflicts::first as conflict;
pub use fixes::{Alternative, Fix, FixRequest, fixes};
pub use moves::{Movement, required_changes};
pub use why::{Refusal, why};
