use std::net::{Ipv4Addr, SocketAddr};

use ::adapter::spec::{Check, Http};
use adapter_native::probe::{MOMENT, connect, is_answered};
use tokio::time::Instant;

use crate::log::{Log, Reader};

/// Checks whether a process is ready.
#[derive(Debug)]
pub(crate) struct Probe {
    check: Check,
    ip: Ipv4Addr,
    since: Instant,
    reader: Reader,
}

impl Probe {
    /// A probe of a process whose output begins at that position of the log.
    pub(crate) fn new(check: Check, ip: Ipv4Addr, log: &Log, from: u64) -> Self {
        Self { check, ip, since: Instant::now(), reader: log.reader(from) }
    }

    /// True if it is ready now.
    pub(crate) async fn is_ready(&mut self) -> bool {
        match &self.check {
            Check::Alive => self.since.elapsed() >= MOMENT,
            Check::Port(port) => is_open(self.at(*port)).await,
            Check::Http(http) => is_answered(self.at(http.port), http).await.unwrap_or(false),
            Check::Log(text) => self.reader.finds(text),
        }
    }

    fn at(&self, port: u16) -> SocketAddr {
        SocketAddr::new(self.ip.into(), port)
    }

    /// A description of the check, for people.
    pub(crate) fn what(&self) -> String {
        let ip = self.ip;
        match &self.check {
            Check::Alive => "it keeps running".into(),
            Check::Port(port) => format!("{ip}:{port} takes connections"),
            Check::Http(Http { port, path, status: None }) => format!("http://{ip}:{port}{path} answers"),
            Check::Http(Http { port, path, status: Some(it) }) => {
                format!("http://{ip}:{port}{path} answers {it}")
            }
            Check::Log(text) => format!("its log contains `{text}`"),
        }
    }
}

pub(crate) async fn is_open(at: SocketAddr) -> bool {
    connect(at).await.is_some()
}
