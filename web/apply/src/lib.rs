//! The applying side of the app: an engine, its state and its adapters, in a worker of their own.
//!
//! It is loaded when the user wants to apply for the first time, so that the first load does not carry it.
//! [`ApplySession`] is all of it without a browser; [`worker`] puts it into one: time, random bits, the browser's
//! database for the state, or [`shared`] where `planloom serve` keeps it, `fetch` for adapters elsewhere. Its messages
//! to the page are in `planloom_web::apply::message`.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing))]

mod controllers;
pub mod host;
pub mod items;
pub mod open_deployment;
mod places;
pub mod session;
pub mod shared;
pub mod worker;
pub mod world;
pub mod write;

pub use host::{DeploymentStorage, Host};
pub use session::ApplySession;
