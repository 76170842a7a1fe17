use serde::{Deserialize, Serialize};

use crate::Name;
use crate::copies::{Copies, Reply, Request, Source, Watches, page};

use super::Shard;

/// The times at which copying into a shard of a storage was begun and ended, as generations. The storage records it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Following {
    /// The generation at which it was begun.
    pub opened: Option<u64>,
    /// The generation at which it was ended.
    pub closed: Option<u64>,
}

/// The storage of a version that follows another one, as one transaction reads and changes it.
///
/// The names of resources are those in the followed storage, and so are their values: an implementation transforms both, one to
/// one, and keeps the revision. A shard takes the place of the owner in [`Copies`].
pub trait Follower<K: Ord, V>: Copies<Shard, K, V> {
    /// The record about a shard.
    fn following(&self, shard: Shard) -> Following;

    /// Replaces the record.
    fn set_following(&mut self, shard: Shard, following: Following);

    /// Makes the next write of the storage have a revision after this one, and its log begin there.
    fn continue_after(&mut self, revision: u64);
}

impl Following {
    /// True if resources are copied into the shard. Once it is closed, nothing of what was read before may be written.
    pub fn is_open(&self) -> bool {
        self.opened > self.closed
    }
}

/// The reply of a storage to a request about one of its shards, whose resources have that shard as their only region.
pub fn answer<K: Name, V>(
    source: &dyn Source<Shard, K, V>,
    shard: Shard,
    request: &Request<K>,
    limit: usize,
) -> Reply<K, V> {
    match request {
        Request::Watch { after } => Watches::new(limit).watch(source, &shard, *after),
        Request::Page { after } => page(source, &shard, after.as_ref(), limit),
    }
}
