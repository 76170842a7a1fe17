use std::{collections::BTreeMap, sync::Arc};

use diag::Span;

use crate::{Address, Moved, Pointer, Value};

/// The desired state, which the descriptors ask for.
#[derive(Clone, Debug, Default)]
pub struct Desired {
    /// The deployment's name: `meta.name`, where it is written.
    pub deployment: Option<Arc<str>>,
    /// The tangible resources, in the order they are declared (collections in the order of the type definitions).
    pub resources: Vec<Arc<DesiredResource>>,
    /// The resources that have another name than when they were created.
    pub moved: Vec<Moved>,
}

impl Desired {
    /// The resource of that address.
    pub fn get(&self, address: &Address) -> Option<&DesiredResource> {
        self.resources.iter().map(|it| &**it).find(|resource| resource.address == *address)
    }
}

/// One tangible resource that the descriptors ask for.
#[derive(Clone, Debug)]
pub struct DesiredResource {
    /// Its name.
    pub address: Address,
    /// Its kind, e.g. `service`.
    pub kind: Arc<str>,
    /// A map: its attributes, embedded parts (a service's payload) in place, defaults and inferred values filled
    /// in, references to written values resolved, the others left as [`Data::Unknown`](crate::Data::Unknown).
    pub spec: Value,
    /// The text as it was written of each place in `spec` that holds a `${…}` reference or escape.
    pub templates: BTreeMap<Pointer, Arc<str>>,
    /// The place where it is declared: its key.
    pub declared: Span,
    /// The resources that it needs, each edge once per kind and place, in the order they are written.
    pub dependencies: Vec<Dependency>,
    /// The providers of its links, as written. They order nothing: values that come through a link are references besides.
    pub links: Vec<Dependency>,
    /// The packages that it runs. They order nothing: a version is chosen before anything is planned.
    pub packages: Vec<PackageUse>,
}

/// A package that a resource runs.
#[derive(Clone, Debug, PartialEq)]
pub struct PackageUse {
    /// The package's name.
    pub package: Arc<str>,
    /// The declaration that contains the dependency: the resource itself, or a part that it embeds.
    pub by: Address,
    /// The attribute of the resource that has the dependency.
    pub path: Pointer,
    /// The attribute of the resource that holds the selected version.
    pub version: Pointer,
    /// The place where that is written.
    pub span: Span,
}

/// The reason why one resource needs another.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependency {
    /// The resource that is needed.
    pub to: Address,
    /// The kind of the connection.
    pub kind: EdgeKind,
    /// The attribute of the dependent that has the dependency, e.g. `/init/0/run/args/2`.
    pub path: Pointer,
    /// The attribute of `to` that it takes; `None` for mere order. The root for "its identity".
    pub takes: Option<Pointer>,
    /// The place where that is written.
    pub span: Span,
}

/// The kind of a connection of two resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// Order only: `depends_on`.
    DependsOn,
    /// A `${…}` reference.
    Reference,
    /// It lives in the other, as a service in a network.
    Attachment,
    /// It consumes what the other provides. Links may lead in circles.
    Link,
    /// It runs a package, or one package needs another.
    Version,
}

impl EdgeKind {
    /// `depends_on`, `reference`, `attachment`, `link`, `version`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DependsOn => "depends_on",
            Self::Reference => "reference",
            Self::Attachment => "attachment",
            Self::Link => "link",
            Self::Version => "version",
        }
    }
}
