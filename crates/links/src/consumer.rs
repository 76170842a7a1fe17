use diag::Span;
use model::Value;

use crate::{Named, Owner};

/// Something that is requested.
#[derive(Clone, Debug)]
pub struct Consumer {
    /// The owner that consumes.
    pub owner: Owner,
    /// The byte that stands for the owner where it is deployed.
    pub declared: Span,
    /// The map there, into which a fix can write.
    pub body: Span,
    /// The map there that specifies what it consumes, where that is written elsewhere, e.g. in an operation.
    pub said: Option<Span>,
    /// The name of the link in the consumer.
    pub name: Named,
    /// The type it needs.
    pub link_type: Named,
    /// It can do without.
    pub optional: bool,
    /// The scope of the providers that it may have.
    pub scope: Scope,
    /// The declaration of the link in the deployment.
    pub spec: ConsumerSpec,
}

/// The scope of the providers that a consumer may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Anybody's.
    #[default]
    Deployment,
    /// Those of its own host, instance by instance (seed, "Per-instance Links").
    Colocated,
}

/// The deployment's specification of one consumed link.
#[derive(Clone, Debug)]
pub enum ConsumerSpec {
    /// Look for a provider.
    Ask(Request),
    /// None: where that is said.
    Blocked(Span),
    /// The content of the link is written out.
    Manual(Manual),
    /// The declaration is invalid, which has been reported.
    Broken,
}

impl ConsumerSpec {
    /// A provider of the right type, and nothing said about it.
    pub const fn implicit() -> Self {
        Self::Ask(Request {
            by: ProviderSelector::Type,
            deployment: None,
            network: None,
            ip_addresses: None,
            span: None,
        })
    }
}

/// A request for a provider, and for the way to reach it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The way in which it is found.
    pub by: ProviderSelector,
    /// In which deployment; the consumer's own where nothing is said.
    pub deployment: Option<Named>,
    /// The network whose addresses are required.
    pub network: Option<Named>,
    /// IPs (`true`) or names (`false`).
    pub ip_addresses: Option<bool>,
    /// The place of the map in which the request is written, if it is.
    pub span: Option<Span>,
}

/// The way in which a provider is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProviderSelector {
    /// There is just one of the type.
    Type,
    /// By its public name, which is written there or else is the consumer's own name for the link.
    Name {
        /// The name.
        name: Named,
        /// It is written with `from`.
        written: bool,
    },
}

/// A link that is written out.
#[derive(Clone, Debug)]
pub struct Manual {
    /// `instances`, as written.
    pub instances: Option<Value>,
    /// `properties`, as written.
    pub properties: Option<Value>,
    /// `address`, as written.
    pub address: Option<Value>,
    /// The place where it is written.
    pub span: Span,
}
