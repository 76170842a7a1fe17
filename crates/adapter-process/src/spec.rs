use std::{net::IpAddr, time::Duration};

use ::adapter::spec::{Check, Init, Proxy};
pub(crate) use ::adapter::spec::{CommandLine, Variable};
use rustix::process::Signal;

use crate::Limits;

/// The attributes of a service that runs as processes.
#[derive(Clone, Debug)]
pub(crate) struct ServiceSpec {
    /// The program that keeps running, if the payload has one.
    pub(crate) command: Option<CommandLine>,
    /// The start commands.
    pub(crate) init: Vec<Init>,
    pub(crate) env: Vec<Variable>,
    pub(crate) secrets: Vec<Variable>,
    /// The folder to start in, and its pointer.
    pub(crate) cwd: Option<(String, String)>,
    pub(crate) network: Option<String>,
    /// The first of its fixed addresses, in the descriptor's range.
    pub(crate) fixed: Option<IpAddr>,
    pub(crate) proxies: Vec<Proxy>,
    pub(crate) readiness: Readiness,
    /// The requested limits.
    pub(crate) limits: Limits,
    pub(crate) tuning: Tuning,
}

/// The rules that can be changed while it runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tuning {
    pub(crate) restart: Restart,
    pub(crate) log_limit: u64,
    pub(crate) stop: Stop,
}

#[derive(Clone, Debug)]
pub(crate) struct Readiness {
    pub(crate) check: Check,
    /// The pointer of the check.
    pub(crate) pointer: String,
    pub(crate) timeout: Duration,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Restart {
    pub(crate) policy: Policy,
    pub(crate) limit: u32,
    pub(crate) delay: Duration,
    pub(crate) max_delay: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    Never,
    OnFailure,
    Always,
}

impl Restart {
    /// The delay before a restart, after that many in a row.
    pub(crate) fn delay(&self, times: u32) -> Duration {
        self.delay.saturating_mul(1 << times.min(16)).min(self.max_delay)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) signal: Signal,
    pub(crate) grace: Duration,
}

impl Default for Stop {
    fn default() -> Self {
        Self { signal: Signal::TERM, grace: Duration::from_secs(10) }
    }
}

impl ServiceSpec {
    /// The port in `PLANLOOM_PORT`: the first proxied one, else that of the readiness check.
    pub(crate) fn port(&self) -> Option<u16> {
        self.proxies.first().map(|it| it.remote).or(self.readiness.check.port())
    }
}
