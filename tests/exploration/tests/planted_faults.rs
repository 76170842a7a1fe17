use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of the fault that is switched on.
static ACTIVE: AtomicUsize = AtomicUsize::new(usize::MAX);

/// True if a fault is switched on.
pub(crate) fn is_active(number: usize) -> bool {
    ACTIVE.load(Ordering::Relaxed) == number
}

/// Switches a fault on, and all others off.
pub(crate) fn activate(number: usize) {
    ACTIVE.store(number, Ordering::Relaxed);
}
