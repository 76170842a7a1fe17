use crate::Millis;

/// The store's source of time: hosts pass theirs, tests a manual one.
pub trait Clock: Send + Sync {
    /// The current time. It may stop or go back; [`updated`](crate::Metadata::updated) never does.
    fn now(&self) -> Millis;
}
