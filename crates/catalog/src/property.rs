use std::{fmt, sync::Arc};

use diag::Span;
use syntax::Node;

use crate::{constraint::Predicate, range::Range};

/// A property of a bundle.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its data.
    pub data: PropertyData,
    /// The place where it is written.
    pub origin: Span,
}

/// The properties that the resolver uses (source: operator-registry).
#[derive(Clone, Debug)]
pub enum PropertyData {
    /// `olm.package`: the package and version of the bundle.
    Package {
        /// The package's name.
        name: Arc<str>,
        /// The version as it is written.
        version: Arc<str>,
    },
    /// `olm.package.required`.
    PackageRequired(PackageRange),
    /// `olm.gvk`: an API that it provides.
    Gvk(Gvk),
    /// `olm.gvk.required`.
    GvkRequired(Gvk),
    /// `olm.constraint`: a condition that one bundle has to meet.
    Constraint(Arc<Predicate>),
    /// `olm.maxOpenShiftVersion`: major and minor.
    MaxOpenShift(u64, u64),
    /// `minKubeVersion` of `olm.csv.metadata`.
    MinKube(Arc<str>),
    /// `olm.label`.
    Label(Arc<str>),
    /// `olm.label.required`.
    LabelRequired(Arc<str>),
    /// `olm.deprecated`.
    Deprecated,
    /// Any other property, as it is written; the large ones (`olm.bundle.object`, the rest of
    /// `olm.csv.metadata`) are null.
    Other {
        /// Its type.
        kind: Arc<str>,
        /// Its value.
        value: Node,
    },
}

impl PropertyData {
    /// The type that it is written with.
    pub fn kind(&self) -> &str {
        match self {
            Self::Package { .. } => "olm.package",
            Self::PackageRequired(_) => "olm.package.required",
            Self::Gvk(_) => "olm.gvk",
            Self::GvkRequired(_) => "olm.gvk.required",
            Self::Constraint(_) => "olm.constraint",
            Self::MaxOpenShift(..) => "olm.maxOpenShiftVersion",
            Self::MinKube(_) => "olm.csv.metadata",
            Self::Label(_) => "olm.label",
            Self::LabelRequired(_) => "olm.label.required",
            Self::Deprecated => "olm.deprecated",
            Self::Other { kind, .. } => kind,
        }
    }
}

/// A package and a range of its versions.
#[derive(Clone, Debug)]
pub struct PackageRange {
    /// The package's name.
    pub package: Arc<str>,
    /// The range, in the dialect of catalogs.
    pub range: Range,
}

/// An API of Kubernetes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gvk {
    /// Such as `rabbitmq.com`.
    pub group: Arc<str>,
    /// Such as `v1beta1`.
    pub version: Arc<str>,
    /// Such as `RabbitmqCluster`.
    pub kind: Arc<str>,
}

impl fmt::Display for Gvk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}/{})", self.kind, self.group, self.version)
    }
}
