use std::sync::Arc;

use diag::Span;

use crate::{
    Bundle,
    range::{Dialect, Range},
    version::Version,
};

/// A request to resolve packages of catalogs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The rules that apply.
    pub profile: Profile,
    /// The requirements, in the order in which choices are made.
    pub requirements: Vec<Requirement>,
    /// The installed bundles.
    pub installed: Vec<Installed>,
    /// The cluster that the bundles have to run on.
    pub runtime: Runtime,
    /// The names of the catalogs to use; if empty, all of them.
    pub sources: Vec<Arc<str>>,
    /// The namespace of the request, as messages of OLM 0 name it; `default` if it is not given.
    pub namespace: Option<Arc<str>>,
}

/// The rules of a version of OLM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// OLM 0: one chain of replacements per channel, the closest to its head first; a bundle in two channels is two.
    V0,
    /// OLM 1: any edge of any channel, highest version first, ranges of users in the dialect of Masterminds; but
    /// requirements of bundles are resolved, where OLM 1 refuses them.
    #[default]
    V1,
    /// The first proposal: default channel first, then highest version.
    Phase0,
}

impl Request {
    pub(crate) fn namespace(&self) -> &str {
        self.namespace.as_deref().unwrap_or("default")
    }
}

impl Profile {
    /// The names of the profiles.
    pub const NAMES: [&'static str; 3] = ["v0", "v1", "phase0"];

    /// The profile with a name.
    pub fn of_name(name: &str) -> Option<Self> {
        match name {
            "v0" => Some(Self::V0),
            "v1" => Some(Self::V1),
            "phase0" => Some(Self::Phase0),
            _ => None,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V0 => "v0",
            Self::V1 => "v1",
            Self::Phase0 => "phase0",
        }
    }

    /// The dialect in which ranges of requirements are read.
    pub const fn dialect(self) -> Dialect {
        match self {
            Self::V1 => Dialect::Masterminds,
            Self::V0 | Self::Phase0 => Dialect::Blang,
        }
    }
}

/// A package that is requested.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Requirement {
    /// The name of the requirement, unique in its request: `payloads.queue`, the name of a subscription.
    pub name: Arc<str>,
    /// The package's name.
    pub package: Arc<str>,
    /// The permitted versions, in the dialect of the profile; all of them if there is none.
    pub range: Option<Range>,
    /// The permitted channels; all of them if empty.
    pub channels: Vec<Arc<str>>,
    /// The permitted catalog; any of them if there is none.
    pub catalog: Option<Arc<str>>,
    /// The name of the bundle to start with if nothing is installed (`startingCSV` in OLM 0).
    pub starting: Option<Arc<str>>,
    /// True if versions may be taken that no upgrade leads to, including older ones (`SelfCertified` in OLM
    /// 1).
    pub any_upgrade: bool,
    /// The places where the package, the range and the channel are written, for facts and fixes.
    pub origin: RequirementOrigin,
}

/// The places where the parts of a requirement are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequirementOrigin {
    /// The place of the whole.
    pub whole: Option<Span>,
    /// The place of the package's name.
    pub package: Option<Span>,
    /// The place of the range's text.
    pub range: Option<Span>,
    /// The place of the channel's name.
    pub channel: Option<Span>,
}

/// A bundle that is installed.
#[derive(Clone, Debug)]
pub struct Installed {
    /// The package's name.
    pub package: Arc<str>,
    /// Its version.
    pub version: Version,
    /// The name of the bundle, if it is known.
    pub bundle: Option<Arc<str>>,
    /// The channel that it came from.
    pub channel: Option<Arc<str>>,
    /// Its description, if no catalog has it any more.
    pub described: Option<Arc<Bundle>>,
    /// The place where that is written.
    pub origin: Option<Span>,
}

/// Descriptions are equal if they are the same object.
impl PartialEq for Installed {
    fn eq(&self, other: &Self) -> bool {
        let Self { package, version, bundle, channel, described, origin } = self;
        (package, version, bundle) == (&other.package, &other.version, &other.bundle)
            && (channel, origin) == (&other.channel, &other.origin)
            && described.as_ref().map(Arc::as_ptr) == other.described.as_ref().map(Arc::as_ptr)
    }
}

impl Installed {
    /// A bundle with only the known attributes.
    pub(crate) fn stub(&self) -> Bundle {
        let name = self.bundle.clone();
        Bundle {
            name: name.unwrap_or_else(|| format!("{}.v{}", self.package, self.version).into()),
            package: self.package.clone(),
            image: Arc::from(""),
            version: self.version.clone(),
            release: None,
            properties: Vec::new(),
            deprecated: None,
            origin: self.origin.unwrap_or_default(),
        }
    }
}

/// The cluster that bundles have to run on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runtime {
    /// The version of OpenShift, major and minor.
    pub openshift: Option<(u64, u64)>,
    /// The version of Kubernetes.
    pub kubernetes: Option<Version>,
    /// The place where that is written.
    pub origin: Option<Span>,
}
