//! Who provides what for whom.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{DiagnosticView, LocationView};

/// `planloom.links/1`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinksView {
    /// `planloom.links/1`
    pub format: String,
    /// `bosh` or `strict`.
    pub profile: String,
    /// The deployments, the described one first.
    pub deployments: Vec<String>,
    /// What is offered.
    pub providers: Vec<ProviderView>,
    /// What is asked for, and what became of it.
    pub links: Vec<LinkView>,
    /// Types that are provided more than once and consumed by nobody: the next consumer would be ambiguous.
    pub latent: Vec<LatentView>,
    /// Owners that need each other through links, in circles: fine for links, of use to whoever orders by hand.
    pub circles: Vec<Vec<String>>,
    /// Jobs whose links are not known because their spec was not given, as `release/job`, and how often they are
    /// deployed.
    pub jobs_without_spec: BTreeMap<String, u32>,
    /// All that failed in the words of BOSH's director; null where nothing did.
    pub error: Option<String>,
    /// What became of links since an earlier answer; only where one is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<LinkChangeView>>,
    /// What was wrong.
    pub diagnostics: Vec<DiagnosticView>,
}

/// What became of a link. The consumer's deployment has to be deployed for it to have an effect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkChangeView {
    /// The consumer's deployment.
    pub deployment: String,
    /// The consumer's instance group; null for a native service.
    pub instance_group: Option<String>,
    /// The consumer's job; null for a native service.
    pub job: Option<String>,
    /// The native service's address; null for a job.
    pub consumer: Option<String>,
    /// What the consumer calls the link.
    pub link: String,
    /// `linked`, `unlinked`, `rewired` (another provider), `changed` (the same one tells something else).
    pub change: String,
    /// Whom it had.
    pub before: Option<LinkProviderView>,
    /// Whom it has.
    pub after: Option<LinkProviderView>,
    /// What differs of what it learns, as RFC 6901 pointers into `content`.
    pub paths: Vec<String>,
}

/// Who provides: a job of an instance group, or a native service.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkProviderView {
    /// Its deployment.
    pub deployment: String,
    /// Its instance group; null for a native service.
    pub instance_group: Option<String>,
    /// Its job; null for a native service.
    pub job: Option<String>,
    /// The native service's address; null for a job.
    pub address: Option<String>,
    /// The link's name as its maker gave it.
    pub name: String,
    /// The name it goes by instead; null where it has none.
    pub alias: Option<String>,
}

/// Something that is offered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProviderView {
    /// Who offers it.
    #[serde(flatten)]
    pub provider: LinkProviderView,
    /// `job`, `service`, `disk` or `variable`.
    pub kind: String,
    /// Its type.
    #[serde(rename = "type")]
    pub link_type: String,
    /// Other deployments may have it.
    pub shared: bool,
    /// Somebody may have it.
    pub consumable: bool,
    /// What it tells of itself, secrets hidden.
    pub properties: Json,
    /// The links that got it: indices into [`LinksView::links`]. Who would notice a change of it.
    pub links: Vec<usize>,
    /// Where it is deployed.
    pub origin: Option<LocationView>,
}

/// Something that is asked for, and what became of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinkView {
    /// The consumer's deployment.
    pub deployment: String,
    /// The consumer's instance group; null for a native service.
    pub instance_group: Option<String>,
    /// The consumer's job; null for a native service.
    pub job: Option<String>,
    /// The native service's address; null for a job.
    pub consumer: Option<String>,
    /// What the consumer calls the link.
    pub link: String,
    /// The type it needs.
    #[serde(rename = "type")]
    pub link_type: String,
    /// It can do without.
    pub optional: bool,
    /// Whoever deploys it says something about it.
    pub explicit: bool,
    /// `linked`, `absent`, `manual`, `blocked`, `ambiguous`, `none_found`, `refused`.
    pub outcome: String,
    /// Of `absent`: `no_provider`, `blocked`. Of `refused`: `no_deployment`, `not_shared`, `network`, `contract`,
    /// `broken`.
    pub reason: Option<String>,
    /// Why, as a sentence.
    pub sentence: String,
    /// Whom it got; null without one.
    pub provider: Option<LinkProviderView>,
    /// Index of that provider in [`LinksView::providers`].
    pub provider_index: Option<usize>,
    /// Who was looked at, the winner first.
    pub considered: Vec<CandidateView>,
    /// How many more were looked at.
    pub considered_more: usize,
    /// What the consumer learns; null where it learns nothing.
    pub content: Option<Json>,
    /// What failed, in the words of BOSH's director.
    pub error: Option<String>,
    /// Where the consumer is deployed, or where something is said of the link.
    pub origin: Option<LocationView>,
}

impl LinkView {
    /// Whether something has to be mended.
    pub fn has_failed(&self) -> bool {
        !matches!(self.outcome.as_str(), "linked" | "absent" | "manual")
    }
}

/// A provider that was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CandidateView {
    /// Who.
    pub provider: LinkProviderView,
    /// Its index in [`LinksView::providers`].
    pub provider_index: usize,
    /// `matched`, `broken`, `blocked`, `not_shared`, `wrong_scope`, `wrong_name`, `other_deployment`, `wrong_type`.
    pub verdict: String,
    /// Why it won or lost, as a sentence.
    pub sentence: String,
}

/// A type that is provided more than once and consumed by nobody.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LatentView {
    /// The deployment.
    pub deployment: String,
    /// The type.
    #[serde(rename = "type")]
    pub link_type: String,
    /// Who provides it: indices into [`LinksView::providers`].
    pub providers: Vec<usize>,
}

/// `planloom.preview/1`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewView {
    /// `planloom.preview/1`
    pub format: String,
    /// The template filled in; null where something in it is not run or went wrong. Secrets are hidden, what only
    /// exists at run time reads as the reference to it.
    pub text: Option<String>,
    /// What is not run, and what went wrong.
    pub diagnostics: Vec<DiagnosticView>,
}

/// Owners (instance groups, services) and who needs whom through links, with places to draw them at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinkMapView {
    /// The owners.
    pub nodes: Vec<LinkNodeView>,
    /// Who needs whom: at most one edge from one owner to another.
    pub edges: Vec<LinkEdgeView>,
    /// Of each node: left, top, width, height.
    pub boxes: Vec<[f32; 4]>,
    /// Of each edge: the points of its line, from the consumer to the provider.
    pub routes: Vec<Vec<[f32; 2]>>,
    /// Width and height of the whole.
    pub size: [f32; 2],
}

/// An instance group or a service.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkNodeView {
    /// Its deployment.
    pub deployment: String,
    /// Its name.
    pub name: String,
    /// What it provides: indices into [`LinksView::providers`].
    pub providers: Vec<usize>,
    /// What it consumes: indices into [`LinksView::links`].
    pub links: Vec<usize>,
}

/// Links from one owner to another; indices into [`LinkMapView::nodes`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkEdgeView {
    /// Who consumes.
    pub from: usize,
    /// Who provides; the same for links that an owner has to itself.
    pub to: usize,
    /// Indices into [`LinksView::links`].
    pub links: Vec<usize>,
}
