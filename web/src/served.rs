//! The files of `planloom serve FILES`: the workspace is exactly these, and both sides follow each other. The browser's storage
//! has no part in it.
//!
//! All of this loads when a page is opened that way only.

pub mod comparison;
pub mod server;
pub mod sync;
pub mod unsent;
