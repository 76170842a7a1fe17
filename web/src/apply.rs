//! The page's side of applying: its messages to and from the worker that applies.
//!
//! The worker is a program of its own (`web/apply`), loaded when somebody wants to apply for the first time.

pub mod link;
pub mod message;
pub mod remote;
