//! The reasons for links, in sentences for people.

use crate::{
    Absence, Candidate, Consumer, ConsumerSpec, Link, LinkModel, Named, Outcome, Provider, ProviderSelector,
    Refusal, Request, Scope, Verdict, names,
};

/// The reason for the outcome of a link.
pub fn sentence(site: &LinkModel, link: &Link) -> String {
    let Some((deployment, consumer)) = link.consumer(site) else { return String::new() };
    let owner = names::owner(deployment, &consumer.owner);
    let (name, kind) = (&consumer.name.text, &consumer.link_type.text);
    match &link.outcome {
        Outcome::Linked(id) => {
            let provider = names::provider(site, *id, link.deployment);
            format!("{owner} gets {provider}, {}", because(consumer))
        }
        Outcome::Absent(Absence::NoProvider) => {
            format!("No provider of `{kind}` exists, and the link is optional for {owner}.")
        }
        Outcome::Absent(Absence::Blocked) => format!("`{name}` of {owner} is set to nil."),
        Outcome::Manual => format!("{owner} has a manual link: its content is written where it is deployed."),
        Outcome::Blocked => format!("{owner} requires `{name}`, but it is set to nil."),
        Outcome::Ambiguous(found) => {
            format!("{} providers match, and {owner} does not name one of them.", found.len())
        }
        Outcome::NoneFound => match link.considered.first() {
            Some(Candidate { verdict: Verdict::Blocked, provider }) => {
                let provider = names::provider(site, *provider, link.deployment);
                format!("{provider} matches, but is set to have no consumers.")
            }
            _ => none_found(&owner, consumer),
        },
        Outcome::Refused(refusal) => refused(site, link, &owner, *refusal),
    }
}

fn because(consumer: &Consumer) -> String {
    let kind = &consumer.link_type.text;
    match &consumer.spec {
        ConsumerSpec::Ask(Request { by: ProviderSelector::Name { name, written: true }, .. }) => {
            format!("the only `{kind}` that is called `{}`.", name.text)
        }
        ConsumerSpec::Ask(Request { by: ProviderSelector::Name { name, .. }, .. }) => {
            format!("the only `{kind}` that has the link's own name, `{}`.", name.text)
        }
        _ if consumer.scope == Scope::Colocated => format!("the only `{kind}` on its own host."),
        _ => format!("the only provider of `{kind}`."),
    }
}

fn none_found(owner: &str, consumer: &Consumer) -> String {
    let kind = &consumer.link_type.text;
    match &consumer.spec {
        ConsumerSpec::Ask(Request { by: ProviderSelector::Name { name, .. }, .. }) => {
            format!("No `{kind}` is called `{}`, which {owner} requests.", name.text)
        }
        _ if consumer.scope == Scope::Colocated => {
            format!("No provider of `{kind}` is on the host of {owner}, which requires it.")
        }
        _ => format!("No provider of `{kind}` exists, which {owner} requires."),
    }
}

fn refused(site: &LinkModel, link: &Link, owner: &str, refusal: Refusal) -> String {
    let request = link.consumer(site).and_then(|(_, it)| match &it.spec {
        ConsumerSpec::Ask(request) => Some(request),
        _ => None,
    });
    let text = |named: Option<&Named>| named.map_or_else(String::new, |it| it.text.to_string());
    match refusal {
        Refusal::NoDeployment => {
            format!("There is no deployment `{}`.", text(request.and_then(|it| it.deployment.as_ref())))
        }
        Refusal::NotShared(id) => {
            format!("{} is not shared with other deployments.", names::provider(site, id, link.deployment))
        }
        Refusal::Network(id) => format!(
            "{} is not in the network `{}`, which {owner} requests.",
            names::provider(site, id, link.deployment),
            text(request.and_then(|it| it.network.as_ref()))
        ),
        Refusal::Contract(id) => {
            format!(
                "{} does not provide all that its type promises.",
                names::provider(site, id, link.deployment)
            )
        }
        Refusal::Broken => format!("The settings of {owner}'s link are not valid."),
    }
}

/// The reason why a candidate won or lost.
pub fn verdict(site: &LinkModel, link: &Link, candidate: Candidate) -> String {
    let deployment = &site.deployments[candidate.provider.deployment];
    let provider: &Provider = &deployment.providers[candidate.provider.provider];
    let known = &provider.public_name().text;
    match candidate.verdict {
        Verdict::Matched if link.provider() == Some(candidate.provider) => "It is the provider.".into(),
        Verdict::Matched => "It matches.".into(),
        Verdict::Broken => "It has errors of its own.".into(),
        Verdict::Blocked => "It is set to nil, so it has no consumers.".into(),
        Verdict::NotShared => format!("`{}` does not share it.", deployment.name),
        Verdict::WrongScope => "It is on another host.".into(),
        Verdict::WrongName if *known != provider.name.text => {
            format!("It is called `{known}` now, not `{}`.", provider.name.text)
        }
        Verdict::WrongName => format!("It is called `{known}`."),
        Verdict::OtherDeployment => format!("It is in the deployment `{}`.", deployment.name),
        Verdict::WrongType => format!("Its type is `{}`.", provider.link_type.text),
    }
}
