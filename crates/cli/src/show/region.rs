//! The state of regions as text.

use std::fmt::Write as _;

use api::{CopyStatus, RegionStatus};

use crate::console::Console;
use crate::show::columns::columns;
use crate::verbs::region::{DeploymentView, ServerView};

/// The regions of each service, and a line for each region and what it copies.
pub(crate) fn text(servers: &[ServerView], console: Console) -> String {
    let known: Vec<&RegionStatus> = servers.iter().filter_map(|it| it.status.as_ref()).collect();
    let mut text = String::new();
    for (service, regions) in
        known.iter().flat_map(|it| &it.services).collect::<std::collections::BTreeMap<_, _>>()
    {
        let name = |it: &std::sync::Arc<str>| match *it == regions.default_control_region {
            true => format!("{it} (control region)"),
            false => it.to_string(),
        };
        let names: Vec<String> = regions.enabled_regions.iter().map(name).collect();
        let _infallible = writeln!(text, "{}  {}", console.out.bold(service), names.join(", "));
    }
    let mut rows = vec![
        ["Server", "Region", "Revision", "Copies", "Up to", "Pending", "State"].map(str::to_owned).to_vec(),
    ];
    for server in servers {
        let Some(status) = &server.status else { continue };
        let region = [server.url.clone(), status.region.to_string(), status.revision.to_string()];
        let pending = (status.pending_requests + status.pending_work).to_string();
        let state = if status.is_outdated { "writes the regions of resources again" } else { "" };
        if status.copies.is_empty() {
            rows.push(
                region.iter().cloned().chain(["-".into(), String::new(), pending, state.into()]).collect(),
            );
            continue;
        }
        for (at, copy) in status.copies.iter().enumerate() {
            let first = if at == 0 { region.clone() } else { Default::default() };
            let pending = if at == 0 { pending.clone() } else { String::new() };
            let from = format!("{} of {}", copy.owner.service, copy.owner.region);
            let state = if state.is_empty() { state_of(copy) } else { state.to_owned() };
            rows.push(first.into_iter().chain([from, copy.complete.to_string(), pending, state]).collect());
        }
    }
    let room = console.width;
    for row in columns(&rows, &[false, false, false, false, false, false, true], room, 2) {
        let _infallible = writeln!(text, "{}", row.join("  ").trim_end());
    }
    text
}

/// The versions of services, a line for each deployment.
pub(crate) fn versions(deployments: &[DeploymentView], console: Console) -> String {
    let mut rows = vec![["Service", "Region", "Version", "Newest that fits"].map(str::to_owned).to_vec()];
    for DeploymentView { deployment, current, newest } in deployments {
        let newest = newest.as_deref().unwrap_or("-");
        rows.push(
            [&*deployment.service, &*deployment.region, &**current, newest].map(str::to_owned).to_vec(),
        );
    }
    let lines = columns(&rows, &[false, false, false, true], console.width, 2);
    lines.iter().map(|it| format!("{}\n", it.join("  ").trim_end())).collect()
}

fn state_of(copy: &CopyStatus) -> String {
    match &copy.error {
        Some(error) => format!("{} {error}", copy.owner.region),
        None if copy.last_reply.is_none() => "has not replied yet".to_owned(),
        None if copy.reads_snapshot => "reads a snapshot".to_owned(),
        None => "follows".to_owned(),
    }
}
