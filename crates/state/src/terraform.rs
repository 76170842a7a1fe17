//! States on servers that speak Terraform's HTTP backend protocol: GitLab and many others.
//!
//! Such a server keeps one text and a lock, and compares nothing. So each commit writes the whole, and first looks,
//! under the lock, whether what is kept is what it builds on. A write whose answer was lost is read back. Such locks do
//! not end by themselves, and only who wants one is told who has it.
//!
//! The protocol knows one version of a state. A server that keeps more says where with `Link: <…>;
//! rel="version-history"` (RFC 5829) beside the state or its lock, as `planloom serve` does: below that path, `GET` tells
//! the versions, and each has its serial as its name.

mod backend;
mod date;
mod history;
mod lock;
mod options;
mod repair;
mod server;

pub use backend::TerraformBackend;
pub use options::TerraformOptions;
