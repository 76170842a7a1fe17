use std::time::Duration;

use ::adapter::spec::Check as Usual;
use bollard::models::{ContainerInspectResponse, HealthConfig};
use protocol::{Code, Problem};
use tokio::time::{Instant, sleep};

use crate::{
    probe::Probe,
    seen,
    shared::Shared,
    spec::{Check, ServiceSpec},
};

impl Shared {
    /// Waits until a container is ready.
    ///
    /// # Errors
    /// The reason why it is not, with the end of its output.
    pub(crate) async fn until_ready(&self, id: &str, spec: &ServiceSpec) -> Result<(), Problem> {
        // Podman reports the health check of an image only with the container.
        let config = self.still_there(id).await?.config;
        let health =
            config.and_then(|it| it.healthcheck).filter(|it| it.test.as_ref().is_some_and(|it| it.len() > 1));
        let check = check(spec, health.as_ref())?;
        let (begun, limit) = (Instant::now(), spec.readiness.timeout);
        let mut probe = Probe::new(&self.engine, check, health);
        let mut pause = Duration::from_millis(20);
        loop {
            let container = self.still_there(id).await?;
            let is_running = container.state.as_ref().and_then(|it| it.running) == Some(true);
            if seen::has_ended(&container) {
                return Err(self
                    .not_ready(id, spec, format!("{} before it was ready", seen::end(&container)))
                    .await);
            }
            if is_running && probe.is_ready(&container).await {
                return Ok(());
            }
            if begun.elapsed() >= limit {
                let how = format!("was not ready within {} s: not yet {}", limit.as_secs_f32(), probe.what());
                return Err(self.not_ready(id, spec, how).await);
            }
            sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(200));
        }
    }

    async fn still_there(&self, id: &str) -> Result<ContainerInspectResponse, Problem> {
        let gone = || Problem::new(Code::Gone, "the container was removed while it was being created");
        self.engine.container(id).await?.ok_or_else(gone)
    }

    async fn not_ready(&self, id: &str, spec: &ServiceSpec, how: String) -> Problem {
        let lines = self.engine.tail(id, 4096).await.last_lines(&spec.redactor());
        let message = format!("the container {how}{lines}");
        Problem::new(Code::InvalidSpec, &message).at(spec.program(), message)
    }
}

/// The check that shows that it is ready.
fn check(spec: &ServiceSpec, health: Option<&HealthConfig>) -> Result<Check, Problem> {
    match (&spec.readiness.check, spec.proxies.first()) {
        (Some(Check::Health), _) if health.is_none() => {
            let message = "the image has no HEALTHCHECK";
            Err(Problem::new(Code::InvalidSpec, message).at("/payload/params/readiness/health", message))
        }
        (Some(check), _) => Ok(check.clone()),
        (None, _) if health.is_some() => Ok(Check::Health),
        (None, Some(proxy)) => Ok(Check::Usual(Usual::Port(proxy.remote))),
        (None, None) => Ok(Check::Usual(Usual::Alive)),
    }
}
