//! Links between consumers and providers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{DiagnosticView, LocationView, closed_set::closed_set};

closed_set! {
    /// The rules that links are checked against.
    #[derive(Default)]
    LinkProfile {
        /// Those of the BOSH director.
        Bosh = "bosh",
        /// Those, and errors for mistakes that the director accepts silently.
        #[default]
        Strict = "strict",
    }
}

closed_set! {
    /// The outcome of a consumer.
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
        /// There is a provider, but it cannot be selected.
        Refused = "refused",
    }
}

impl LinkOutcome {
    /// True if it is an error.
    pub const fn is_failure(self) -> bool {
        match self {
            Self::Linked | Self::Absent | Self::Manual => false,
            Self::Blocked | Self::Ambiguous | Self::NoneFound | Self::Refused => true,
        }
    }
}

closed_set! {
    /// The reason why a consumer has no provider.
    LinkReason {
        /// There is no matching provider.
        NoProvider = "no_provider",
        /// Its deployment says that it gets none.
        Blocked = "blocked",
        /// The deployment that it names does not exist.
        NoDeployment = "no_deployment",
        /// The provider's deployment does not share it.
        NotShared = "not_shared",
        /// The provider is not in the network that is named.
        Network = "network",
        /// The provider lacks properties that the type promises.
        Contract = "contract",
        /// The provider has no address.
        NoAddress = "no_address",
        /// The declaration of the link in the deployment is invalid.
        Broken = "broken",
    }
}

closed_set! {
    /// The verdict on a candidate: the first rule that it does not satisfy.
    #[derive(Default)]
    Verdict {
        /// It satisfies all rules.
        #[default]
        Matched = "matched",
        /// It has errors of its own.
        Broken = "broken",
        /// Its deployment does not offer it.
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
    /// The kind of a provider.
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
    /// The difference between a link and an earlier one.
    #[derive(Default)]
    LinkChangeKind {
        /// It has a provider and had none.
        #[default]
        Linked = "linked",
        /// It had a provider and has none.
        Unlinked = "unlinked",
        /// It has another provider.
        Rewired = "rewired",
        /// The same provider with other content.
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
    /// The profile.
    pub profile: LinkProfile,
    /// The deployments, the described one first.
    pub deployments: Vec<String>,
    /// The providers.
    pub providers: Vec<ProviderView>,
    /// The links of all consumers, with their outcomes.
    pub links: Vec<LinkView>,
    /// Types with several providers and no consumers: the next consumer would be ambiguous.
    pub latent: Vec<LatentView>,
    /// Cycles of owners through links. They are valid, and useful to know if owners are ordered manually.
    pub circles: Vec<Vec<String>>,
    /// Jobs whose links are not known because their spec was not given, as `release/job`, and how often they are
    /// deployed.
    pub jobs_without_spec: BTreeMap<String, u32>,
    /// The error message of the BOSH director for all links; null if there are no errors.
    pub error: Option<String>,
    /// The changes since an earlier answer, if one is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub changes: Option<Vec<LinkChangeView>>,
    /// The problems that were found.
    pub diagnostics: Vec<DiagnosticView>,
}

/// The change of a link. It takes effect when the deployment of the consumer is deployed.
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
    /// The name of the link in the consumer.
    pub link: String,
    /// The kind of change.
    pub change: LinkChangeKind,
    /// The provider before.
    pub before: Option<LinkProviderView>,
    /// The provider now.
    pub after: Option<LinkProviderView>,
    /// The paths in `content` that differ, as RFC 6901 pointers.
    pub paths: Vec<String>,
}

/// The owner of a provider: a job of an instance group, or a native service.
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
    /// The original name of the link.
    pub name: String,
    /// The name that the deployment gives it; null if there is none.
    pub alias: Option<String>,
}

/// A provider.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Provider"))]
pub struct ProviderView {
    /// The owner and the name.
    #[serde(flatten)]
    pub provider: LinkProviderView,
    /// The kind of the provider.
    pub kind: ProviderKind,
    /// Its type.
    #[serde(rename = "type")]
    pub link_type: String,
    /// True if it is shared with other deployments.
    pub shared: bool,
    /// True if consumers can select it.
    pub consumable: bool,
    /// The properties that it exposes, with secrets hidden.
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
    pub properties: Json,
    /// Further names that BOSH's DNS has for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<DnsAliasView>>", optional))]
    pub aliases: Vec<DnsAliasView>,
    /// The links that selected it, as indices into [`LinksView::links`]; a change of the provider affects them.
    pub links: Vec<usize>,
    /// The location of its deployment.
    pub origin: Option<LocationView>,
}

/// A name that DNS has for a provider.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DnsAlias"))]
pub struct DnsAliasView {
    /// The name. If it begins with `_.`, each instance has one, with the value of `placeholder` in place of the `_`.
    pub domain: String,
    /// `uuid`, `index`, `az` or `network`; null if all instances have the same name.
    pub placeholder: Option<String>,
    /// The name that it leads to; null if the group has no network whose addresses count.
    pub target: Option<String>,
}

/// The link of a consumer and its outcome.
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
    /// The name of the link in the consumer.
    pub link: String,
    /// The required type.
    #[serde(rename = "type")]
    pub link_type: String,
    /// True if the link is optional.
    pub optional: bool,
    /// True if the deployment configures the link.
    pub explicit: bool,
    /// The outcome.
    pub outcome: LinkOutcome,
    /// More about [`LinkOutcome::Absent`] and [`LinkOutcome::Refused`].
    pub reason: Option<LinkReason>,
    /// The reason for the outcome, as a sentence.
    pub sentence: String,
    /// The selected provider; null if there is none.
    pub provider: Option<LinkProviderView>,
    /// Index of that provider in [`LinksView::providers`].
    pub provider_index: Option<usize>,
    /// The candidates, the selected one first.
    pub considered: Vec<CandidateView>,
    /// The number of further candidates.
    pub considered_more: usize,
    /// The content of the link, as the consumer receives it; null if there is none.
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
    pub content: Option<Json>,
    /// The error message of the BOSH director.
    pub error: Option<String>,
    /// The location of the consumer, or of the declaration of the link.
    pub origin: Option<LocationView>,
}

impl LinkView {
    /// True if the link has a problem that has to be fixed.
    pub fn has_failed(&self) -> bool {
        self.outcome.is_failure()
    }
}

/// The part of an earlier [`LinksView`] that is compared with a new one. The rest is not read, to save code size.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct EarlierLinks {
    /// The links with their providers.
    pub links: Vec<EarlierLink>,
}

/// The part of an earlier [`LinkView`] that is compared.
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

/// A candidate of a link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "LinkCandidate"))]
pub struct CandidateView {
    /// The provider.
    pub provider: LinkProviderView,
    /// Its index in [`LinksView::providers`].
    pub provider_index: usize,
    /// The verdict: the first rule that the candidate does not satisfy.
    pub verdict: Verdict,
    /// The verdict as a sentence.
    pub sentence: String,
}

/// A type with several providers and no consumers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "LatentConflict"))]
pub struct LatentView {
    /// The deployment.
    pub deployment: String,
    /// The type.
    #[serde(rename = "type")]
    pub link_type: String,
    /// The providers, as indices into [`LinksView::providers`].
    pub providers: Vec<usize>,
}

/// `planloom.preview/1`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TemplatePreview"))]
pub struct PreviewView {
    /// `planloom.preview/1`
    #[cfg_attr(feature = "typescript", ts(type = "\"planloom.preview/1\""))]
    pub format: String,
    /// The rendered template; null if it has code that is not run, or errors. Secrets are hidden, and values that only
    /// exist at run time are shown as references.
    pub text: Option<String>,
    /// Code that is not run, and problems.
    pub diagnostics: Vec<DiagnosticView>,
}

/// The graph of owners (instance groups, services) and their links, with the coordinates for drawing it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "LinkMap"))]
pub struct LinkMapView {
    /// The owners.
    pub nodes: Vec<LinkNodeView>,
    /// The dependencies: at most one edge from one owner to another.
    pub edges: Vec<LinkEdgeView>,
    /// The left, top, width and height of each node.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "[left: number, top: number, width: number, height: number][]")
    )]
    pub boxes: Vec<[f32; 4]>,
    /// The points of the line of each edge, from the consumer to the provider.
    #[cfg_attr(feature = "typescript", ts(type = "[x: number, y: number][][]"))]
    pub routes: Vec<Vec<[f32; 2]>>,
    /// Width and height of the drawing.
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
    /// Its providers, as indices into [`LinksView::providers`].
    pub providers: Vec<usize>,
    /// The links that it consumes, as indices into [`LinksView::links`].
    pub links: Vec<usize>,
}

/// Links from one owner to another; indices into [`LinkMapView::nodes`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "LinkEdge"))]
pub struct LinkEdgeView {
    /// The consumer.
    pub from: usize,
    /// The provider; the same as the consumer if an owner consumes its own link.
    pub to: usize,
    /// Indices into [`LinksView::links`].
    pub links: Vec<usize>,
}
