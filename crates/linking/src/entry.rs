//! A consumer and its outcome, as a view.

use links::{
    Candidate, Consumer, ConsumerSpec, Link, Profile, ProviderSelector, content, director, sentence,
};
use model::Redactor;

use workspace::{
    capability::{Model, link_to_json, location},
    view::{CandidateView, LinkView},
};

use crate::{
    provider::{Providers, owner},
    vocabulary,
};

pub(crate) fn view(
    model: &Model,
    link: &Link,
    providers: &Providers<'_>,
    profile: Profile,
    redactor: &Redactor,
) -> Option<LinkView> {
    let site = &model.lowered.linking.site;
    let (deployment, consumer) = link.consumer(site)?;
    let owner = owner(deployment, &consumer.owner);
    Some(LinkView {
        deployment: deployment.name.to_string(),
        instance_group: owner.instance_group,
        job: owner.job,
        consumer: owner.address,
        link: consumer.name.text.to_string(),
        link_type: consumer.link_type.text.to_string(),
        optional: consumer.optional,
        explicit: is_explicit(consumer),
        outcome: vocabulary::outcome(&link.outcome),
        reason: vocabulary::reason(&link.outcome),
        sentence: sentence::sentence(site, link),
        provider: link.provider().and_then(|it| providers.who(it)),
        provider_index: link.provider().map(|it| providers.index(it)),
        considered: link.considered.iter().filter_map(|it| candidate(model, link, *it, providers)).collect(),
        considered_more: link.more,
        content: content(site, link, profile).map(|it| link_to_json(it, redactor)),
        error: director::error(site, link),
        origin: Some(location(&model.sources, consumer.declared)),
    })
}

/// True if the deployment of the consumer determines which provider it gets, or that it gets none.
const fn is_explicit(consumer: &Consumer) -> bool {
    match &consumer.spec {
        ConsumerSpec::Ask(request) => {
            matches!(request.by, ProviderSelector::Name { .. }) || request.deployment.is_some()
        }
        ConsumerSpec::Blocked(_) | ConsumerSpec::Manual(_) | ConsumerSpec::Broken => true,
    }
}

fn candidate(
    model: &Model,
    link: &Link,
    candidate: Candidate,
    providers: &Providers<'_>,
) -> Option<CandidateView> {
    Some(CandidateView {
        provider: providers.who(candidate.provider)?,
        provider_index: providers.index(candidate.provider),
        verdict: vocabulary::verdict(candidate.verdict),
        sentence: sentence::verdict(&model.lowered.linking.site, link, candidate),
    })
}
