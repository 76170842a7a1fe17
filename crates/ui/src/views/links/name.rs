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
    match it.alias.as_ref().filter(|alias| **alias != it.name) {
        Some(alias) => format!("{} as {alias}", it.name),
        None => it.name.clone(),
    }
}

/// `database/pxc-mysql mysql as db`; without a name that the job has, too.
pub(super) fn provider(it: &LinkProviderView, home: &str) -> String {
    let (place, link) = (place(it, home), link(it));
    if it.job.as_ref() == Some(&link) { place } else { format!("{place} {link}") }
}

/// `api/cloud_controller_ng`, `services.web`.
pub(super) fn consumer(it: &LinkView) -> String {
    let owner = it.instance_group.as_deref().or(it.consumer.as_deref()).unwrap_or(&it.link);
    let job = it.job.as_deref().map(|it| format!("/{it}")).unwrap_or_default();
    format!("{owner}{job}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_is_called_what_tells_it_apart() {
        let check =
            |group: Option<&str>, job: Option<&str>, name: &str, alias: Option<&str>, expected: &str| {
                let text = |it: Option<&str>| it.map(str::to_owned);
                let address = if group.is_none() { Some("services.db".to_owned()) } else { None };
                let it = LinkProviderView {
                    deployment: "cf".into(),
                    instance_group: text(group),
                    job: text(job),
                    address,
                    name: name.into(),
                    alias: text(alias),
                };
                assert_eq!(provider(&it, "cf"), expected);
                assert_eq!(provider(&it, "other"), format!("cf: {expected}"));
            };
        check(Some("nats"), Some("nats-tls"), "nats", None, "nats/nats-tls nats");
        check(Some("nats"), Some("nats"), "nats", None, "nats/nats");
        check(Some("nats"), Some("nats"), "nats", Some("nats"), "nats/nats");
        check(Some("nats"), Some("nats"), "nats", Some("n"), "nats/nats nats as n");
        check(None, None, "sql", None, "services.db sql");
    }
}
