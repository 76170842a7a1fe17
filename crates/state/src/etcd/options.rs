use http::HeaderMap;

use crate::{Encryption, HISTORY};

/// Where an etcd cluster is, and what is kept there.
#[derive(Clone, Debug)]
pub struct EtcdOptions {
    /// The addresses of its members, e.g. `http://10.0.0.1:2379`.
    pub endpoints: Vec<String>,
    /// What the keys begin with, e.g. `planloom/shop/`.
    pub prefix: String,
    /// The gateway's path: `/v3` since etcd 3.4, `/v3beta` before.
    pub gateway: String,
    /// Sent with each request.
    pub headers: HeaderMap,
    /// How many versions are kept.
    pub history: usize,
    /// How often all addresses are tried.
    pub rounds: u32,
    /// The first wait between that, in milliseconds; each is twice the one before.
    pub wait: u64,
    /// The longest wait, in milliseconds.
    pub longest_wait: u64,
    /// Whether snapshots and commits are encrypted.
    pub encryption: Encryption,
}

impl EtcdOptions {
    /// With what usually does. The tries last for some seconds: a cluster that lost its leader has a new one by then.
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
