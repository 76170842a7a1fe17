//! Simulated deployments: they execute the protocols of `regions` over a network that loses, doubles, delays and reorders
//! messages, and they crash.
//!
//! It is a simulation: nothing is stored and nothing is sent. A [`World`] is a small value; an action on it is a step of one
//! deployment, of the network or of a client, and what can happen next is a list. So a checker can try everything that can
//! happen, a test can choose at random by a seed, and a person can choose by hand.
//!
//! Two kinds of promises are checked. [`World::broken`] says what must not be true in any state. What has to happen in the end
//! is checked by a *fair end*: [`World::settle`] lets the network deliver everything, without further faults, until nothing
//! changes, and [`World::unsettled`] says what is then not as it has to be. A fair end is possible from every state, so a state
//! from which something is stuck for ever is found even if no cycle leads to it.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

pub mod copies;
mod faults;
pub mod references;
pub mod registration;
mod registry;
pub mod upgrade;
mod world;

pub use faults::Faults;
pub use registry::{Id, MemoryRegistry};
pub use world::World;
