use http::HeaderMap;

use crate::{Encryption, HISTORY};

/// An etcd cluster, and how a state is kept there.
#[derive(Clone, Debug)]
pub struct EtcdOptions {
    /// The addresses of its members, e.g. `http://10.0.0.1:2379`.
    pub endpoints: Vec<String>,
    /// The prefix of all keys, e.g. `planloom/shop/`.
    pub prefix: String,
    /// The gateway's path: `/v3` since etcd 3.4, `/v3beta` before.
    pub gateway: String,
    /// Headers of each request.
    pub headers: HeaderMap,
    /// The number of versions to keep.
    pub history: usize,
    /// The number of times that all addresses are tried.
    pub rounds: u32,
    /// The first pause between these, in milliseconds; each is twice as long as the one before.
    pub wait: u64,
    /// The longest pause, in milliseconds.
    pub longest_wait: u64,
    /// The encryption of snapshots and commits.
    pub encryption: Encryption,
}

impl EtcdOptions {
    /// The defaults for a cluster. The tries take some seconds in total: a cluster that lost its leader has a
    /// new one by then.
    pub fn at(endpoints: impl IntoIterator<Item = impl Into<String>>, prefix: impl Into<String>) -> Self {
        Self {
            endpoints: endpoints.into_iter().map(Into::into).collect(),
            prefix: prefix.into(),
            gateway: "/v3".into(),
            headers: HeaderMap::new(),
            history: HISTORY,
            rounds: 8,
            wait: 100,
            longest_wait: 2000,
            encryption: Encryption::none(),
        }
    }
}
