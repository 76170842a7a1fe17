use workspace::view::{LinkOutcome, LinkProviderView, LinkView, ProviderView};

use crate::show::width::clean;

/// `database/pxc-mysql mysql`, `services.db sql as main`; with its deployment where that is not the one at hand, and
/// without a name that the job has, too.
pub(super) fn provider(it: &LinkProviderView, home: &str) -> String {
    let owner = it.instance_group.as_deref().or(it.address.as_deref()).unwrap_or_default();
    let job = it.job.as_deref().map(|job| format!("/{job}")).unwrap_or_default();
    let deployment = if it.deployment == home { String::new() } else { format!("{}: ", it.deployment) };
    let alias = it.alias.as_deref().filter(|alias| *alias != it.name);
    let is_said = it.job.as_deref() == Some(&it.name) && alias.is_none();
    let name = if is_said { "" } else { it.name.as_str() };
    let alias = alias.map(|alias| format!(" as {alias}")).unwrap_or_default();
    clean(format!("{deployment}{owner}{job} {name}{alias}").trim())
}

/// `nats`, `router (http-router)`: the consumer's name for it, and the type if that is another word.
pub(super) fn link(link: &LinkView) -> String {
    let LinkView { link, link_type, .. } = link;
    clean(&if link == link_type { link.clone() } else { format!("{link} ({link_type})") })
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
    let word = link.outcome.word();
    match (link.reason, link.outcome) {
        (Some(reason), LinkOutcome::Absent | LinkOutcome::Refused) => format!("{word}: {}", reason.label()),
        _ => word.to_owned(),
    }
}
