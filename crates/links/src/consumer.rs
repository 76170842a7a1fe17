use diag::Span;
use model::Value;

use crate::{Named, Owner};

/// Something that is requested.
#[derive(Clone, Debug)]
pub struct Consumer {
    /// Who asks.
    pub owner: Owner,
    /// The byte that stands for the owner where it is deployed.
    pub declared: Span,
    /// The map there, into which a fix can write.
    pub body: Span,
    /// The map of what is said there of what it consumes, where that is written elsewhere, e.g. in an operation.
    pub said: Option<Span>,
    /// The name of the link in the consumer.
    pub name: Named,
    /// The type it needs.
    pub link_type: Named,
    /// It can do without.
    pub optional: bool,
    /// Whose links it may have.
    pub scope: Scope,
    /// The declaration of the link in the deployment.
    pub spec: ConsumerSpec,
}

/// Whose links a consumer may have.
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

/// Which provider, and how it is to be reached.
#[derive(Clone, Debug)]
pub struct Request {
    /// How it is found.
    pub by: ProviderSelector,
    /// In which deployment; the consumer's own where nothing is said.
    pub deployment: Option<Named>,
    /// The network whose addresses are required.
    pub network: Option<Named>,
    /// IPs (`true`) or names (`false`).
    pub ip_addresses: Option<bool>,
    /// Where something is said.
    pub span: Option<Span>,
}

/// How a provider is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProviderSelector {
    /// There is just one of the type.
    Type,
    /// By the name it goes by, which is written there or else is the consumer's own name for the link.
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
    /// Where it is written.
    pub span: Span,
}
