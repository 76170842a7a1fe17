//! Resources and the controllers that keep them: the classes `Store`, `Watch`, `Runtime` and `Context`.

mod action;
mod callback;
mod context;
mod declared;
mod event;
mod given;
mod left;
mod operation;
mod options;
mod run;
mod runtime;
mod store;
mod watch;

pub use context::Context;
pub use runtime::Runtime;
pub use store::Store;
pub use watch::Watch;
