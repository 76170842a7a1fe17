use std::sync::Arc;

use crate::{Consumer, Deployment, LinkModel, ProviderId};

/// The resolution of one consumer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Index into [`LinkModel::deployments`].
    pub deployment: usize,
    /// Index into [`Deployment::consumers`].
    pub consumer: usize,
    /// The outcome.
    pub outcome: Outcome,
    /// The providers that were considered: those of its type, and those whose name it asks for. The one that won comes
    /// first, then those that nearly did; at most [`Candidate::MOST`].
    pub considered: Vec<Candidate>,
    /// The number of further ones that were considered.
    pub more: usize,
}

impl Link {
    /// Its consumer, with the consumer's deployment.
    pub fn consumer<'s>(&self, site: &'s LinkModel) -> Option<(&'s Deployment, &'s Consumer)> {
        let deployment = site.deployments.get(self.deployment)?;
        Some((deployment, deployment.consumers.get(self.consumer)?))
    }

    /// True if it leads nowhere only because the provider that would fit is wrong in itself.
    pub fn is_consequence(&self) -> bool {
        let broken = |it: &Candidate| it.verdict == Verdict::Broken;
        self.outcome == Outcome::NoneFound && self.considered.first().is_some_and(broken)
    }

    /// The provider it got.
    pub const fn provider(&self) -> Option<ProviderId> {
        match self.outcome {
            Outcome::Linked(provider) => Some(provider),
            _ => None,
        }
    }
}

/// The outcome of resolving a consumer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has a provider.
    Linked(ProviderId),
    /// It does without.
    Absent(Absence),
    /// Its content is written out.
    Manual,
    /// It needs one, and its declaration forbids any.
    Blocked,
    /// There are several.
    Ambiguous(Arc<[ProviderId]>),
    /// There is none.
    NoneFound,
    /// There is one that it cannot have.
    Refused(Refusal),
}

impl Outcome {
    /// `linked`, `absent`, `manual`, `blocked`, `ambiguous`, `none_found`, `refused`.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Linked(_) => "linked",
            Self::Absent(_) => "absent",
            Self::Manual => "manual",
            Self::Blocked => "blocked",
            Self::Ambiguous(_) => "ambiguous",
            Self::NoneFound => "none_found",
            Self::Refused(_) => "refused",
        }
    }

    /// True if nothing has to be fixed.
    pub const fn is_fine(&self) -> bool {
        matches!(self, Self::Linked(_) | Self::Absent(_) | Self::Manual)
    }
}

/// The reason why a consumer has no provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// There is no provider that it could use.
    NoProvider,
    /// Its declaration forbids any.
    Blocked,
}

/// The reason why a consumer cannot have a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Its deployment is not there.
    NoDeployment,
    /// The provider's deployment does not share it. Only in [`Profile::Strict`](crate::Profile::Strict).
    NotShared(ProviderId),
    /// The provider is not in the network that is requested.
    Network(ProviderId),
    /// The provider does not tell what the type promises.
    Contract(ProviderId),
    /// The declaration of the link in the deployment is invalid.
    Broken,
}

/// A provider that was considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The provider.
    pub provider: ProviderId,
    /// The verdict.
    pub verdict: Verdict,
}

impl Candidate {
    /// The largest number of candidates that are listed.
    pub const MOST: usize = 40;
}

/// The reason why a candidate won or lost: the first rule that it does not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It meets all.
    Matched,
    /// It is wrong in itself.
    Broken,
    /// It is forbidden to all consumers.
    Blocked,
    /// It is in another deployment, which does not share it.
    NotShared,
    /// It is on another host.
    WrongScope,
    /// It is called otherwise.
    WrongName,
    /// It is in another deployment than the one that is asked.
    OtherDeployment,
    /// It is of another type.
    WrongType,
}
