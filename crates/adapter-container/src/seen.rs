use ::adapter::{ObservedResource, spec::Proxy};
use bollard::models::{ContainerInspectResponse, ContainerState, ContainerStateStatusEnum, HealthStatusEnum};
use model::Phase;
use serde_json::{Map, Value as Json, json};

use crate::{labels, ports};

/// The address of the container in its network.
pub(crate) fn ip(container: &ContainerInspectResponse) -> Option<&str> {
    let networks = container.network_settings.as_ref()?.networks.as_ref()?;
    let addresses = networks.values().flat_map(|it| [&it.ip_address, &it.global_ipv6_address]);
    addresses.filter_map(|it| it.as_deref()).find(|it| !it.is_empty())
}

/// True if its creation was completed.
pub(crate) fn is_made(container: &ContainerInspectResponse, id: &str) -> bool {
    // Docker puts a slash before names. A container with any other name was completed and then renamed.
    container.name.as_deref().map(|it| it.trim_start_matches('/')) != Some(&labels::making(id))
}

/// True if it has ended, and is not about to be restarted.
pub(crate) fn has_ended(container: &ContainerInspectResponse) -> bool {
    use ContainerStateStatusEnum::{DEAD, EXITED, REMOVING};
    let state = container.state.as_ref();
    state.is_none_or(|it| matches!(it.status, Some(DEAD | EXITED | REMOVING)) && it.running != Some(true))
}

/// A description of the end of a container, for people.
pub(crate) fn end(container: &ContainerInspectResponse) -> String {
    let Some(state) = &container.state else { return "ended".into() };
    if state.oom_killed == Some(true) {
        return "was killed: it exceeded its memory limit".into();
    }
    match state.exit_code {
        Some(code @ 129..160) => format!("was killed by signal {}", code - 128),
        Some(code) => format!("exited with status {code}"),
        None => "ended".into(),
    }
}

/// The state of a container for callers.
pub(crate) fn seen(container: &ContainerInspectResponse, id: &str, proxies: &[Proxy]) -> ObservedResource {
    let (phase, message) = if is_made(container, id) {
        state(container)
    } else {
        (Phase::Terminated, "its creation was interrupted".to_owned())
    };
    let name = match phase {
        Phase::Active => "running",
        Phase::Pending => "starting",
        Phase::Terminated => "terminated",
    };
    let mut outputs = ports::outputs(proxies, container);
    outputs.insert("state".into(), name.into());
    outputs.insert("activity".into(), json!({"id": container.id}));
    if let Some(ip) = ip(container) {
        outputs.insert("network_node".into(), json!({"ip": ip}));
    }
    ObservedResource {
        phase,
        identity: identity(container),
        spec: Map::new(),
        outputs,
        message: Some(message),
    }
}

fn identity(container: &ContainerInspectResponse) -> Map<String, Json> {
    match json!({"id": container.id, "created": container.created}) {
        Json::Object(map) => map,
        _ => Map::new(),
    }
}

fn state(container: &ContainerInspectResponse) -> (Phase, String) {
    use ContainerStateStatusEnum::{CREATED, PAUSED, RUNNING};
    let state = container.state.as_ref();
    match state.and_then(|it| it.status) {
        _ if has_ended(container) => (Phase::Terminated, end(container)),
        Some(RUNNING) => (Phase::Active, running(container, state)),
        Some(PAUSED) => (Phase::Pending, "it is paused".into()),
        Some(CREATED) => (Phase::Terminated, "it was never started".into()),
        _ => (Phase::Pending, format!("{}, and is restarted", end(container))),
    }
}

fn running(container: &ContainerInspectResponse, state: Option<&ContainerState>) -> String {
    let id: String = container.id.iter().flat_map(|it| it.chars()).take(12).collect();
    let restarts = match container.restart_count {
        None | Some(0) => String::new(),
        Some(1) => ", restarted once".into(),
        Some(times) => format!(", restarted {times} times"),
    };
    let health = state.and_then(|it| it.health.as_ref()?.status);
    let health = if health == Some(HealthStatusEnum::UNHEALTHY) { ", but unhealthy" } else { "" };
    format!("running as container {id}{restarts}{health}")
}
