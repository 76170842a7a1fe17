//! The Controllers view's own worker: a small store, a runtime and an example chain in it.
//!
//! It is a program of its own, loaded when the view is opened for the first time, so that the first load does not
//! carry it. [`Bench`] is all of it without a browser; [`worker`] puts it into one, [`link`] is the page's side.

pub mod bench;
pub mod chain;
pub mod link;
pub mod look;
pub mod message;
pub mod places;
pub mod worker;

pub use bench::Bench;

#[cfg(test)]
mod tests;
