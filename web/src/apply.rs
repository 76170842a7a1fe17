//! Applying, as far as the page has to do with it: what it says to the worker that applies, and hears of it.
//!
//! The worker is a program of its own (`web/apply`), loaded when somebody wants to apply for the first time.

pub mod link;
pub mod message;
pub mod remote;
