use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    pin::Pin,
    time::Duration,
};

use ::adapter::spec::{Check as Usual, Http};
use adapter_native::probe::{MOMENT, TRY, connect, is_answered};
use bollard::{
    container::LogOutput,
    errors::Error,
    models::{ContainerInspectResponse, HealthConfig},
    query_parameters::LogsOptionsBuilder,
};
use futures_core::Stream;
use tokio::{
    io::AsyncReadExt,
    time::{Instant, timeout},
};

use crate::{engine::Engine, image::next, ports::published, seen, spec::Check};

/// The shortest time that a connection has to last: port forwarders accept connections before the service behind them listens.
const LASTS: Duration = Duration::from_millis(100);

type Log = Pin<Box<dyn Stream<Item = Result<LogOutput, Error>>>>;

/// Checks whether a container is ready.
pub(crate) struct Probe<'e> {
    engine: &'e Engine,
    check: Check,
    health: Option<HealthConfig>,
    /// The process that runs without interruption, and since when.
    alive: Option<(i64, Instant)>,
    log: Option<Log>,
    /// The end of what was read, in which a text may begin.
    read: Vec<u8>,
}

impl<'e> Probe<'e> {
    pub(crate) const fn new(engine: &'e Engine, check: Check, health: Option<HealthConfig>) -> Self {
        Self { engine, check, health, alive: None, log: None, read: Vec::new() }
    }

    /// True if it is ready now.
    pub(crate) async fn is_ready(&mut self, container: &ContainerInspectResponse) -> bool {
        let name = container.id.as_deref().unwrap_or_default();
        match self.check.clone() {
            Check::Usual(Usual::Alive) => self.lasts(container),
            Check::Usual(Usual::Port(port)) => is_open(&ways(container, port)).await,
            Check::Usual(Usual::Http(http)) => answers(&ways(container, http.port), &http).await,
            Check::Usual(Usual::Log(text)) => {
                timeout(TRY / 8, self.finds(name, text.as_bytes())).await.unwrap_or(false)
            }
            Check::Health => self.is_healthy(name, container).await,
        }
    }

    /// A description of the check, for people.
    pub(crate) fn what(&self) -> String {
        match &self.check {
            Check::Usual(Usual::Alive) => "it keeps running".into(),
            Check::Usual(Usual::Port(port)) => format!("port {port} takes connections"),
            Check::Usual(Usual::Http(Http { port, path, status: None })) => {
                format!("http port {port} answers `{path}`")
            }
            Check::Usual(Usual::Http(Http { port, path, status: Some(it) })) => {
                format!("http port {port} answers `{path}` with {it}")
            }
            Check::Usual(Usual::Log(text)) => format!("its log contains `{text}`"),
            Check::Health => "the image's health check succeeds".into(),
        }
    }

    fn lasts(&mut self, container: &ContainerInspectResponse) -> bool {
        let pid = container.state.as_ref().and_then(|it| it.pid).unwrap_or_default();
        match self.alive {
            Some((known, since)) if known == pid => since.elapsed() >= MOMENT,
            _ => {
                self.alive = Some((pid, Instant::now()));
                false
            }
        }
    }

    /// Reads the log until the text occurs.
    async fn finds(&mut self, container: &str, text: &[u8]) -> bool {
        let log = self.log.get_or_insert_with(|| {
            let options = LogsOptionsBuilder::new().stdout(true).stderr(true).follow(true).build();
            Box::pin(self.engine.docker.logs(container, Some(options)))
        });
        while let Some(Ok(piece)) = next(log).await {
            self.read.extend_from_slice(LogOutput::as_ref(&piece));
            if self.read.windows(text.len().max(1)).any(|it| it == text) {
                return true;
            }
            let from = self.read.len().saturating_sub(text.len());
            self.read.drain(..from);
        }
        // The log ended, as it does when the container is restarted.
        self.log = None;
        std::future::pending().await
    }

    /// Not every engine runs health checks by itself: Podman leaves that to systemd. So the check is run
    /// here.
    async fn is_healthy(&self, container: &str, inspected: &ContainerInspectResponse) -> bool {
        use bollard::models::HealthStatusEnum::HEALTHY;
        let reported = inspected.state.as_ref().and_then(|it| it.health.as_ref()?.status);
        let test = self.health.as_ref().and_then(|it| it.test.as_deref()).unwrap_or_default();
        let words: Vec<String> = match test.split_first() {
            _ if reported == Some(HEALTHY) => return true,
            Some((how, words)) if how == "CMD" => words.to_vec(),
            Some((how, words)) if how == "CMD-SHELL" => {
                ["/bin/sh".to_owned(), "-c".to_owned()].into_iter().chain(words.iter().cloned()).collect()
            }
            _ => return false,
        };
        let limit = self.health.as_ref().and_then(|it| it.timeout).and_then(|it| u64::try_from(it).ok());
        let limit = Duration::from_nanos(limit.filter(|it| *it > 0).unwrap_or(30_000_000_000));
        matches!(self.engine.run(container, words, Vec::new(), limit).await, Ok(done) if done.status == Some(0))
    }
}

/// The addresses of a port: the container's own, or those of this machine.
fn ways(container: &ContainerInspectResponse, port: u16) -> Vec<SocketAddr> {
    let own =
        seen::ip(container).and_then(|it| it.parse::<IpAddr>().ok()).map(|it| SocketAddr::new(it, port));
    let here =
        published(container, port).into_iter().map(|it| SocketAddr::new(Ipv4Addr::LOCALHOST.into(), it));
    own.into_iter().chain(here).collect()
}

async fn is_open(ways: &[SocketAddr]) -> bool {
    for way in ways {
        let Some(mut stream) = connect(*way).await else { continue };
        match timeout(LASTS, stream.read(&mut [0])).await {
            Err(_) | Ok(Ok(1..)) => return true,
            Ok(Ok(0) | Err(_)) if !way.ip().is_loopback() => return true,
            Ok(_) => {}
        }
    }
    false
}

async fn answers(ways: &[SocketAddr], http: &Http) -> bool {
    for way in ways {
        if let Some(is_good) = is_answered(*way, http).await {
            return is_good;
        }
    }
    false
}
