use std::{net::IpAddr, time::SystemTime};

use ::adapter::ResourceRequest;
use serde::{Deserialize, Serialize};

use crate::{prices::Prices, timestamp};

/// The record of a service, with which the next adapter on the folder can continue or end it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rental {
    /// The request, without secrets.
    pub(crate) request: ResourceRequest,
    /// The hash of the attributes that the activity depends on.
    pub(crate) hash: String,
    pub(crate) stage: Stage,
    /// The agreement; `None` until a provider has approved one.
    pub(crate) lease: Option<Lease>,
    /// The activity; `None` until it was started.
    pub(crate) activity: Option<String>,
    /// The last batch of commands that was executed.
    pub(crate) batch: Option<String>,
    /// Its place in a network.
    pub(crate) node: Option<Node>,
    /// The ports that are opened on this machine.
    pub(crate) proxies: Vec<ProxyPort>,
}

impl Rental {
    /// The record of a service of which nothing is known but that it is requested.
    pub(crate) fn begun(request: ResourceRequest) -> Self {
        Self {
            request,
            hash: String::new(),
            stage: Stage::Pending,
            lease: None,
            activity: None,
            batch: None,
            node: None,
            proxies: Vec::new(),
        }
    }
}

/// The progress of a service. Its names for users are those of dapp-runner's service states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stage {
    /// A provider is being searched.
    Pending,
    /// The activity is deployed, started, and its commands run.
    Starting,
    /// All commands have run.
    Running,
    /// It is being ended.
    Stopping,
}

impl Stage {
    /// As dapp-runner calls it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Stopping => "stopping",
        }
    }
}

/// An approved agreement with a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lease {
    pub(crate) agreement: String,
    pub(crate) provider_id: String,
    pub(crate) provider_name: String,
    pub(crate) prices: Prices,
    /// The time at which it expires, in milliseconds since 1970.
    pub(crate) expires: u64,
}

impl Lease {
    /// True if its time is over.
    pub(crate) fn is_over(&self, now: SystemTime) -> bool {
        timestamp::of_millis(self.expires) < now
    }
}

/// A service as a member of a virtual private network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Node {
    /// The identity of the network at the daemon.
    pub(crate) vpn: String,
    pub(crate) ip: IpAddr,
}

/// A port of this machine that leads to a port of a service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProxyPort {
    /// `http_proxy` or `tcp_proxy`.
    pub(crate) field: String,
    /// The pointer of the port in the spec.
    pub(crate) pointer: String,
    /// The port that was requested; a free one if there is none.
    pub(crate) local: Option<u16>,
    pub(crate) remote: u16,
}

/// A virtual private network of the daemon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NetworkRecord {
    pub(crate) request: NetworkRequest,
    /// The networks that the daemon had before this one was requested: a further one is this one.
    pub(crate) before: Vec<String>,
    /// Its identity; `None` until the daemon has answered.
    pub(crate) vpn: Option<String>,
    /// The requestor's own address in it.
    pub(crate) owner_ip: IpAddr,
    pub(crate) owner_id: String,
}

/// The request for a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NetworkRequest {
    pub(crate) id: String,
    pub(crate) deployment: String,
    pub(crate) address: String,
    pub(crate) generation: u64,
    /// The range, as address and prefix length.
    pub(crate) range: ipnet::IpNet,
    pub(crate) gateway: Option<IpAddr>,
}
