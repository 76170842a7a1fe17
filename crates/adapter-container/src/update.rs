use ::adapter::{
    Known, ObservedResource, ResourceRequest,
    spec::{differences, is_below, rebuild_required},
};
use bollard::models::ContainerUpdateBody;
use protocol::{Code, Problem};

use crate::{
    container::policy,
    engine_error::response_error,
    seen,
    shared::Shared,
    spec::{Limits, ServiceSpec},
};

/// The attributes that do not concern the engine.
const OWN: [&str; 2] = ["/labels", "/payload/params/stop/grace_seconds"];

const LIMITS: &str = "/payload/params/limits";
const RESTART: &str = "/payload/params/restart";

impl Shared {
    pub(crate) async fn update_service(
        &self,
        known: &Known,
        requested: &ResourceRequest,
    ) -> Result<ObservedResource, Problem> {
        let spec = ServiceSpec::read(&requested.spec)?;
        let old = ServiceSpec::read(&known.request.spec)?;
        let mut places = differences(&known.request.spec, &requested.spec);
        let is_grace = |it: &str| it == "/payload/params/stop" && old.stop.signal == spec.stop.signal;
        places.retain(|it| !OWN.iter().any(|own| is_below(it, own)) && !is_grace(it));
        let can = |it: &String| {
            is_below(it, RESTART) || (is_below(it, LIMITS) && !is_lifted(&old.limits, &spec.limits))
        };
        let (changes, rest): (Vec<_>, Vec<_>) = places.into_iter().partition(can);
        if !rest.is_empty() {
            return Err(rebuild_required(&rest, "container", "this cannot be changed while it runs"));
        }
        let gone = || Problem::new(Code::Gone, "the container no longer exists");
        let container = self.engine.containers(&requested.id).await?.into_iter().next().ok_or_else(gone)?;
        let id = container.id.unwrap_or_default();
        if !changes.is_empty() {
            self.tune(&id, &spec, &changes).await?;
        }
        let container = self.engine.container(&id).await?.ok_or_else(gone)?;
        Ok(seen::seen(&container, &requested.id.id, &spec.proxies))
    }

    async fn tune(&self, id: &str, spec: &ServiceSpec, changes: &[String]) -> Result<(), Problem> {
        let limits = spec.limits;
        let body = ContainerUpdateBody {
            memory: limits.memory(),
            // An engine that also counts swap uses twice the memory by default, but only at creation.
            memory_swap: limits.memory().map(|it| it.saturating_mul(2)),
            nano_cpus: limits.nano_cpus,
            pids_limit: limits.pids.map(i64::from),
            restart_policy: changes.iter().any(|it| is_below(it, RESTART)).then(|| policy(spec.restart)),
            ..Default::default()
        };
        let Err(error) = self.engine.docker.update_container(id, body).await else { return Ok(()) };
        match response_error(&error) {
            Some((404 | 405 | 501, _)) => {
                Err(rebuild_required(changes, "container", "this engine cannot change it while it runs"))
            }
            Some((status, text)) if status != 503 => {
                let message = format!("the engine rejects the change: {text}");
                Err(Problem { resource_usable: Some(true), ..Problem::new(Code::InvalidSpec, &message) }
                    .at(&changes[0], message))
            }
            _ => Err(self.engine.problem("change the container", &error)),
        }
    }
}

/// Engines can change a limit, but not remove it.
fn is_lifted(old: &Limits, new: &Limits) -> bool {
    (old.memory_mib.is_some() && new.memory_mib.is_none())
        || (old.nano_cpus.is_some() && new.nano_cpus.is_none())
        || (old.pids.is_some() && new.pids.is_none())
}
