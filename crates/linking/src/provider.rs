//! Providers as views.

use links::{
    Deployment, DnsAlias, Link, LinkModel, Owner, Profile, Provider, ProviderId, expose,
    impact::{self, GroupId},
};
use model::Redactor;

use workspace::{
    capability::{Model, link_to_json, location},
    view::{DnsAliasView, LatentView, LinkProviderView, ProviderView},
};

use crate::vocabulary;

/// The providers of a site, numbered through.
pub(crate) struct Providers<'s> {
    site: &'s LinkModel,
    /// By deployment: the number of its first provider.
    first: Vec<usize>,
}

impl<'s> Providers<'s> {
    pub(crate) fn new(site: &'s LinkModel) -> Self {
        let first = site.deployments.iter().scan(0, |next, it| {
            let first = *next;
            *next += it.providers.len();
            Some(first)
        });
        Self { site, first: first.collect() }
    }

    /// The number of a provider.
    pub(crate) fn index(&self, id: ProviderId) -> usize {
        self.first.get(id.deployment).copied().unwrap_or_default() + id.provider
    }

    fn get(&self, id: ProviderId) -> Option<(&'s Deployment, &'s Provider)> {
        let deployment = self.site.deployments.get(id.deployment)?;
        Some((deployment, deployment.providers.get(id.provider)?))
    }

    /// The view of a provider.
    pub(crate) fn who(&self, id: ProviderId) -> Option<LinkProviderView> {
        self.get(id).map(|(deployment, provider)| who(deployment, provider))
    }

    pub(crate) fn latent(&self, providers: &[ProviderId]) -> LatentView {
        let first = providers.first().and_then(|it| self.get(*it));
        LatentView {
            deployment: first.map(|(it, _)| it.name.to_string()).unwrap_or_default(),
            link_type: first.map(|(_, it)| it.link_type.text.to_string()).unwrap_or_default(),
            providers: providers.iter().map(|it| self.index(*it)).collect(),
        }
    }

    pub(crate) fn views(
        &self,
        model: &Model,
        links: &[Link],
        profile: Profile,
        redactor: &Redactor,
    ) -> Vec<ProviderView> {
        let mut users = impact::consumers_by_provider(links);
        let all = self.site.deployments.iter().enumerate().flat_map(|(n, deployment)| {
            let providers = deployment.providers.iter().enumerate();
            providers.map(move |(m, it)| (ProviderId { deployment: n, provider: m }, deployment, it))
        });
        let view = |(id, deployment, it): (_, &Deployment, &Provider)| ProviderView {
            provider: who(deployment, it),
            kind: vocabulary::provider_kind(&it.owner),
            link_type: it.link_type.text.to_string(),
            shared: it.shared,
            consumable: it.is_consumable(),
            properties: link_to_json(expose(&it.exposure, profile).properties, redactor),
            aliases: it.aliases.iter().map(alias).collect(),
            links: users.remove(&id).unwrap_or_default(),
            origin: Some(location(&model.sources, it.declared)),
        };
        all.map(view).collect()
    }
}

fn alias(alias: &DnsAlias) -> DnsAliasView {
    DnsAliasView {
        domain: alias.domain.text.to_string(),
        placeholder: alias.placeholder.as_ref().map(ToString::to_string),
        target: alias.target.as_ref().map(ToString::to_string),
    }
}

fn who(deployment: &Deployment, provider: &Provider) -> LinkProviderView {
    let owner = owner(deployment, &provider.owner);
    LinkProviderView {
        deployment: deployment.name.to_string(),
        instance_group: owner.instance_group,
        job: owner.job,
        address: owner.address,
        name: provider.name.text.to_string(),
        alias: provider
            .alias
            .as_ref()
            .filter(|it| it.text != provider.name.text)
            .map(|it| it.text.to_string()),
    }
}

/// An owner in the words of views.
#[derive(Default)]
pub(crate) struct OwnerView {
    pub(crate) instance_group: Option<String>,
    pub(crate) job: Option<String>,
    pub(crate) address: Option<String>,
}

pub(crate) fn owner(deployment: &Deployment, owner: &Owner) -> OwnerView {
    let group = owner.group().and_then(|it| deployment.groups.get(it)).map(|it| it.name.to_string());
    match owner {
        Owner::Job { job, .. } => {
            OwnerView { instance_group: group, job: Some(job.to_string()), address: None }
        }
        Owner::Service { address, .. } => {
            OwnerView { address: Some(address.to_string()), ..OwnerView::default() }
        }
        Owner::Disk { .. } => OwnerView { instance_group: group, ..OwnerView::default() },
        Owner::Variable { .. } => OwnerView::default(),
    }
}

/// A group's name.
pub(crate) fn group(site: &LinkModel, (deployment, group): GroupId) -> String {
    let group = site.deployments.get(deployment).and_then(|it| it.groups.get(group));
    group.map(|it| it.name.to_string()).unwrap_or_default()
}
