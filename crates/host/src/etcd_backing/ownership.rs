use std::{
    rc::Rc,
    time::{Duration, Instant},
};

use state::etcd::{
    EtcdOptions,
    gateway::Gateway,
    wire::{Keys, RangeOptions, pairs, range},
};
use tokio::time::sleep;

use super::counters;
use crate::{HttpTransport, StoreGate, SystemTimer, TransportOptions};

/// The time for which a process counts as the owner of a store after etcd has last confirmed it.
const LEASE: Duration = Duration::from_secs(10);
/// The interval between requests to etcd.
const PAUSE: Duration = Duration::from_secs(1);
/// The timeout of an answer, of all members together.
const PATIENCE: Duration = Duration::from_secs(2);

/// A check whether this process is still the last one that has opened a store in etcd. Only that one may write, and the
/// content that the others have in memory is out of date.
#[derive(Clone, Debug)]
pub struct EtcdOwnership {
    pub(super) endpoints: Vec<String>,
    /// The key of the counters, which each process writes when it opens the store.
    pub(super) key: String,
    /// The prefix of the names of the writes of this process.
    pub(super) process: String,
    /// A time at which the store was not opened yet.
    pub(super) since: Instant,
}

/// The cause of the end of the ownership of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnershipEnd {
    /// Another process has opened the store.
    Superseded,
    /// The store is no longer in etcd.
    Removed,
}

impl OwnershipEnd {
    /// The reason why requests are refused then. Clients see it, so it has no addresses.
    const fn reason(self) -> &'static str {
        match self {
            Self::Superseded => {
                "another process has opened the store of this server since, so what this server has is out of date; use that \
                 one, or start this one again"
            }
            Self::Removed => {
                "the store of this server was removed, so what this server has is out of date; start it again"
            }
        }
    }
}

/// The reason why requests are refused while etcd confirms nothing.
const UNKNOWN: &str = "etcd has not confirmed for ten seconds that this server is the last one that has opened its store, so \
                       another one may have written to it; it is tried again each second";

impl EtcdOwnership {
    /// Reads from etcd each second which process has opened the store last. A gate is open for ten seconds after etcd has last
    /// confirmed that this process has. Returns the cause of the end of the ownership; the gate then stays shut. The store has
    /// to be open.
    ///
    /// # Errors
    /// A message for people if the system has no means to send requests.
    pub async fn guard(&self, gate: &StoreGate) -> Result<OwnershipEnd, String> {
        let gateway = self.gateway()?;
        let mut until = self.since + LEASE;
        gate.open_until(until, UNKNOWN);
        loop {
            let begun = Instant::now();
            match self.end(&gateway).await {
                Ok(None) => {
                    until = begun + LEASE;
                    gate.open_until(until, UNKNOWN);
                }
                Ok(Some(end)) => {
                    gate.shut(end.reason());
                    return Ok(end);
                }
                // Streams end when the gate is shut, and the next answer may come after the end of the lease.
                Err(_) if begun + PAUSE + PATIENCE * 2 > until => gate.shut(UNKNOWN),
                Err(_) => {}
            }
            sleep(PAUSE).await;
        }
    }

    /// A member that does not answer leaves the others time to do so.
    fn gateway(&self) -> Result<Gateway, String> {
        let each = PATIENCE / u32::try_from(self.endpoints.len().max(1)).unwrap_or(u32::MAX);
        let options =
            TransportOptions { timeout: each, connect_timeout: each, ..TransportOptions::default() };
        let transport = HttpTransport::new(options).map_err(|why| format!("cannot set up TLS: {why}"))?;
        let options = EtcdOptions { rounds: 1, ..EtcdOptions::at(self.endpoints.clone(), String::new()) };
        Ok(Gateway::new(Rc::new(transport), SystemTimer::new(), options))
    }

    /// The cause of the end of the ownership; `None` if it has not ended.
    async fn end(&self, gateway: &Gateway) -> Result<Option<OwnershipEnd>, String> {
        let body = range(&Keys::One(self.key.clone()), RangeOptions::default());
        let answer = gateway.post("/kv/range", &body).await.map_err(|why| format!("{why:?}"))?;
        let found = pairs(&answer).map_err(|why| why.to_string())?.pop();
        // A store without counters is none.
        Ok(match found {
            Some(it) if counters::is_of(&it.value, &self.process) => None,
            Some(_) => Some(OwnershipEnd::Superseded),
            None => Some(OwnershipEnd::Removed),
        })
    }
}
