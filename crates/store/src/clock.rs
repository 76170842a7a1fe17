use crate::Millis;

/// Where the store takes the time from: hosts pass theirs, tests one they move themselves.
pub trait Clock: Send + Sync {
    /// The time now. It may stand still or go back; [`updated`](crate::Metadata::updated) never does.
    fn now(&self) -> Millis;
}
