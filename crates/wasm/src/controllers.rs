//! Resources and the controllers that keep them: the classes `Store`, `Watch` and `Runtime`.

mod clock;
mod event;
mod operation;
mod options;
mod store;
mod watch;

pub use store::Store;
pub use watch::Watch;
