//! Who provides what for whom, as views.

mod changes;
mod entry;
mod map;
mod preview;
mod provider;

use ::links::{Profile, director, impact};
use model::Redactor;

use crate::{
    File, Workspace,
    locate::diagnostic_views,
    pipeline::{Model, ReadFile},
    secrets,
    view::{LinkMapView, LinksView, PreviewView},
};
use changes::changes;
use map::map;
use preview::preview;
use provider::Providers;

impl Workspace {
    /// Release job specs of BOSH, named `<release>__<job>.yml`, beside those among the files.
    pub fn set_releases(&mut self, files: Vec<File>) {
        self.release_files = files;
        self.releases_at = None;
        self.model = None;
    }

    /// Reads the job specs, unless that was done. They come behind all other files, so their places move with the number
    /// of those.
    pub(crate) fn read_releases(&mut self) {
        let offset = self.files.len() + self.type_files.len();
        if self.releases_at != Some(offset) {
            let read = self.release_files.iter().enumerate();
            self.releases = read.map(|(idx, file)| ReadFile::new(offset + idx, file.clone())).collect();
            self.releases_at = Some(offset);
        }
    }

    /// Whose rules count for links: `bosh` or `strict`. Whether there is a profile of that name; the one before stays
    /// where there is none.
    pub fn set_profile(&mut self, name: &str) -> bool {
        let Some(profile) = Profile::named(name) else { return false };
        self.profile = profile;
        self.model = None;
        true
    }

    /// Who provides what for whom, and why.
    pub fn links(&mut self) -> LinksView {
        let model = self.model().0.clone();
        view(&model, self.profile, &secrets::of_model(&model, &self.types))
    }

    /// The same, with what became of each link since an earlier answer.
    pub fn links_since(&mut self, before: &LinksView) -> LinksView {
        let now = self.links();
        LinksView { changes: Some(changes(before, &now)), ..now }
    }

    /// Who needs whom through links, with places to draw it at.
    pub fn links_map(&mut self) -> LinkMapView {
        self.links_with_map().1
    }

    /// [`Self::links`] and [`Self::links_map`] at once.
    pub fn links_with_map(&mut self) -> (LinksView, LinkMapView) {
        let links = self.links();
        let map = map(&links);
        (links, map)
    }

    /// How many consumers there are, and how many of them have to be mended.
    pub fn count_links(&mut self) -> (usize, usize) {
        let links = &self.model().0.lowered.linking.links;
        (links.len(), links.iter().filter(|it| !it.outcome.is_fine()).count())
    }

    /// A job's template (`owner` is `group/job`) or a text of a service (its address), filled in with what that learns
    /// of its links. `name` is the template's in diagnostics. Ruby is not run: what only asks for links and properties
    /// is filled in, anything else is told.
    pub fn preview_template(&mut self, owner: &str, name: &str, text: &str) -> PreviewView {
        let model = self.model().0.clone();
        preview(&model, &self.given(), owner, name, text)
    }
}

/// The links of what is described.
fn view(model: &Model, profile: Profile, redactor: &Redactor) -> LinksView {
    let (site, links) = (&model.lowered.linking.site, &model.lowered.linking.links);
    let providers = Providers::new(site);
    let circles = impact::circles(site, links).into_iter();
    LinksView {
        format: "planloom.links/1".into(),
        profile: profile.as_str().into(),
        deployments: site.deployments.iter().map(|it| it.name.to_string()).collect(),
        providers: providers.views(model, links, profile, redactor),
        links: links.iter().filter_map(|it| entry::view(model, it, &providers, profile, redactor)).collect(),
        latent: impact::latent(site).iter().map(|it| providers.latent(it)).collect(),
        circles: circles
            .map(|it| it.into_iter().map(|group| provider::group(site, group)).collect())
            .collect(),
        jobs_without_spec: model.jobs_without_spec.iter().map(|(job, n)| (job.to_string(), *n)).collect(),
        error: director::errors(site, links),
        changes: None,
        diagnostics: diagnostic_views(&model.sources, &model.diagnostics),
    }
}
