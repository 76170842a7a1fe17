//! Tests of states: their text, their secrets, their encryption, and their backends.

mod conformance;
mod damage;
mod differences;
mod encryption;
mod etcd;
#[cfg(not(target_arch = "wasm32"))]
mod flaws;
mod format;
#[cfg(not(target_arch = "wasm32"))]
mod laws;
mod memory;
mod plans;
mod samples;
mod secrets;
mod terraform;
