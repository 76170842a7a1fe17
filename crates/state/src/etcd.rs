//! States in etcd, through its JSON gateway.
//!
//! Under a prefix of their own lie:
//!
//! ```text
//! head                     the serial, and which snapshot and commits it is made of
//! snapshot/<serial>/<n>    a snapshot, cut into pieces that etcd takes
//! journal/<serial>         a commit since the snapshot
//! history/<serial>         that the snapshot of that serial is a version to keep
//! lock                     who holds the state; gone when its lease ends
//! ```
//!
//! Each write is one transaction that happens only while `head` is as it was read and `lock` is the writer's: so a
//! transaction whose answer was lost is sent again, and what it did the first time is found. Reads are at one revision.
//! With several addresses, one that does not answer is passed over. `head`, `history` and `lock` are not encrypted.

mod backend;
mod gateway;
mod head;
mod history;
mod lease;
mod load;
mod options;
mod save;
mod wire;

pub use backend::EtcdBackend;
pub use options::EtcdOptions;
