use std::{rc::Rc, time::Duration};

use state::etcd::{
    EtcdOptions,
    gateway::Gateway,
    wire::{Keys, RangeOptions, pairs, range},
};
use tokio::time::{Instant, sleep, timeout};

use super::counters;
use crate::{HttpTransport, StoreGate, SystemTimer, TransportOptions};

/// How long a process may take itself for the owner of a store after etcd has last said so.
const LEASE: Duration = Duration::from_secs(10);
/// How often etcd is asked.
const PAUSE: Duration = Duration::from_secs(1);
/// How long its answer is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether this process is still the last one that has opened a store in etcd. Only that one may write, and what the others
/// have in memory is out of date.
#[derive(Clone, Debug)]
pub struct EtcdOwnership {
    pub(super) endpoints: Vec<String>,
    /// The key of the counters, which each process writes when it opens the store.
    pub(super) key: String,
    /// What names the writes of this process.
    pub(super) process: String,
}

/// Why requests are refused after another process has opened the store. Clients see it, so it has no addresses.
const SUPERSEDED: &str = "another process has opened the store of this server since, so what this server has is out of date; \
                          use that one, or start this one again";
/// Why they are refused while etcd does not answer.
const UNKNOWN: &str = "etcd does not answer, so another process may have opened the store of this server since; it is tried \
                       again each second";

impl EtcdOwnership {
    /// Asks etcd each second who has opened the store last, and shuts a gate while it is not known that this process has:
    /// ten seconds after etcd has last confirmed it. Returns when another process has; the gate then stays shut. The store
    /// has to be open.
    ///
    /// # Errors
    /// A message for people if the system has no means to send requests.
    pub async fn guard(&self, gate: &StoreGate) -> Result<(), String> {
        let transport = HttpTransport::new(TransportOptions::default());
        let transport = transport.map_err(|why| format!("cannot set up TLS: {why}"))?;
        let options = EtcdOptions { rounds: 1, ..EtcdOptions::at(self.endpoints.clone(), String::new()) };
        let gateway = Gateway::new(Rc::new(transport), SystemTimer::new(), options);
        let mut confirmed = Instant::now();
        loop {
            let begun = Instant::now();
            match timeout(PATIENCE, self.is_owner(&gateway)).await {
                Ok(Ok(true)) => {
                    confirmed = begun;
                    gate.open();
                }
                Ok(Ok(false)) => {
                    gate.shut(SUPERSEDED);
                    return Ok(());
                }
                // The next question has to be answered before the lease ends.
                Ok(Err(_)) | Err(_) if confirmed.elapsed() + PAUSE + PATIENCE > LEASE => {
                    gate.shut(UNKNOWN);
                }
                Ok(Err(_)) | Err(_) => {}
            }
            sleep(PAUSE).await;
        }
    }

    async fn is_owner(&self, gateway: &Gateway) -> Result<bool, String> {
        let body = range(&Keys::One(self.key.clone()), RangeOptions::default());
        let answer = gateway.post("/kv/range", &body).await.map_err(|why| format!("{why:?}"))?;
        let found = pairs(&answer).map_err(|why| why.to_string())?.pop();
        // A store without counters is none: somebody has removed it.
        Ok(found.is_some_and(|it| counters::is_of(&it.value, &self.process)))
    }
}
