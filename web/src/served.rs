//! The files of `planloom serve FILES`: the workspace is exactly these, and both sides follow each other. The browser's
//! storage only adds to them: the files left out, the environments, and the history.
//!
//! All of this loads when a page is opened that way only.

pub mod merge;
pub mod reopen;
pub mod server;
pub mod sync;
pub mod unsent;
