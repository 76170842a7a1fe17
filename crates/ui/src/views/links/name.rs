use workspace::view::{LinkProviderView, LinkView};

/// The instance group or service of a provider.
pub(super) fn owner(it: &LinkProviderView) -> &str {
    it.instance_group.as_deref().or(it.address.as_deref()).unwrap_or(&it.name)
}

/// `database/pxc-mysql`, `services.db`; with its deployment where that is another one.
pub(super) fn place(it: &LinkProviderView, home: &str) -> String {
    let job = it.job.as_deref().map(|it| format!("/{it}")).unwrap_or_default();
    let deployment = if it.deployment == home { String::new() } else { format!("{}: ", it.deployment) };
    format!("{deployment}{}{job}", owner(it))
}

/// `mysql`, `mysql as db`.
pub(super) fn link(it: &LinkProviderView) -> String {
    match &it.alias {
        Some(alias) => format!("{} as {alias}", it.name),
        None => it.name.clone(),
    }
}

/// `database/pxc-mysql mysql as db`.
pub(super) fn provider(it: &LinkProviderView, home: &str) -> String {
    format!("{} {}", place(it, home), link(it))
}

/// `api/cloud_controller_ng`, `services.web`.
pub(super) fn consumer(it: &LinkView) -> String {
    let owner = it.instance_group.as_deref().or(it.consumer.as_deref()).unwrap_or(&it.link);
    let job = it.job.as_deref().map(|it| format!("/{it}")).unwrap_or_default();
    format!("{owner}{job}")
}

/// `1 link`, `2 links`.
pub(super) fn count(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
