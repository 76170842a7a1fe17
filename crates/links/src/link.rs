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
    /// Who was looked at: those of its type, and those whose name it asks for. The one that won comes first, then
    /// those that nearly did; at most [`Candidate::MOST`].
    pub considered: Vec<Candidate>,
    /// How many more were looked at.
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
    /// It is told what is written.
    Manual,
    /// It needs one, and is told to have none.
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

/// Why a consumer does without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// Nobody provides what it could use.
    NoProvider,
    /// It is told to.
    Blocked,
}

/// Why a consumer cannot have a provider.
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

/// A provider that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Which.
    pub provider: ProviderId,
    /// The verdict.
    pub verdict: Verdict,
}

impl Candidate {
    /// How many are listed.
    pub const MOST: usize = 40;
}

/// Why a candidate won or lost: the first rule that it does not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It meets all.
    Matched,
    /// It is wrong in itself.
    Broken,
    /// Nobody may have it.
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
