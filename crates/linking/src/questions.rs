//! The questions that hosts ask about links.

use links::{Profile, director, impact};
use model::Redactor;
use workspace::{
    Workspace,
    capability::{Model, redactor},
    view::{EarlierLinks, LinkMapView, LinksView, PreviewView},
};

use crate::{
    changes::changes,
    entry,
    map::map,
    preview::preview,
    provider::{self, Providers},
    reading::Reading,
    renamed::renamed,
    vocabulary,
};

/// The questions that hosts ask a workspace about links.
pub trait Questions {
    /// The links: each consumer with its provider, and the reason.
    fn links(&mut self) -> LinksView;

    /// The same, with the change of each link since an earlier answer. An instance group that was renamed with
    /// `migrated_from` has the links that it had under its former name.
    fn links_since(&mut self, before: &EarlierLinks) -> LinksView;

    /// The map of links between owners, with places to draw it at.
    fn links_map(&mut self) -> LinkMapView {
        self.links_with_map().1
    }

    /// [`Self::links`] and [`Self::links_map`] at once.
    fn links_with_map(&mut self) -> (LinksView, LinkMapView) {
        let links = self.links();
        let map = map(&links);
        (links, map)
    }

    /// A job's template (`owner` is `group/job`) or a text of a service (its address), filled in with the contents
    /// of its links. `name` is the template's in diagnostics. Ruby is not run: code that only asks for links and properties
    /// is filled in, anything else is reported.
    fn preview_template(&mut self, owner: &str, name: &str, text: &str) -> PreviewView;
}

impl Questions for Workspace {
    fn links(&mut self) -> LinksView {
        let model = self.current();
        view(&model, self.profile(), &redactor(&model, &model.types))
    }

    fn links_since(&mut self, before: &EarlierLinks) -> LinksView {
        let now = self.links();
        let before = renamed(before, &self.current().lowered.linking.site);
        LinksView { changes: Some(changes(&before, &now)), ..now }
    }

    fn preview_template(&mut self, owner: &str, name: &str, text: &str) -> PreviewView {
        let model = self.current();
        let redactor = redactor(&model, &model.types);
        self.with_inputs(|inputs| preview(&model, inputs, redactor, owner, name, text))
    }
}

/// The links of what is described.
fn view(model: &Model, profile: Profile, redactor: &Redactor) -> LinksView {
    let (site, links) = (&model.lowered.linking.site, &model.lowered.linking.links);
    let providers = Providers::new(site);
    let circles = impact::cycles(site, links).into_iter();
    let jobs_without_spec = model.reading::<Reading>().into_iter().flat_map(|it| &it.jobs_without_spec);
    LinksView {
        format: "planloom.links/1".into(),
        profile: vocabulary::profile(profile),
        deployments: site.deployments.iter().map(|it| it.name.to_string()).collect(),
        providers: providers.views(model, links, profile, redactor),
        links: links.iter().filter_map(|it| entry::view(model, it, &providers, profile, redactor)).collect(),
        latent: impact::latent(site).iter().map(|it| providers.latent(it)).collect(),
        circles: circles
            .map(|it| it.into_iter().map(|group| provider::group(site, group)).collect())
            .collect(),
        jobs_without_spec: diag::order::map(jobs_without_spec.map(|(job, n)| (job.to_string(), *n))),
        error: director::errors(site, links),
        changes: None,
        diagnostics: model.diagnostic_views().to_vec(),
    }
}
