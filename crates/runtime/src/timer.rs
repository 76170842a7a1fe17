use std::pin::Pin;

use store::Millis;

/// A future that stays in its thread.
pub type LocalFuture<T> = Pin<Box<dyn Future<Output = T>>>;

/// Where the runtime takes time from. It waits for moments, never for ticks: a host that slept for ten minutes finds
/// each thing due once.
pub trait Timer {
    /// The time now, on the same scale as the store's clock.
    fn now(&self) -> Millis;

    /// Ready at that time or later; dropping it leaves nothing behind.
    ///
    /// For a time that has come already it must still let the host do other work first (in a browser: a task of its
    /// own, not a microtask): so the runtime makes way after each slice of work. Hosts whose timers overflow (2³¹ ms)
    /// may be ready early.
    fn sleep_until(&self, at: Millis) -> LocalFuture<()>;
}
