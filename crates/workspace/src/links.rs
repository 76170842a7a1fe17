//! Who provides what for whom, as views.

mod entry;
mod map;
mod provider;

use ::links::{Profile, director, impact};

pub(crate) use map::map;

use crate::{locate::diagnostic_views, pipeline::Model, view::LinksView};
use provider::Providers;

/// The links of what is described.
pub(crate) fn view(model: &Model, profile: Profile) -> LinksView {
    let (site, links) = (&model.lowered.linking.site, &model.lowered.linking.links);
    let providers = Providers::new(site);
    let circles = impact::circles(site, links).into_iter();
    LinksView {
        format: "planloom.links/1".into(),
        profile: profile.as_str().into(),
        deployments: site.deployments.iter().map(|it| it.name.to_string()).collect(),
        providers: providers.views(model, links, profile),
        links: links.iter().filter_map(|it| entry::view(model, it, &providers, profile)).collect(),
        latent: impact::latent(site).iter().map(|it| providers.latent(it)).collect(),
        circles: circles
            .map(|it| it.into_iter().map(|group| provider::group(site, group)).collect())
            .collect(),
        jobs_without_spec: model.jobs_without_spec.iter().map(|(job, n)| (job.to_string(), *n)).collect(),
        error: director::errors(site, links),
        diagnostics: diagnostic_views(&model.sources, &model.diagnostics),
    }
}
