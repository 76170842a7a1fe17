//! Who provides what for whom.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{DiagnosticView, LocationView, closed_set::closed_set};

closed_set! {
    /// Whose rules count for links.
    #[derive(Default)]
    LinkProfile {
        /// Those of BOSH's director.
        Bosh = "bosh",
        /// Those and, beyond them, an error for what the director accepts in silence.
        #[default]
        Strict = "strict",
    }
}

closed_set! {
    /// What became of a consumer.
    #[derive(Default)]
    LinkOutcome {
        /// It has a provider.
        Linked = "linked",
        /// It is optional and has none.
        Absent = "absent",
        /// Its content is written in the deployment.
        Manual = "manual",
        /// It needs a provider, and its deployment says that it gets none.
        Blocked = "blocked",
        /// There are several providers.
        Ambiguous = "ambiguous",
        /// There is no provider.
        #[default]
        NoneFound = "none_found",
        /// There is a provider that it cannot have.
        Refused = "refused",
    }
}

impl LinkOutcome {
    /// Whether it is an error.
    pub const fn is_failure(self) -> bool {
        match self {
            Self::Linked | Self::Absent | Self::Manual => false,
            Self::Blocked | Self::Ambiguous | Self::NoneFound | Self::Refused => true,
        }
    }
}

closed_set! {
    /// Why a consumer has no provider.
    LinkReason {
        /// Nothing provides what it could use.
        NoProvider = "no_provider",
        /// Its deployment says that it gets none.
        Blocked = "blocked",
        /// The deployment that it names is not there.
        NoDeployment = "no_deployment",
        /// The provider's deployment does not share it.
        NotShared = "not_shared",
        /// The provider is not in the network that is named.
        Network = "network",
        /// The provider lacks properties that the type promises.
        Contract = "contract",
        /// The provider has no address.
        NoAddress = "no_address",
        /// What the deployment says about the link cannot be read.
        Broken = "broken",
    }
}

closed_set! {
    /// Why a candidate won or lost: the first rule that it does not meet.
    #[derive(Default)]
    Verdict {
        /// It meets all rules.
        #[default]
        Matched = "matched",
        /// It has errors of its own.
        Broken = "broken",
        /// Its deployment says that nobody gets it.
        Blocked = "blocked",
        /// It is in another deployment, which does not share it.
        NotShared = "not_shared",
        /// It is on another host.
        WrongScope = "wrong_scope",
        /// It has another name.
        WrongName = "wrong_name",
        /// It is in another deployment than the one that is named.
        OtherDeployment = "other_deployment",
        /// It is of another type.
        WrongType = "wrong_type",
    }
}

closed_set! {
    /// What provides a link.
    #[derive(Default)]
    ProviderKind {
        /// A job of an instance group.
        #[default]
        Job = "job",
        /// A native service.
        Service = "service",
        /// A disk.
        Disk = "disk",
        /// A variable.
        Variable = "variable",
    }
}

closed_set! {
    /// How a link differs from an earlier one.
    #[derive(Default)]
    LinkChangeKind {
        /// It has a provider and had none.
        #[default]
        Linked = "linked",
        /// It had a provider and has none.
        Unlinked = "unlinked",
        /// It has another provider.
        Rewired = "rewired",
        /// The same provider says something else.
        Changed = "changed",
    }
}

/// `planloom.links/1`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Links"))]
pub struct LinksView {
    /// `planloom.links/1`
    #[cfg_attr(feature = "typescript", ts(type = "\"planloom.links/1\""))]
    pub format: String,
    /// Whose rules count.
    pub profile: LinkProfile,
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
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub changes: Option<Vec<LinkChangeView>>,
    /// What was wrong.
    pub diagnostics: Vec<DiagnosticView>,
}

/// What became of a link. The consumer's deployment has to be deployed for it to have an effect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "LinkChange"))]
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
    /// How it differs.
    pub change: LinkChangeKind,
    /// Whom it had.
    pub before: Option<LinkProviderView>,
    /// Whom it has.
    pub after: Option<LinkProviderView>,
    /// What differs of what it learns, as RFC 6901 pointers into `content`.
    pub paths: Vec<String>,
}

/// Who provides: a job of an instance group, or a native service.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "LinkProvider"))]
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
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Provider"))]
pub struct ProviderView {
    /// Who offers it.
    #[serde(flatten)]
    pub provider: LinkProviderView,
    /// What provides it.
    pub kind: ProviderKind,
    /// Its type.
    #[serde(rename = "type")]
    pub link_type: String,
    /// Other deployments may have it.
    pub shared: bool,
    /// Somebody may have it.
    pub consumable: bool,
    /// What it tells of itself, secrets hidden.
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
    pub properties: Json,
    /// The links that got it: indices into [`LinksView::links`]. Who would notice a change of it.
    pub links: Vec<usize>,
    /// Where it is deployed.
    pub origin: Option<LocationView>,
}

/// Something that is asked for, and what became of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Link"))]
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
    /// What became of it.
    pub outcome: LinkOutcome,
    /// More about [`LinkOutcome::Absent`] and [`LinkOutcome::Refused`].
    pub reason: Option<LinkReason>,
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
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
    pub content: Option<Json>,
    /// What failed, in the words of BOSH's director.
    pub error: Option<String>,
    /// Where the consumer is deployed, or where something is said of the link.
    pub origin: Option<LocationView>,
}

impl LinkView {
    /// Whether something has to be mended.
    pub fn has_failed(&self) -> bool {
        self.outcome.is_failure()
    }
}

/// What of an earlier [`LinksView`] is compared with a new one: reading the rest would take code for all of it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct EarlierLinks {
    /// What was asked for, and who provided it.
    pub links: Vec<EarlierLink>,
}

/// What of an earlier [`LinkView`] is compared.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct EarlierLink {
    /// [`LinkView::deployment`].
    pub deployment: String,
    /// [`LinkView::instance_group`].
    pub instance_group: Option<String>,
    /// [`LinkView::job`].
    pub job: Option<String>,
    /// [`LinkView::consumer`].
    pub consumer: Option<String>,
    /// [`LinkView::link`].
    pub link: String,
    /// [`LinkView::provider`].
    pub provider: Option<LinkProviderView>,
    /// [`LinkView::content`].
    pub content: Option<Json>,
}

impl From<LinksView> for EarlierLinks {
    fn from(view: LinksView) -> Self {
        Self { links: view.links.into_iter().map(EarlierLink::from).collect() }
    }
}

impl From<LinkView> for EarlierLink {
    fn from(link: LinkView) -> Self {
        Self {
            deployment: link.deployment,
            instance_group: link.instance_group,
            job: link.job,
            consumer: link.consumer,
            link: link.link,
            provider: link.provider,
            content: link.content,
        }
    }
}

/// A provider that was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "LinkCandidate"))]
pub struct CandidateView {
    /// Who.
    pub provider: LinkProviderView,
    /// Its index in [`LinksView::providers`].
    pub provider_index: usize,
    /// What was found: the first rule that it does not meet.
    pub verdict: Verdict,
    /// Why it won or lost, as a sentence.
    pub sentence: String,
}

/// A type that is provided more than once and consumed by nobody.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "LatentConflict"))]
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
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TemplatePreview"))]
pub struct PreviewView {
    /// `planloom.preview/1`
    #[cfg_attr(feature = "typescript", ts(type = "\"planloom.preview/1\""))]
    pub format: String,
    /// The template filled in; null where something in it is not run or went wrong. Secrets are hidden, what only
    /// exists at run time reads as the reference to it.
    pub text: Option<String>,
    /// What is not run, and what went wrong.
    pub diagnostics: Vec<DiagnosticView>,
}

/// Owners (instance groups, services) and who needs whom through links, with places to draw them at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "LinkMap"))]
pub struct LinkMapView {
    /// The owners.
    pub nodes: Vec<LinkNodeView>,
    /// Who needs whom: at most one edge from one owner to another.
    pub edges: Vec<LinkEdgeView>,
    /// Of each node: left, top, width, height.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "[left: number, top: number, width: number, height: number][]")
    )]
    pub boxes: Vec<[f32; 4]>,
    /// Of each edge: the points of its line, from the consumer to the provider.
    #[cfg_attr(feature = "typescript", ts(type = "[x: number, y: number][][]"))]
    pub routes: Vec<Vec<[f32; 2]>>,
    /// Width and height of the whole.
    #[cfg_attr(feature = "typescript", ts(type = "[width: number, height: number]"))]
    pub size: [f32; 2],
}

/// An instance group or a service.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "LinkNode"))]
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
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "LinkEdge"))]
pub struct LinkEdgeView {
    /// Who consumes.
    pub from: usize,
    /// Who provides; the same for links that an owner has to itself.
    pub to: usize,
    /// Indices into [`LinksView::links`].
    pub links: Vec<usize>,
}
