//! States in etcd, through its JSON gateway.
//!
//! The keys, under a common prefix:
//!
//! ```text
//! head                     the serial, and the snapshot and commits that the state consists of
//! snapshot/<serial>/<n>    a snapshot, cut into pieces that etcd accepts
//! journal/<serial>         a commit since the snapshot
//! history/<serial>         marks the snapshot of that serial as a version to keep
//! lock                     the holder of the state; removed when its lease ends
//! ```
//!
//! Each write is one transaction with the conditions that `head` is as it was read and `lock` is the
//! writer's. So a transaction whose answer was lost can be sent again: it finds what the first one did. Reads
//! are at one revision. With several addresses, one that does not answer is skipped. `head`, `history` and
//! `lock` are not encrypted.

mod backend;
pub mod gateway;
mod head;
mod history;
mod lease;
mod load;
mod options;
mod save;
pub mod wire;

pub use backend::EtcdBackend;
pub use options::EtcdOptions;
