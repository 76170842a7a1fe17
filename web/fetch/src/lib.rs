//! Requests of a JavaScript host: [`Fetch`] sends them, and [`probe()`] says what keeps it from reaching an adapter.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing))]

mod fetch;
mod network;
mod probe;
mod script;

pub use fetch::Fetch;
pub use network::Network;
pub use probe::{Obstacle, Reached, ask, is_own_machine, probe};
