//! The error messages of the BOSH director for links, verbatim.

use std::fmt::Write;

use crate::{
    Consumer, ConsumerSpec, Deployment, Link, LinkModel, Named, Outcome, Owner, Provider, ProviderId,
    ProviderSelector, Refusal, Request,
};

/// The director's message for one link; `None` if there is none.
///
/// A deployment that is not there it notices while reading, so that is a sentence of its own.
pub fn error(site: &LinkModel, link: &Link) -> Option<String> {
    let (deployment, consumer) = link.consumer(site)?;
    // It would have stopped at the provider.
    if link.is_consequence() {
        return None;
    }
    let speaker = DirectorMessages { site, deployment, consumer };
    match &link.outcome {
        Outcome::Linked(_) | Outcome::Absent(_) | Outcome::Manual | Outcome::Refused(Refusal::Broken) => None,
        Outcome::Refused(Refusal::NoDeployment) => speaker.no_deployment(),
        Outcome::Ambiguous(found) => Some(speaker.failed(found)),
        Outcome::Refused(Refusal::Network(id)) => Some(speaker.failed(&[*id])),
        Outcome::Refused(Refusal::NotShared(_) | Refusal::Contract(_))
        | Outcome::Blocked
        | Outcome::NoneFound => Some(speaker.failed(&[])),
    }
}

/// All that the director says of a site's links, deployment by deployment; `None` where nothing fails.
pub fn errors(site: &LinkModel, links: &[Link]) -> Option<String> {
    let mut text = String::new();
    for (n, deployment) in site.deployments.iter().enumerate() {
        let own = links.iter().filter(|it| it.deployment == n);
        let failed: Vec<String> = own.filter_map(|it| error(site, it)).collect();
        if failed.is_empty() {
            continue;
        }
        let break_ = if text.is_empty() { "" } else { "\n" };
        let _ = write!(
            text,
            "{break_}Failed to resolve links from deployment '{}'. See errors below:",
            deployment.name
        );
        failed.iter().for_each(|it| text.push_str(&format!("\n  - {it}")));
    }
    (!text.is_empty()).then_some(text)
}

struct DirectorMessages<'s> {
    site: &'s LinkModel,
    deployment: &'s Deployment,
    consumer: &'s Consumer,
}

impl DirectorMessages<'_> {
    fn request(&self) -> Option<&Request> {
        match &self.consumer.spec {
            ConsumerSpec::Ask(request) => Some(request),
            _ => None,
        }
    }

    /// The requested name.
    fn alias(&self) -> &Named {
        match self.request().map(|it| &it.by) {
            Some(ProviderSelector::Name { name, .. }) => name,
            _ => &self.consumer.name,
        }
    }

    fn no_deployment(&self) -> Option<String> {
        let required = self.request()?.deployment.as_ref()?;
        let (job, group) = self.place();
        Some(format!(
            "Link '{}' in job '{job}' from instance group '{group}' consumes from deployment '{}', but the \
             deployment does not exist.",
            self.alias().text,
            required.text
        ))
    }

    fn place(&self) -> (String, String) {
        let group = self.consumer.owner.group().and_then(|it| self.deployment.groups.get(it));
        let group = group.map_or_else(String::new, |it| it.name.to_string());
        (job_of(&self.consumer.owner), group)
    }

    fn failed(&self, found: &[ProviderId]) -> String {
        let mut text = self.header();
        text.push_str(if found.len() > 1 { " Multiple link providers found:" } else { " Details below:" });
        if found.is_empty() {
            text.push_str("\n    - No link providers found");
        }
        for id in found {
            text.push_str("\n    - ");
            text.push_str(&self.detail(*id));
        }
        text
    }

    /// Says which link failed.
    fn header(&self) -> String {
        let (name, alias) = (&self.consumer.name.text, &self.alias().text);
        let mut text = format!("Failed to resolve link '{name}'");
        if name != alias {
            let _ = write!(text, " with alias '{alias}'");
        }
        let _ = write!(text, " with type '{}' from ", self.consumer.link_type.text);
        if let Owner::Variable { name } = &self.consumer.owner {
            let _ = write!(text, "variable '{name}'.");
            return text;
        }
        let (job, group) = self.place();
        let _ = write!(text, "job '{job}'");
        if !group.is_empty() {
            let _ = write!(text, " in instance group '{group}'");
        }
        text.push('.');
        text
    }

    fn detail(&self, id: ProviderId) -> String {
        let deployment = &self.site.deployments[id.deployment];
        let provider = &deployment.providers[id.provider];
        let mut text = who(deployment, provider);
        if let Some(network) = self.request().and_then(|it| it.network.as_ref()) {
            let _ = match provider.owner {
                Owner::Job { .. } | Owner::Service { .. } => {
                    write!(text, " does not belong to network '{}'", network.text)
                }
                Owner::Disk { .. } | Owner::Variable { .. } => write!(text, " does not contain any networks"),
            };
        }
        text
    }
}

fn job_of(owner: &Owner) -> String {
    match owner {
        Owner::Job { job, .. } => job.to_string(),
        Owner::Service { address, .. } => address.name.to_string(),
        Owner::Disk { .. } | Owner::Variable { .. } => String::new(),
    }
}

fn who(deployment: &Deployment, provider: &Provider) -> String {
    let group = provider.owner.group().and_then(|it| deployment.groups.get(it));
    let group = group.map_or("", |it| &*it.name);
    let name = &provider.name.text;
    match &provider.owner {
        Owner::Disk { .. } => format!("Disk link provider '{name}' from instance group '{group}'"),
        Owner::Variable { name: variable } => format!("Link provider '{name}' from variable '{variable}'"),
        owner => {
            let alias = &provider.public_name().text;
            let alias = if alias == name { String::new() } else { format!(" with alias '{alias}'") };
            format!(
                "Link provider '{name}'{alias} from job '{}' in instance group '{group}' in deployment '{}'",
                job_of(owner),
                deployment.name
            )
        }
    }
}
