use std::pin::Pin;

use store::Millis;

/// A future that stays in its thread.
pub type LocalFuture<T> = Pin<Box<dyn Future<Output = T>>>;

/// The runtime's source of time. It waits for points in time, not for ticks: after a host slept for ten
/// minutes, each job is due once.
pub trait Timer {
    /// The current time, on the same scale as the store's clock.
    fn now(&self) -> Millis;

    /// Ready at that time or later; dropping the future cancels it.
    ///
    /// For a time that has passed already it must still let the host do other work first (in a browser: a
    /// task of its own, not a microtask): the runtime uses this to yield after each slice of work. Hosts
    /// whose timers overflow (2³¹ ms) may be ready early.
    fn sleep_until(&self, at: Millis) -> LocalFuture<()>;
}
