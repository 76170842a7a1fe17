//! Tests of what native programs provide for the engine: servers and clients, with faults between them, and states.

mod adapter;
mod conformance;
mod crowd;
mod faults;
mod home;
#[cfg(target_os = "linux")]
mod links;
mod matrix;
mod server;
mod states;
mod support;
mod transport;
