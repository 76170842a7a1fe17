use std::sync::Arc;

use diag::Span;
use model::Address;

use crate::{Exposure, Named};

/// The owner of a provider or a consumer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A job of an instance group.
    Job {
        /// Index into [`Deployment::groups`](crate::Deployment::groups).
        group: usize,
        /// The job.
        job: Arc<str>,
    },
    /// A native service, which is a group of its own.
    Service {
        /// Index into [`Deployment::groups`](crate::Deployment::groups).
        group: usize,
        /// Its name.
        address: Address,
    },
    /// A persistent disk of an instance group.
    Disk {
        /// Index into [`Deployment::groups`](crate::Deployment::groups).
        group: usize,
    },
    /// A generated variable.
    Variable {
        /// Its name.
        name: Arc<str>,
    },
}

impl Owner {
    /// Its group; variables have none.
    pub const fn group(&self) -> Option<usize> {
        match self {
            Self::Job { group, .. } | Self::Service { group, .. } | Self::Disk { group } => Some(*group),
            Self::Variable { .. } => None,
        }
    }
}

/// Something that is offered.
#[derive(Clone, Debug)]
pub struct Provider {
    /// The owner that provides it.
    pub owner: Owner,
    /// The byte that stands for the owner where it is deployed: a manifest's job, a service's key.
    pub declared: Span,
    /// The map there, into which a fix can write.
    pub body: Span,
    /// The map there that specifies what it provides, where that is written elsewhere, e.g. in an operation.
    pub said: Option<Span>,
    /// Its name as it was made.
    pub name: Named,
    /// The name that it has here instead.
    pub alias: Option<Named>,
    /// Its type.
    pub link_type: Named,
    /// Other deployments may have it.
    pub shared: bool,
    /// The place that forbids it to all consumers, if one does.
    pub blocked: Option<Span>,
    /// The properties that it exposes.
    pub exposure: Exposure,
    /// It cannot be selected because it has an error, which has been reported.
    pub broken: bool,
    /// Further names that DNS has for it.
    pub aliases: Vec<DnsAlias>,
}

/// A name that DNS has for the instances of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DnsAlias {
    /// The name.
    pub domain: Named,
    /// The part of an instance that replaces the `_` with which the name begins: then each instance has a name.
    pub placeholder: Option<Arc<str>>,
    /// The name that it leads to; `None` if the group has no network whose addresses count.
    pub target: Option<Arc<str>>,
}

impl Provider {
    /// The name by which consumers find it.
    pub fn public_name(&self) -> &Named {
        self.alias.as_ref().unwrap_or(&self.name)
    }

    /// True if consumers may have it.
    pub const fn is_consumable(&self) -> bool {
        self.blocked.is_none() && !self.broken
    }
}

/// The identity of a provider of a [`LinkModel`](crate::LinkModel).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProviderId {
    /// Index into [`Site::deployments`](crate::Site::deployments).
    pub deployment: usize,
    /// Index into [`Deployment::providers`](crate::Deployment::providers).
    pub provider: usize,
}
