//! The addresses at which resources are reached.

use serde_json::{Map, Value as Json};
use state::Snapshot;
use workspace::engine::{Report, StepState};

use super::width::clean;

/// The ports of this machine that lead to a resource.
fn ports(outputs: &Map<String, Json>) -> impl Iterator<Item = &str> {
    let proxies =
        ["http_proxy", "tcp_proxy"].into_iter().filter_map(|it| outputs.get(it)?.get("ports")?.as_array());
    proxies.flatten().filter_map(|port| port.get("address")?.as_str())
}

/// The same, after its address in its network.
pub(crate) fn places(outputs: &Map<String, Json>) -> Vec<String> {
    let node = outputs.get("network_node").and_then(|it| it.get("ip")).and_then(Json::as_str);
    node.into_iter().chain(ports(outputs)).map(Into::into).collect()
}

/// The addresses of the resources that a run has made, and the providers that they are rented from, one resource a
/// line.
pub(crate) fn made(report: &Report, snapshot: &Snapshot) -> String {
    let done = report.steps.iter().filter(|it| it.state == StepState::Done);
    let lines = done.filter_map(|step| {
        let outputs = &snapshot.resources.get(&step.address)?.outputs;
        let provider = outputs.get("agreement").and_then(|it| it.get("provider_name")).and_then(Json::as_str);
        let rented = provider.map(|it| format!("rented from {it}"));
        let parts: Vec<String> = ports(outputs).map(|it| format!("at {it}")).chain(rented).collect();
        (!parts.is_empty()).then(|| clean(&format!("  {} {}", step.address, parts.join(", "))) + "\n")
    });
    // A rebuild has two steps.
    let lines: std::collections::BTreeSet<String> = lines.collect();
    lines.into_iter().collect()
}
