//! What states do: their text, their secrets, their encryption, and where they are kept.

mod conformance;
mod damage;
mod differences;
mod encryption;
mod etcd;
mod format;
#[cfg(not(target_arch = "wasm32"))]
mod laws;
mod plans;
mod secrets;
mod terraform;
