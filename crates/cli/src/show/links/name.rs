use workspace::view::{LinkProviderView, LinkView, ProviderView};

use crate::show::width::clean;

/// `database/pxc-mysql mysql`, `services.db sql as main`; with its deployment where that is not the one at hand.
pub(super) fn provider(it: &LinkProviderView, home: &str) -> String {
    let owner = match (&it.instance_group, &it.job, &it.address) {
        (Some(group), Some(job), _) => format!("{group}/{job} {}", it.name),
        (Some(group), None, _) => format!("{group} {}", it.name),
        (None, _, Some(address)) => format!("{address} {}", it.name),
        (None, _, None) => it.name.clone(),
    };
    let alias = it.alias.as_deref().map(|it| format!(" as {it}")).unwrap_or_default();
    let deployment = if it.deployment == home { String::new() } else { format!("{}: ", it.deployment) };
    clean(&format!("{deployment}{owner}{alias}"))
}

/// The same of some, by index.
pub(super) fn providers(indices: &[usize], all: &[ProviderView], home: &str) -> Vec<String> {
    indices.iter().filter_map(|at| all.get(*at)).map(|it| provider(&it.provider, home)).collect()
}

/// The instance group or service that consumes; with its deployment where there are several.
pub(super) fn owner(link: &LinkView, deployments: usize) -> String {
    let name = link.instance_group.as_deref().or(link.consumer.as_deref()).unwrap_or(&link.link);
    let deployment = if deployments > 1 { format!("{}: ", link.deployment) } else { String::new() };
    clean(&format!("{deployment}{name}"))
}

/// `absent`, `none found`, `refused: not shared`.
pub(super) fn outcome(link: &LinkView) -> String {
    let words = link.outcome.replace('_', " ");
    match (&link.reason, link.outcome.as_str()) {
        (Some(reason), "absent" | "refused") => format!("{words}: {}", reason.replace('_', " ")),
        _ => words,
    }
}
