//! States on servers that speak Terraform's HTTP backend protocol: GitLab and many others.
//!
//! Such a server keeps one text and a lock, and compares nothing. So each commit writes the whole, and first
//! checks, under the lock, that the current state is the one that it follows. A write whose answer was lost
//! is read back. Such locks do not expire, and their holder is only reported to a client that tries to
//! acquire them.
//!
//! The protocol has one version of a state. A server that keeps more reports their path with `Link: <…>;
//! rel="version-history"` (RFC 5829) beside the state or its lock, as `planloom serve` does: below that path,
//! `GET` lists the versions, and each has its serial as its name.

mod backend;
mod date;
mod history;
mod lock;
mod options;
mod repair;
mod server;

pub use backend::TerraformBackend;
pub use options::TerraformOptions;
